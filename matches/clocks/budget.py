"""How many days of vacation are left: so many in each calendar year, every day that has begun being counted.

The days of a vacation are spans of 24 hours from its beginning; each belongs to the year, in UTC, in which it
begins. A year takes nothing over from the one before.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DAYS_A_YEAR = 30
DAY = timedelta(days=1)


def used(vacations: Iterable[tuple[datetime, datetime]]) -> Counter[int]:
    """Count the days of vacations, given by begin and end, by year."""
    return Counter(day.year for began, ended in vacations for day in _days(began, ended))


def longest(now: datetime, spent: Counter[int]) -> datetime:
    """Give until when a vacation may last that begins now; that is now where no day is left."""
    day, counted = now.astimezone(UTC), Counter(spent)
    while counted[day.year] < DAYS_A_YEAR:
        counted[day.year] += 1
        day += DAY
    return day


def _days(began: datetime, ended: datetime) -> Iterator[datetime]:
    """Give the beginning of each day: at least one, however short the vacation."""
    day = began.astimezone(UTC)
    yield day
    while (day := day + DAY) < ended:
        yield day
