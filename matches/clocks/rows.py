"""Conversion of clocks between rows, :class:`Clock` and :class:`MatchTime`."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

from matches.clocks.clock import format_clock, parse_clock
from matches.clocks.values import MatchTime, SeatTime
from matches.times import from_millis

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matches.clocks.clock import Clock
    from matches.values import Person
    from storage.match.matches import MatchListRow, MatchRow
    from storage.people.reminders import ReminderRow
    from storage.statements import Columns

RowWithClock: TypeAlias = "MatchRow | MatchListRow | ReminderRow"


def clock_from_row(row: RowWithClock) -> Clock | None:
    """Return the clock of a match, or None."""
    return None if row.clock is None else parse_clock(row.clock)


def clock_columns(clock: Clock) -> Columns:
    """Return the columns of a clock."""
    return {"clock": format_clock(clock), "deadline": clock.deadline}


def match_time_from_row(row: RowWithClock, people: Sequence[Person]) -> MatchTime | None:
    """Return the times of the players of a match, or None without a clock."""
    clock = clock_from_row(row)
    if clock is None:
        return None
    first, second = (_seat_time(clock, person, row.lost) for person in people)
    pause_offered_by = None if clock.pause_declined else clock.pause_offered_by
    return MatchTime(
        seats=(first, second),
        paused=clock.paused,
        pause_offered_by=next((person for person in people if person.account == pause_offered_by), None),
        unreached=tuple(person for person in people if person.account in clock.unreached),
    )


def _seat_time(clock: Clock, person: Person, downtime: int) -> SeatTime:
    account = person.account
    return SeatTime(
        person=person,
        must_act=account in clock.to_act,
        remaining=timedelta(milliseconds=max(0, clock.remaining.get(account, 0))),
        deadline=_wall_time(clock.deadlines.get(account), downtime),
        flagged_at=_wall_time(clock.flagged_at.get(account), downtime),
        on_vacation=account in clock.on_vacation,
    )


def _wall_time(service_millis: int | None, downtime: int) -> datetime | None:
    return None if service_millis is None else from_millis(service_millis + downtime)
