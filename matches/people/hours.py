"""Quiet hours on somebody's own clock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from matches.people.errors import QuietUnreadable, ZoneUnknown

if TYPE_CHECKING:
    from datetime import tzinfo

UTC_NAME = "UTC"
NOON, MIDNIGHT = 12, 24
NO_QUIET = ("", "none", "off", "no", "never")
_TIME = r"(\d{1,2})(?:[:.h](\d{2}))?(?:\s*([ap])\.?m\.?)?"
_QUIET = re.compile(rf"{_TIME}\s*(?:[-\u2010-\u2015]|to|until)\s*{_TIME}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quiet:
    """From `start` to `end` by the wall clock; through midnight where `end` is the earlier."""

    start: time
    end: time


def read_quiet(text: str) -> Quiet | None:
    """Read ``23:00-7:30``, ``22 to 7`` or ``10pm-7am``; None for ``none``. Raises QuietUnreadable."""
    if text.strip().casefold() in NO_QUIET:
        return None
    found = _QUIET.fullmatch(text.strip())
    if found is None:
        raise QuietUnreadable(text=text)
    try:
        start, end = _time(*found.groups()[:3]), _time(*found.groups()[3:])
    except ValueError as error:
        raise QuietUnreadable(text=text) from error
    if start == end:
        raise QuietUnreadable(text=text)
    return Quiet(start, end)


def _time(hour: str, minute: str | None, half: str | None) -> time:
    """Read a time of the day; midnight may be called 24. Raises ValueError."""
    hours = int(hour)
    if half is not None:
        if not 1 <= hours <= NOON:
            raise ValueError(hour)
        hours = hours % NOON + (NOON if half.lower() == "p" else 0)
    return time(0 if hours == MIDNIGHT else hours, int(minute or 0))


def write_quiet(quiet: Quiet | None) -> str:
    """Give the one way to write quiet hours; empty for none."""
    return "" if quiet is None else f"{quiet.start:%H:%M}-{quiet.end:%H:%M}"


@cache
def zones() -> tuple[str, ...]:
    """Give the names of all known time zones, UTC first; the first call reads many small files."""
    places = {name for name in available_timezones() if "/" in name and not name.startswith("Etc/")}
    return (UTC_NAME, *sorted(places))


def find_zone(name: str) -> str:
    """Give a time zone's proper name, however it was typed; its city will do. Raises ZoneUnknown."""
    sought = name.strip().replace(" ", "_").casefold()
    for known in zones():
        if sought == known.casefold():
            return known
    for known in zones():
        if sought == known.casefold().rpartition("/")[2]:
            return known
    raise ZoneUnknown(zone=name)


def clock(zone: str) -> tzinfo:
    """Give the clock of a time zone by its proper name; that of UTC where this machine does not know it."""
    if zone == UTC_NAME:
        return UTC
    try:
        return ZoneInfo(zone)
    except ZoneInfoNotFoundError:
        return UTC


def rest(quiet: Quiet | None, zone: str, moment: datetime) -> tuple[datetime, datetime] | None:
    """Give the beginning and the end, in UTC, of the quiet hours that `moment` lies in; None outside."""
    if quiet is None:
        return None
    today = moment.astimezone(clock(zone)).date()
    for day in (today - timedelta(days=1), today):
        until = day + timedelta(days=int(quiet.end < quiet.start))
        start = datetime.combine(day, quiet.start, clock(zone)).astimezone(UTC)
        end = datetime.combine(until, quiet.end, clock(zone)).astimezone(UTC)
        if start <= moment < end:
            return start, end
    return None


def awake(quiet: Quiet | None, zone: str, moment: datetime) -> datetime:
    """Give `moment`, or the end of the quiet hours that it lies in."""
    resting = rest(quiet, zone, moment)
    return moment if resting is None else resting[1]


def next_time(hour: time, zone: str, moment: datetime) -> datetime:
    """Give, in UTC, when it is next `hour` on the wall clock of a time zone, later than `moment`."""
    today = moment.astimezone(clock(zone)).date()
    days = (datetime.combine(today + timedelta(days=more), hour, clock(zone)) for more in range(3))
    return next(day.astimezone(UTC) for day in days if day.astimezone(UTC) > moment)


def wall_clock(zone: str, moment: datetime) -> datetime:
    """Give a moment as the clocks of a time zone show it."""
    return moment.astimezone(clock(zone))
