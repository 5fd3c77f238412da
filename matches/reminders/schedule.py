"""When to remind a player: depends on their preferences, the start of their turn, and its deadline."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from matches.preferences.quiet_hours import quiet_period

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches.preferences.values import Preferences

MAX_REPEATS = 10  # of one turn
QUIET_HOURS_MARGIN = timedelta(minutes=15)  # how long before quiet hours a reminder is sent early


@dataclass(frozen=True, slots=True)
class TurnDeadline:
    """The deadline of a player's turn, and the time they had when it last started to run."""

    deadline: datetime
    time_at_start: timedelta


def next_reminder(
    preferences: Preferences, began: datetime, turn_deadline: TurnDeadline | None, after: datetime
) -> datetime | None:
    """Return the first reminder later than both `after` and `began`, or None.

    A reminder within quiet hours moves to their end or, if the deadline is earlier than that, to before their
    start.
    """
    times = (
        _outside_quiet_hours(preferences, moment, turn_deadline)
        for moment in _reminder_times(preferences, began, turn_deadline)
    )
    return min((moment for moment in times if moment > max(began, after)), default=None)


def _reminder_times(
    preferences: Preferences, began: datetime, turn_deadline: TurnDeadline | None
) -> Iterator[datetime]:
    if turn_deadline is not None:
        for share in preferences.shares:
            yield turn_deadline.deadline - turn_deadline.time_at_start * share / 100
        for hours in preferences.hours:
            yield turn_deadline.deadline - timedelta(hours=hours)
    if preferences.repeat_days:
        for count in range(1, MAX_REPEATS + 1):
            yield began + count * timedelta(days=preferences.repeat_days)


def _outside_quiet_hours(
    preferences: Preferences, moment: datetime, turn_deadline: TurnDeadline | None
) -> datetime:
    quiet = quiet_period(preferences.quiet, preferences.zone, moment)
    if quiet is None:
        return moment
    start, end = quiet
    return (
        start - QUIET_HOURS_MARGIN
        if turn_deadline is not None and moment < turn_deadline.deadline <= end
        else end
    )
