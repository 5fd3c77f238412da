"""Refusals about preferences."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class TimeZoneUnknown(MatchError):
    """There is no such time zone. Values: zone."""

    key = "zone_unknown"


class QuietHoursUnreadable(MatchError):
    """The text is not a range of hours. Values: text."""

    key = "quiet_unreadable"


class InvalidReminderTimes(MatchError):
    """There are too many reminders, or their times are out of range. Values: most, hours (the maximum)."""

    key = "steps_refused"
