"""Quiet hours in a person's time zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from engine.notation_text import abbreviate
from matches.errors import Refusal

if TYPE_CHECKING:
    from datetime import tzinfo

UTC_NAME = "UTC"
NOON, MIDNIGHT = 12, 24
NO_QUIET_HOURS = ("", "none", "off", "no", "never")
MAX_TEXT_LENGTH = 100  # characters of quiet hours or a time zone that are read
_TIME = r"(\d{1,2})(?:[:.h](\d{2}))?(?:[ ]?([ap])\.?m\.?)?"
_QUIET_HOURS = re.compile(rf"{_TIME}[ ]?(?:[-\u2010-\u2015]|to|until)[ ]?{_TIME}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start` to `end` in local time; across midnight if `end` is the earlier."""

    start: time
    end: time


def parse_quiet_hours(text: str) -> QuietHours | None:
    """Parse ``23:00-7:30``, ``22 to 7`` or ``10pm-7am``; None for ``none``.

    Raises `quiet_hours_unreadable`.
    """
    if len(text) > MAX_TEXT_LENGTH:
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text))
    if text.strip().casefold() in NO_QUIET_HOURS:
        return None
    matched = _QUIET_HOURS.fullmatch(" ".join(text.split()))
    if matched is None:
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text))
    try:
        start, end = _parse_time(*matched.groups()[:3]), _parse_time(*matched.groups()[3:])
    except ValueError as error:
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text)) from error
    if start == end:
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text))
    return QuietHours(start, end)


def _parse_time(hour: str, minute: str | None, half_of_day: str | None) -> time:
    """Parse a time of day; 24 is midnight. Raises ValueError."""
    hours = int(hour)
    if half_of_day is not None:
        if not 1 <= hours <= NOON:
            raise ValueError(hour)
        hours = hours % NOON + (NOON if half_of_day.lower() == "p" else 0)
    return time(0 if hours == MIDNIGHT else hours, int(minute or 0))


def format_quiet_hours(quiet: QuietHours | None) -> str:
    """Return the canonical text of quiet hours; empty for none."""
    return "" if quiet is None else f"{quiet.start:%H:%M}-{quiet.end:%H:%M}"


@cache
def time_zone_names() -> tuple[str, ...]:
    """Return the names of all known time zones, UTC first. The first call reads many small files."""
    cities = {name for name in available_timezones() if "/" in name and not name.startswith("Etc/")}
    return (UTC_NAME, *sorted(cities))


def resolve_time_zone(name: str) -> str:
    """Return the proper name of a time zone, given in any case or as its city. Raises `time_zone_unknown`."""
    query = name[:MAX_TEXT_LENGTH].strip().replace(" ", "_").casefold()
    for known in time_zone_names():
        if query == known.casefold():
            return known
    for known in time_zone_names():
        if query == known.casefold().rpartition("/")[2]:
            return known
    raise Refusal("time_zone_unknown", zone=abbreviate(name))


def tzinfo_of(zone: str) -> tzinfo:
    """Return a time zone by its proper name; UTC if this machine does not know it."""
    if zone == UTC_NAME:
        return UTC
    try:
        return ZoneInfo(zone)
    except ZoneInfoNotFoundError:
        return UTC


def quiet_period(quiet: QuietHours | None, zone: str, moment: datetime) -> tuple[datetime, datetime] | None:
    """Return the start and end, in UTC, of the quiet hours that contain `moment`, or None."""
    if quiet is None:
        return None
    today = moment.astimezone(tzinfo_of(zone)).date()
    for day in (today - timedelta(days=1), today):
        until = day + timedelta(days=int(quiet.end < quiet.start))
        start = datetime.combine(day, quiet.start, tzinfo_of(zone)).astimezone(UTC)
        end = datetime.combine(until, quiet.end, tzinfo_of(zone)).astimezone(UTC)
        if start <= moment < end:
            return start, end
    return None


def after_quiet_hours(quiet: QuietHours | None, zone: str, moment: datetime) -> datetime:
    """Return `moment`, or the end of the quiet hours that contain it."""
    period = quiet_period(quiet, zone, moment)
    return moment if period is None else period[1]


def next_occurrence(hour: time, zone: str, moment: datetime) -> datetime:
    """Return, in UTC, the next time after `moment` at which it is `hour` in a time zone."""
    today = moment.astimezone(tzinfo_of(zone)).date()
    days = (datetime.combine(today + timedelta(days=more), hour, tzinfo_of(zone)) for more in range(3))
    return next(day.astimezone(UTC) for day in days if day.astimezone(UTC) > moment)


def local_time(zone: str, moment: datetime) -> datetime:
    """Return a time in a time zone."""
    return moment.astimezone(tzinfo_of(zone))
