"""Vacations: begun and ended by hand, or at an end when the days are used up; told to every opponent."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from matches.clocks.budget import DAYS_A_YEAR, longest, used
from matches.clocks.clock import Clock
from matches.clocks.errors import NoVacation, VacationUnderWay, VacationUsedUp
from matches.clocks.reading import clock_of, columns_of, service_time
from matches.clocks.values import Vacation, VacationBudget
from matches.concerns import NOTHING
from matches.steps import AnnouncementKind
from matches.terms import read_terms
from matches.times import millis, moment
from matches.values import MatchId, MatchState
from storage import people, vacations

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from matches.holding import Held, Holder
    from matches.values import Person
    from storage import Connection, Store
    from storage.vacations import VacationRow

A_YEAR = timedelta(days=366)
NO_GRACE = timedelta(0)


class Vacations:
    """The vacations of people."""

    def __init__(self, store: Store, holder: Holder) -> None:
        self._store = store
        self._holder = holder

    async def begin(self, person: Person, now: datetime) -> Vacation:
        """Begin a vacation: the time of the person stops wherever that was agreed."""
        async with self._store.writing() as connection:
            # Matches first and people after them, as in a turn, lest two transactions wait for each other.
            reached = await self._reached(connection, person.account, now)
            await people.remember(connection, person.account, person.name, millis(now))
            rows = await _rows(connection, person.account, now)
            if any(row.ended_at is None for row in rows):
                raise VacationUnderWay
            ends_at = longest(now, _spent(rows, now))
            if ends_at <= now:
                raise VacationUsedUp(days=DAYS_A_YEAR, year=now.astimezone(UTC).year)
            if not await vacations.begin(connection, person.account, millis(now), millis(ends_at)):
                raise VacationUnderWay
            stopped = await _change(reached, Clock.depart)
            await _tell(reached, AnnouncementKind.AWAY, {"until": millis(ends_at)})
        return Vacation(began_at=now, ends_at=ends_at, matches=stopped)

    async def end(self, person: Person, now: datetime) -> Vacation:
        """End the vacation of a person."""
        async with self._store.writing() as connection:
            ended = await self._end(connection, person.account, now)
        if ended is None:
            raise NoVacation
        return ended

    async def sweep(self, now: datetime) -> int:
        """End every vacation that has lasted as long as it may; give how many were found."""
        async with self._store.reading() as connection:
            due = await vacations.over(connection, millis(now))
        for account in due:
            async with self._store.writing() as connection:
                await self._end(connection, account, now, due=True)
        return len(due)

    async def budget(self, person: Person, now: datetime) -> VacationBudget:
        """Give what a person still has."""
        async with self._store.reading() as connection:
            rows = await _rows(connection, person.account, now)
        current = next((row for row in rows if row.ended_at is None), None)
        year = now.astimezone(UTC).year
        return VacationBudget(
            year=year,
            days=DAYS_A_YEAR - _spent(rows, now)[year],
            under_way=None if current is None else _vacation(current),
        )

    async def _end(
        self, connection: Connection, account: str, now: datetime, *, due: bool = False
    ) -> Vacation | None:
        """End a vacation, None where there is none; one that is `due` surprises, so all are called."""
        reached = await self._reached(connection, account, now)
        rows = await _rows(connection, account, now)
        current = next((row for row in rows if row.ended_at is None), None)
        if current is None or (due and current.ends_at > millis(now)):
            return None  # ended by hand, or by another process, and perhaps another has begun
        if not await vacations.end(connection, account, min(millis(now), current.ends_at)):
            return None
        started = await _change(reached, Clock.arrive)
        await _tell(reached, AnnouncementKind.BACK, {}, calling=due)
        return _vacation(current, started)

    async def _reached(self, connection: Connection, account: str, now: datetime) -> list[Held]:
        """Hold every match of a person in which a vacation was agreed on."""
        numbers = await vacations.matches_of(connection, account, MatchState.OVER)
        held = [await self._holder.within(connection, MatchId(number), now) for number in numbers]
        reached = [
            one for one in held if one.row.state != MatchState.OVER and read_terms(one.row.terms).vacation
        ]
        for one in reached:
            one.act_as(account)
        return reached


async def _change(reached: Iterable[Held], how: Callable[[Clock, str, int], Clock]) -> int:
    """Stop or start the time of whoever acts; give how many matches that concerns."""
    changed = 0
    for held in reached:
        clock = clock_of(held.row)
        if clock is not None:
            after = how(clock, held.person.account, service_time(held))
            again = held.concerns.restarted(held) if how is Clock.arrive else NOTHING
            await held.change(**columns_of(after), **again)
            changed += 1
    return changed


async def _tell(
    reached: Sequence[Held], kind: AnnouncementKind, details: dict[str, str | int], *, calling: bool = False
) -> None:
    """Tell the opponents, once in each place: the first match there stands for all of them."""
    for place in dict.fromkeys(held.row.place for held in reached):
        here = [held for held in reached if held.row.place == place]
        whom = {held.other.account: held.other for held in here}
        if calling:
            whom[here[0].person.account] = here[0].person
        numbers = " ".join(str(held.row.id) for held in here)
        await here[0].announce(
            kind, tuple(whom.values()), details={"matches": numbers, **details}, grace=NO_GRACE
        )


async def _rows(connection: Connection, account: str, now: datetime) -> list[VacationRow]:
    """Give the vacations that may have days in this year."""
    return await vacations.of_person(connection, account, millis(now - A_YEAR))


def _spent(rows: Iterable[VacationRow], now: datetime) -> Counter[int]:
    ends = ((row, now if row.ended_at is None else moment(row.ended_at)) for row in rows)
    return used((moment(row.began_at), end) for row, end in ends)


def _vacation(row: VacationRow, matches: int = 0) -> Vacation:
    return Vacation(began_at=moment(row.began_at), ends_at=moment(row.ends_at), matches=matches)
