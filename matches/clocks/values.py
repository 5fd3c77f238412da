"""Clocks as front ends see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from matches.values import Person


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of one player in one match.

    `must_act`: whether they must pick or move. While their time runs, `deadline` says until when, and
    `remaining` is what they had when it was started. `flagged_at` says since when they have been out of time:
    the opponent may claim the win. `on_vacation`: whether a vacation of theirs stops the clock.
    """

    person: Person
    must_act: bool
    remaining: timedelta
    deadline: datetime | None = None
    flagged_at: datetime | None = None
    on_vacation: bool = False

    def is_out_of_time(self, now: datetime) -> bool:
        """Return whether the time has ended, also if no sweep has noticed it yet."""
        return self.flagged_at is not None or (self.deadline is not None and self.deadline <= now)


@dataclass(frozen=True, slots=True)
class MatchTime:
    """The time of both players of a match, in the order of the seats.

    `paused`: both have agreed to a pause, and either may resume. `pause_offered_by` is the player whose offer
    to pause is pending. `unreached` are the players who cannot be told what happens: meanwhile no time runs.
    Deadlines move by the downtime of the service, so do not cache them.
    """

    seats: tuple[SeatTime, SeatTime]
    paused: bool
    pause_offered_by: Person | None
    unreached: tuple[Person, ...] = ()

    def for_account(self, account: str) -> SeatTime | None:
        """Return the time of a player, or None for a spectator."""
        return next((one for one in self.seats if one.person.account == account), None)

    @property
    def deadline(self) -> datetime | None:
        """The next deadline, or None while no time runs."""
        return min((one.deadline for one in self.seats if one.deadline is not None), default=None)


@dataclass(frozen=True, slots=True)
class Vacation:
    """A person's vacation. It ends at `ends_at` unless the person ends it before.

    `match_count` is the number of matches in which it has just stopped or restarted their time.
    """

    began_at: datetime
    ends_at: datetime
    match_count: int = 0


@dataclass(frozen=True, slots=True)
class VacationBudget:
    """The vacation days left in a year, and the current vacation, if any.

    Every day that has begun counts, in the year in which it began.
    """

    year: int
    days_left: int
    current_vacation: Vacation | None
