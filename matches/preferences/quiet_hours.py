"""Quiet hours in a person's time zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from engine.notation_text import abbreviate
from matches.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

UTC_NAME = "UTC"
NOON, MIDNIGHT = 12, 24
NO_QUIET_HOURS = ("", "none", "off", "no", "never")
MAX_TEXT_LENGTH = 100  # characters of quiet hours or a time zone that are read
MAX_SPANS = 4  # of quiet hours
MAX_OFFSET = timedelta(hours=14)
# What people write for a zone, where most mean the same one; it has the summer time of its place.
ABBREVIATIONS = {
    "GMT": UTC_NAME, "Z": UTC_NAME, "WET": "Europe/Lisbon", "WEST": "Europe/Lisbon", "CET": "Europe/Berlin",
    "CEST": "Europe/Berlin", "EET": "Europe/Athens", "EEST": "Europe/Athens", "MSK": "Europe/Moscow",
    "EST": "America/New_York", "EDT": "America/New_York", "CST": "America/Chicago", "CDT": "America/Chicago",
    "MST": "America/Denver", "MDT": "America/Denver", "PST": "America/Los_Angeles",
    "PDT": "America/Los_Angeles", "JST": "Asia/Tokyo", "KST": "Asia/Seoul", "AEST": "Australia/Sydney",
    "AEDT": "Australia/Sydney", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland",
}  # fmt: skip
_TIME = r"(\d{1,2})(?:[:.h](\d{2}))?(?:[ ]?([ap])\.?m\.?)?"
_TIME_OF_DAY = re.compile(_TIME, re.IGNORECASE)
_OFFSET = re.compile(r"(?:UTC|GMT)?([+\-\u2212])(\d{1,2})(?::?(00|15|30|45))?")
_QUIET_HOURS = re.compile(rf"{_TIME}[ ]?(?:[-\u2010-\u2015]|to|until)[ ]?{_TIME}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start` to `end` in local time; across midnight if `end` is the earlier."""

    start: time
    end: time

    def has(self, at: time) -> bool:
        """Return whether a time of day is within."""
        if self.start < self.end:
            return self.start <= at < self.end
        return at >= self.start or at < self.end


def parse_quiet_hours(text: str) -> tuple[QuietHours, ...]:
    """Parse spans such as ``23:00-7:30``, ``22 to 7, 12-13`` or ``10pm-7am``; none for ``none``.

    Raises `quiet_hours_unreadable`, also if they leave no time of the day, or are more than MAX_SPANS.
    """
    if text.strip().casefold() in NO_QUIET_HOURS:
        return ()
    parts = re.split(r",|;| and | & ", text) if len(text) <= MAX_TEXT_LENGTH else ()
    spans = tuple(sorted({_parse_span(part, text) for part in parts}, key=lambda one: (one.start, one.end)))
    minutes = (time(minute // 60, minute % 60) for minute in range(MIDNIGHT * 60))
    if not 0 < len(spans) <= MAX_SPANS or all(any(one.has(at) for one in spans) for at in minutes):
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text))
    return spans


def _parse_span(part: str, text: str) -> QuietHours:
    """Parse one span of quiet hours that were typed as `text`. Raises `quiet_hours_unreadable`."""
    matched = _QUIET_HOURS.fullmatch(" ".join(part.split()))
    if matched is None:
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text))
    try:
        start, end = _parse_time(*matched.groups()[:3]), _parse_time(*matched.groups()[3:])
    except ValueError as error:
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text)) from error
    if start == end:
        raise Refusal("quiet_hours_unreadable", text=abbreviate(text))
    return QuietHours(start, end)


def parse_time_of_day(text: str) -> time:
    """Parse a time of day such as ``18:30``, ``18`` or ``6pm``. Raises `time_of_day_unreadable`."""
    matched = _TIME_OF_DAY.fullmatch(" ".join(text[:MAX_TEXT_LENGTH].split()))
    try:
        if matched is not None:
            return _parse_time(*matched.groups())
    except ValueError:
        pass
    raise Refusal("time_of_day_unreadable", text=abbreviate(text))


def _parse_time(hour: str, minute: str | None, half_of_day: str | None) -> time:
    """Parse a time of day; 24 is midnight. Raises ValueError."""
    hours = int(hour)
    if half_of_day is not None:
        if not 1 <= hours <= NOON:
            raise ValueError(hour)
        hours = hours % NOON + (NOON if half_of_day.lower() == "p" else 0)
    return time(0 if hours == MIDNIGHT else hours, int(minute or 0))


def format_quiet_hours(quiet: Iterable[QuietHours]) -> str:
    """Return the canonical text of quiet hours; empty for none."""
    return ", ".join(f"{one.start:%H:%M}-{one.end:%H:%M}" for one in quiet)


@cache
def time_zone_names() -> tuple[str, ...]:
    """Return the names of all known time zones, UTC first. The first call reads many small files."""
    cities = {name for name in available_timezones() if "/" in name and not name.startswith("Etc/")}
    return (UTC_NAME, *sorted(cities))


def resolve_time_zone(name: str) -> str:
    """Return the proper name of a time zone, given in any case.

    It may also be given by its city, by an abbreviation such as ``CET``, or as ``UTC+5:30``, without summer
    time. Raises `time_zone_unknown`.
    """
    typed = "".join(name[:MAX_TEXT_LENGTH].split()).upper()
    offset = _parse_offset(typed)
    if offset is not None:
        return str(timezone(offset))
    if typed in ABBREVIATIONS:
        return ABBREVIATIONS[typed]
    query = name[:MAX_TEXT_LENGTH].strip().replace(" ", "_").casefold()
    for known in time_zone_names():
        if query == known.casefold():
            return known
    for known in time_zone_names():
        if query == known.casefold().rpartition("/")[2]:
            return known
    raise Refusal("time_zone_unknown", zone=abbreviate(name))


def _parse_offset(text: str) -> timedelta | None:
    """Return how much a zone such as ``UTC+5`` or ``UTC-03:30`` is ahead of UTC; None for another text."""
    found = _OFFSET.fullmatch(text)
    if found is None:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return None if offset > MAX_OFFSET else offset if found[1] == "+" else -offset


def tzinfo_of(zone: str) -> tzinfo:
    """Return a time zone by its proper name; UTC if this machine does not know it."""
    offset = timedelta() if zone == UTC_NAME else _parse_offset(zone)
    if offset is not None:
        return timezone(offset)
    try:
        return ZoneInfo(zone)
    except ZoneInfoNotFoundError:
        return UTC


def quiet_period(
    quiet: Sequence[QuietHours], zone: str, moment: datetime
) -> tuple[datetime, datetime] | None:
    """Return the start and end, in UTC, of the quiet hours that contain `moment`, or None.

    Spans that overlap or follow each other are one period.
    """
    local, today = tzinfo_of(zone), moment.astimezone(tzinfo_of(zone)).date()
    periods = [
        (
            datetime.combine(day, one.start, local).astimezone(UTC),
            datetime.combine(day + timedelta(days=int(one.end < one.start)), one.end, local).astimezone(UTC),
        )
        for day in (today + timedelta(days=more) for more in range(-2, 2))
        for one in quiet
    ]
    first = last = moment
    for _ in periods:
        first = min([first, *(start for start, end in periods if start < first <= end)])
        last = max([last, *(end for start, end in periods if start <= last < end)])
    return (first, last) if moment < last else None


def after_quiet_hours(quiet: Sequence[QuietHours], zone: str, moment: datetime) -> datetime:
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
