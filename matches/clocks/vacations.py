"""Vacations: begun and ended by the person, or ended when the days are used up."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from matches.clocks.clock import Clock
from matches.clocks.rows import clock_columns
from matches.clocks.timeouts import require_clock
from matches.clocks.values import Vacation, VacationBudget
from matches.errors import Refusal
from matches.hook_events import join_columns
from matches.terms import parse_terms
from matches.times import from_millis, to_millis
from matches.updates import AnnouncementKind
from matches.values import MatchId, MatchState
from matches.work.each import for_each
from storage.match import vacations
from storage.people import people

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from matches.locking import LockedMatch, MatchLocker
    from matches.values import Person
    from storage import Connection, Database
    from storage.match.vacations import VacationRow


LOOKBACK = timedelta(days=366)
NO_GRACE = timedelta(0)
MATCHES_PER_POST = 40  # so that all opponents and matches can be named in 2,000 characters


class Vacations:
    """The vacations of persons."""

    def __init__(self, database: Database, locker: MatchLocker) -> None:
        self._database = database
        self._locker = locker

    async def begin(self, person: Person, *, length: timedelta | None = None, now: datetime) -> Vacation:
        """Stop the person's time in all present and future matches whose terms allow vacations.

        It ends by itself after `length`, or with None when the days of the year are used up. Where their time
        has ended, that stays so until they move. Where it stops, it is announced as AWAY, together for the
        matches in each channel, to the opponents there. Raises `already_on_vacation`,
        `no_vacation_days_left`, `vacation_out_of_range`.
        """
        async with self._database.transaction() as connection:
            # Lock matches before persons, as a turn does, to avoid deadlocks.
            locked_matches = await self._lock_matches(connection, person.account, now)
            await people.save(connection, person.account, person.name, to_millis(now))
            rows = await _recent_vacations(connection, person.account, now)
            if any(row.ended_at is None for row in rows):
                raise Refusal("already_on_vacation")
            ends_at = latest_end(now, _used_days_by_year(rows, now))
            if ends_at <= now:
                raise Refusal("no_vacation_days_left", days=DAYS_PER_YEAR, year=now.astimezone(UTC).year)
            if length is not None and not DAY <= length <= ends_at - now:
                raise Refusal("vacation_out_of_range", least=DAY, most=ends_at - now)
            ends_at = ends_at if length is None else now + length
            if not await vacations.start(connection, person.account, to_millis(now), to_millis(ends_at)):
                raise Refusal("already_on_vacation")
            stopped = [one for one in locked_matches if not _is_out_of_time(one)]
            await _apply_to_clocks(locked_matches, Clock.start_vacation)
            await _announce_to_opponents(stopped, AnnouncementKind.AWAY, {"until": to_millis(ends_at)})
        return Vacation(began_at=now, ends_at=ends_at, match_count=len(stopped))

    async def end(self, person: Person, *, now: datetime) -> Vacation:
        """End the person's vacation. Announced as BACK in the same way. Raises `not_on_vacation`."""
        async with self._database.transaction() as connection:
            ended = await self._end(connection, person.account, now)
        if ended is None:
            raise Refusal("not_on_vacation")
        return ended

    async def sweep(self, now: datetime) -> int:
        """End every vacation that has reached its maximum length; return how many were found.

        Raises ExceptionGroup if some could not be ended; they are tried again next time.
        """

        async def end(account: str) -> None:
            async with self._database.transaction() as connection:
                await self._end(connection, account, now, due=True)

        async with self._database.read() as connection:
            due = await vacations.list_expired(connection, to_millis(now))
        await for_each(due, end)
        return len(due)

    async def budget(self, person: Person, *, now: datetime) -> VacationBudget:
        """Return the vacation days that a person has left this year, and their current vacation."""
        async with self._database.read() as connection:
            rows = await _recent_vacations(connection, person.account, now)
        current = next((row for row in rows if row.ended_at is None), None)
        year = now.astimezone(UTC).year
        return VacationBudget(
            year=year,
            days_left=DAYS_PER_YEAR - _used_days_by_year(rows, now)[year],
            current_vacation=None if current is None else _vacation(current),
        )

    async def _end(
        self, connection: Connection, account: str, now: datetime, *, due: bool = False
    ) -> Vacation | None:
        """End a vacation; return None if there is none. If it is `due`, its owner is notified too."""
        locked_matches = await self._lock_matches(connection, account, now)
        rows = await _recent_vacations(connection, account, now)
        current = next((row for row in rows if row.ended_at is None), None)
        if current is None or (due and current.ends_at > to_millis(now)):
            return None  # ended meanwhile, and perhaps another one has begun
        if not await vacations.end(connection, account, min(to_millis(now), current.ends_at)):
            return None
        restarted = [one for one in locked_matches if not _is_out_of_time(one)]
        await _apply_to_clocks(locked_matches, Clock.end_vacation)
        await _announce_to_opponents(restarted, AnnouncementKind.BACK, {}, notify_owner=due)
        return _vacation(current, len(restarted))

    async def _lock_matches(self, connection: Connection, account: str, now: datetime) -> list[LockedMatch]:
        """Lock every match of a person; return those with a clock whose terms allow vacations."""
        numbers = await vacations.list_matches(connection, account, MatchState.OVER)
        locked = [await self._locker.lock_in(connection, MatchId(number), now) for number in numbers]
        with_vacations = [
            one
            for one in locked
            if one.row.state != MatchState.OVER
            and one.row.clock is not None
            and parse_terms(one.row.terms).vacation_stops_clock
        ]
        for one in with_vacations:
            one.act_as(account)
        return with_vacations


async def _apply_to_clocks(
    locked_matches: Iterable[LockedMatch], transition: Callable[[Clock, str, int], Clock]
) -> None:
    """Apply a transition to the clocks of the acting player."""
    for locked in locked_matches:
        new_clock = transition(require_clock(locked), locked.person.account, locked.service_time)
        hooks = locked.hooks if transition is Clock.end_vacation else ()
        columns = join_columns(hook.on_clock_restart(locked) for hook in hooks)
        await locked.change(**clock_columns(new_clock), **columns)


def _is_out_of_time(locked: LockedMatch) -> bool:
    """Return whether the time of the acting player has ended."""
    return require_clock(locked).is_out_of_time(locked.person.account, locked.service_time)


async def _announce_to_opponents(
    locked_matches: Sequence[LockedMatch],
    kind: AnnouncementKind,
    details: dict[str, str | int],
    *,
    notify_owner: bool = False,
) -> None:
    """Announce to the opponents, with at most MATCHES_PER_POST matches of one channel together.

    The first of these is the subject. A match in which somebody is told privately has an announcement of its
    own.
    """
    for place in dict.fromkeys(map(_place, locked_matches)):
        here = [locked for locked in locked_matches if _place(locked) == place]
        called = [here[0].person] if notify_owner else []
        here = _group_by_opponent(here)
        for start in range(0, len(here), MATCHES_PER_POST):
            together = here[start : start + MATCHES_PER_POST]
            recipients = {one.account: one for one in (*(each.opponent for each in together), *called)}
            numbers = " ".join(str(locked.row.id) for locked in together)
            await together[0].announce(
                kind, tuple(recipients.values()), details={"matches": numbers, **details}, grace=NO_GRACE
            )
            called = []


def _group_by_opponent(locked_matches: Sequence[LockedMatch]) -> list[LockedMatch]:
    """Return the matches with those against one opponent side by side."""
    order = {one.opponent.account: index for index, one in enumerate(reversed(locked_matches))}
    return sorted(locked_matches, key=lambda one: -order[one.opponent.account])


def _place(locked: LockedMatch) -> str | int:
    return locked.row.id if locked.told_privately else locked.row.place


async def _recent_vacations(connection: Connection, account: str, now: datetime) -> list[VacationRow]:
    """Return the vacations that may have days in this year."""
    return await vacations.list_since(connection, account, to_millis(now - LOOKBACK))


def _used_days_by_year(rows: Iterable[VacationRow], now: datetime) -> Counter[int]:
    ends = ((row, now if row.ended_at is None else from_millis(row.ended_at)) for row in rows)
    return count_days_by_year((from_millis(row.began_at), end) for row, end in ends)


def _vacation(row: VacationRow, match_count: int = 0) -> Vacation:
    return Vacation(
        began_at=from_millis(row.began_at), ends_at=from_millis(row.ends_at), match_count=match_count
    )


DAYS_PER_YEAR = 30
DAY = timedelta(days=1)


def count_days_by_year(vacations: Iterable[tuple[datetime, datetime]]) -> Counter[int]:
    """Return the number of days of vacations, given by begin and end, for each year."""
    return Counter(day.year for began, ended in vacations for day in _day_starts(began, ended))


def latest_end(now: datetime, days_used: Counter[int]) -> datetime:
    """Return how long a vacation that begins now may last; that is now if no day is left."""
    day, days_by_year = now.astimezone(UTC), Counter(days_used)
    while days_by_year[day.year] < DAYS_PER_YEAR:
        days_by_year[day.year] += 1
        day += DAY
    return day


def _day_starts(began: datetime, ended: datetime) -> Iterator[datetime]:
    """Return the beginning of each day; at least one, even if the vacation is shorter."""
    day = began.astimezone(UTC)
    yield day
    while (day := day + DAY) < ended:
        yield day
