"""The clock of a stored match: as a value to change, as columns, and as it is shown."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from matches.clocks.clock import read_clock, write_clock
from matches.clocks.values import MatchTime, SeatTime
from matches.times import moment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matches.clocks.clock import Clock
    from matches.concerns import Columns
    from matches.holding import Held
    from matches.values import Person


class Timed(Protocol):
    """What is needed of a row."""

    @property
    def clock(self) -> str | None:
        """The stored clock, None where none runs."""

    @property
    def lost(self) -> int:
        """The time for which the service was down in all."""


def clock_of(row: Timed) -> Clock | None:
    """Give the clock of a match, None where it has none."""
    return None if row.clock is None else read_clock(row.clock)


def service_time(held: Held) -> int:
    """Give the moment at which a match is held, in service time."""
    return held.now - held.row.lost


def columns_of(clock: Clock) -> Columns:
    """Give what is stored of a clock."""
    return {"clock": write_clock(clock), "deadline": clock.deadline}


def read_time(row: Timed, people: Sequence[Person]) -> MatchTime | None:
    """Give the time of the two people of a match, None where no clock runs."""
    clock = clock_of(row)
    if clock is None:
        return None
    first, second = (_seat_time(clock, person, row.lost) for person in people)
    offer = None if clock.declined else clock.offer
    return MatchTime(
        people=(first, second),
        paused=clock.paused,
        offer=next((person for person in people if person.account == offer), None),
    )


def _seat_time(clock: Clock, person: Person, lost: int) -> SeatTime:
    account = person.account
    return SeatTime(
        person=person,
        thinks=account in clock.to_act,
        left=timedelta(milliseconds=max(0, clock.left.get(account, 0))),
        deadline=_wall(clock.ends.get(account), lost),
        fell_at=_wall(clock.fell.get(account), lost),
        away=account in clock.away,
    )


def _wall(service: int | None, lost: int) -> datetime | None:
    return None if service is None else moment(service + lost)
