"""When somebody is reminded: a matter of their settings, of when their turn began and of its deadline."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from matches.people.hours import rest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches.people.values import Preferences

MOST_REPEATS = 10  # of one turn: who has not moved by then does not mean to
MARGIN = timedelta(minutes=15)  # so long before quiet hours a reminder comes that they would swallow


@dataclass(frozen=True, slots=True)
class Limit:
    """When somebody's time for a turn is over, and how much they had when it last began to run."""

    deadline: datetime
    time: timedelta


def next_step(chosen: Preferences, began: datetime, limit: Limit | None, after: datetime) -> datetime | None:
    """Give the first time to remind later than `after`, and than `began`; None where there is none.

    A reminder that falls in quiet hours comes when they end, or, where the deadline would not outlast them,
    before they begin.
    """
    times = (_shifted(chosen, moment, limit) for moment in _steps(chosen, began, limit))
    return min((moment for moment in times if moment > max(began, after)), default=None)


def _steps(chosen: Preferences, began: datetime, limit: Limit | None) -> Iterator[datetime]:
    if limit is not None:
        for share in chosen.shares:
            yield limit.deadline - limit.time * share / 100
        for hours in chosen.hours:
            yield limit.deadline - timedelta(hours=hours)
    if chosen.every:
        for count in range(1, MOST_REPEATS + 1):
            yield began + count * timedelta(days=chosen.every)


def _shifted(chosen: Preferences, moment: datetime, limit: Limit | None) -> datetime:
    resting = rest(chosen.quiet, chosen.zone, moment)
    if resting is None:
        return moment
    start, end = resting
    return start - MARGIN if limit is not None and moment < limit.deadline <= end else end
