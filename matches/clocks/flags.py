"""What happens when somebody's time is over: the sweep that notices, the claim, and time given."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.clocks.errors import GiftOutOfBounds, NoClock, TimeNotOver
from matches.clocks.reading import clock_of, columns_of, service_time
from matches.clocks.uptime import lost_time
from matches.concerns import End
from matches.durations import write_duration
from matches.steps import AnnouncementKind
from matches.terms import LONGEST, Flag, read_terms
from matches.times import millis
from matches.values import MatchId, MatchState, Reason
from storage import StorageUnavailable, clocks, vacations

if TYPE_CHECKING:
    from datetime import datetime

    from matches.clocks.clock import Clock
    from matches.holding import Held, Holder
    from matches.steps import Turn
    from matches.values import Person
    from storage import Store

LEAST = timedelta(minutes=5)  # that is given at once
MOST = timedelta(days=30)
MINUTE = timedelta(minutes=1)
AT_ONCE = 100  # deadlines looked at in one sweep
NO_GRACE = timedelta(0)


class Flags:
    """The flags of matches."""

    def __init__(self, store: Store, holder: Holder) -> None:
        self._store = store
        self._holder = holder

    async def sweep(self, now: datetime) -> int:
        """Decide every match whose deadline has come; give how many were looked at.

        Raises ExceptionGroup where some could not be decided; they are tried again next time.
        """
        async with self._store.reading() as connection:
            present = millis(now) - await lost_time(connection)
            due = await clocks.due(connection, present, AT_ONCE)
        failed = [error for error in [await self._try(MatchId(match), now) for match in due] if error]
        if failed:
            raise ExceptionGroup("deadlines that could not be decided", failed)
        return len(due)

    async def _try(self, match: MatchId, now: datetime) -> Exception | None:
        """Decide one match; one that cannot be decided must not keep the others waiting."""
        try:
            async with self._holder.attend(match, now) as held:
                await _decide(held)
        except StorageUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised with all the others
            return error
        return None

    async def claim(self, match: MatchId, person: Person, now: datetime) -> Turn:
        """Win a match whose other person's flag has fallen."""
        async with self._holder.hold(match, person, now) as held:
            clock = clock_or_refusal(held)
            if held.other.account not in clock.fell:
                raise TimeNotOver(match=match, name=held.other.name)
            await held.end(_end(held, tuple(clock.fell)))
            return await held.turn(await held.announce(AnnouncementKind.CLAIMED, (held.other,)))

    async def give(self, match: MatchId, person: Person, amount: timedelta, now: datetime) -> Turn:
        """Give the other person more time."""
        async with self._holder.hold(match, person, now) as held:
            clock, other = clock_or_refusal(held), held.other
            amount -= amount % MINUTE
            most = min(MOST, LONGEST - timedelta(milliseconds=clock.time(other.account, service_time(held))))
            if not LEAST <= amount <= most:
                raise GiftOutOfBounds(least=write_duration(LEAST), most=write_duration(max(most, LEAST)))
            given = clock.give(other.account, amount // timedelta(milliseconds=1), service_time(held))
            await held.change(**columns_of(given), **held.concerns.restarted(held))
            details = {"minutes": amount // MINUTE}
            return await held.turn(
                await held.announce(AnnouncementKind.TIME_GIVEN, (other,), details=details)
            )


def clock_or_refusal(held: Held) -> Clock:
    """Give the clock of a match. Raises NoClock."""
    clock = clock_of(held.row)
    if clock is None:
        raise NoClock(match=held.row.id)
    return clock


async def _decide(held: Held) -> None:
    """Do what was agreed on for everybody whose time is over; twice does no harm."""
    clock, now = clock_of(held.row), service_time(held)
    if clock is None or held.row.state == MatchState.OVER:
        return
    terms = read_terms(held.row.terms)
    if terms.vacation:
        clock = await _excused(held, clock)
    late = tuple(person for person, end in clock.ends.items() if end <= now)
    if late and terms.flag is Flag.LOST:
        await _lose(held, late)
        return
    for person in late:
        clock = clock.fall(person)
    await held.change(**columns_of(clock))
    for person in late:
        held.act_as(person)
        await held.announce(AnnouncementKind.FLAGGED, (held.other,), grace=NO_GRACE)


async def _excused(held: Held, clock: Clock) -> Clock:
    """Stop the time of whoever is away: a vacation that began beside the turn that set it running has not."""
    for person, since in (await vacations.away(held.connection, tuple(clock.ends))).items():
        began = since - held.row.lost
        if began < clock.ends[person]:
            clock = clock.depart(person, began)
    return clock


async def _lose(held: Held, late: tuple[str, ...]) -> None:
    """End the match; whoever is late has lost it."""
    held.act_as(late[0])
    whom = tuple(seat.person for seat in held.seats)
    await held.end(_end(held, late, winner=held.other))
    await held.announce(AnnouncementKind.TIMED_OUT, whom, grace=NO_GRACE)


def _end(held: Held, late: tuple[str, ...], winner: Person | None = None) -> End:
    """Give how a match ends in which some are late: where both are, nobody wins."""
    if len(late) > 1:
        return End(None, Reason.ABORTED)
    return End(held.win(winner or held.person), Reason.TIME)
