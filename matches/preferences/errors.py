"""The refusals about a person's own settings, as data."""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from matches.errors import MatchError


class TimeZoneUnknown(MatchError):
    """There is no such time zone. Values: zone."""

    key = "zone_unknown"


class QuietHoursUnreadable(MatchError):
    """The text names no quiet hours. Values: text."""

    key = "quiet_unreadable"


class InvalidReminderTimes(MatchError):
    """Reminders are too many or at times that are not allowed. Values: most, hours (the most of them)."""

    key = "steps_refused"
