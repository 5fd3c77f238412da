"""How much time people have, as values for whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from matches.values import Person


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of one person in one match.

    `thinks`: whether they are to pick or move. Where their time runs, `deadline` says until when; `left` is
    then what they had when it began to run. Where it is over, `fell_at` says since when: the other may claim
    the match. `away`: whether a vacation of theirs stops it.
    """

    person: Person
    thinks: bool
    left: timedelta
    deadline: datetime | None = None
    fell_at: datetime | None = None
    away: bool = False


@dataclass(frozen=True, slots=True)
class MatchTime:
    """The time of a match: of both people, in the order of the seats.

    `paused`: both have agreed to stop it, and either may have it go on. `offer` is who would like to pause.
    Deadlines move with the time for which the service was down, so they are to be asked for anew.
    """

    people: tuple[SeatTime, SeatTime]
    paused: bool
    offer: Person | None

    def of(self, account: str) -> SeatTime | None:
        """Give the time of a person, None for an onlooker."""
        return next((one for one in self.people if one.person.account == account), None)

    @property
    def deadline(self) -> datetime | None:
        """When the next flag falls, None where no time runs."""
        return min((one.deadline for one in self.people if one.deadline is not None), default=None)


@dataclass(frozen=True, slots=True)
class Vacation:
    """Somebody's vacation, which lasts until `ends_at` at most: for so long the days of the year are enough.

    `matches` counts those in which it has just stopped their time, or let it go on.
    """

    began_at: datetime
    ends_at: datetime
    matches: int = 0


@dataclass(frozen=True, slots=True)
class VacationBudget:
    """How many `days` of vacation a person still has in a `year`, and the vacation under way, if any.

    Every day that has begun is counted, in the year in which it began.
    """

    year: int
    days: int
    under_way: Vacation | None
