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

    `must_act`: whether they are to pick or move. Where their time runs, `deadline` says until when;
    `remaining` is then what they had when it began to run. Where it is over, `flagged_at` says since when:
    the other may claim the match. `on_vacation`: whether a vacation of theirs stops it.
    """

    person: Person
    must_act: bool
    remaining: timedelta
    deadline: datetime | None = None
    flagged_at: datetime | None = None
    on_vacation: bool = False


@dataclass(frozen=True, slots=True)
class MatchTime:
    """The time of a match: of both people, in the order of the seats.

    `paused`: both have agreed to stop it, and either may have it go on. `pause_offered_by` is who would like
    to pause. Deadlines move with the time for which the service was down, so they are to be asked for anew.
    """

    seats: tuple[SeatTime, SeatTime]
    paused: bool
    pause_offered_by: Person | None

    def for_account(self, account: str) -> SeatTime | None:
        """Return the time of a person, None for an onlooker."""
        return next((one for one in self.seats if one.person.account == account), None)

    @property
    def deadline(self) -> datetime | None:
        """When the next flag falls, None where no time runs."""
        return min((one.deadline for one in self.seats if one.deadline is not None), default=None)


@dataclass(frozen=True, slots=True)
class Vacation:
    """Somebody's vacation, which lasts until `ends_at` at most: for so long the days of the year are enough.

    `match_count` counts those in which it has just stopped their time, or let it go on.
    """

    began_at: datetime
    ends_at: datetime
    match_count: int = 0


@dataclass(frozen=True, slots=True)
class VacationBudget:
    """How many `days_left` of vacation a person still has in a `year`, and the vacation under way, if any.

    Every day that has begun is counted, in the year in which it began.
    """

    year: int
    days_left: int
    current_vacation: Vacation | None
