"""The door to all about time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.pauses import Pauses
from matches.clocks.timeouts import Timeouts
from matches.clocks.uptime import Uptime
from matches.clocks.vacations import Vacations

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from matches.clocks.values import Vacation, VacationBudget
    from matches.locking import MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import MatchId, Person
    from storage import Database


class Clocks:
    """Deadlines, flags, pauses and vacations over one store.

    Deadlines are stored, so that nothing needs to run for them to hold. Only a sweep decides that somebody's
    time is over: whoever moves before it does is in time. As in :class:`matches.Matches` every method takes
    `now`.
    """

    def __init__(self, database: Database, locker: MatchLocker, outage: timedelta) -> None:
        self._uptime = Uptime(database, outage)
        self._timeouts = Timeouts(database, locker)
        self._pauses = Pauses(locker)
        self._vacations = Vacations(database, locker)

    async def tick(self, now: datetime) -> None:
        """Say that the service is there, and do whatever time has brought.

        To be called every few seconds while people can be reached and can act, and only then: after a longer
        silence all deadlines are moved by as long as it was. It may be called late, twice, and by two
        processes at once: each time-out is decided and announced once, and time is given back once.

        Where the time of somebody is over, the match is lost (TIMED_OUT, calling both; ABORTED as its reason
        where neither has picked in time), or, if that was agreed on, the other is told (FLAGGED). Vacations
        whose days are used up end (BACK). All of these are due at once.

        Raises ExceptionGroup, after all else is done, where some matches could not be decided.
        """
        await self.heartbeat(now)
        await self._vacations.sweep(now)
        await self._timeouts.sweep(now)

    async def heartbeat(self, now: datetime) -> None:
        """Only say that the service is there: before anybody acts after a silence, to give that back."""
        await self._uptime.heartbeat(now)

    async def claim(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Win the match in which the other's time is over. Announced as CLAIMED, calling the other.

        Where neither has picked in time, it ends without a winner.

        Raises MatchUnknown, NotInMatch, MatchOver, NoClock, TimeNotOver.
        """
        return await self._timeouts.claim(match, person, now)

    async def give_time(
        self, match: MatchId, person: Person, amount: timedelta, *, now: datetime
    ) -> MatchUpdate:
        """Return the other more time, in whole minutes. Announced as TIME_GIVEN, calling the other.

        Raises MatchUnknown, NotInMatch, MatchOver, NoClock, ExtraTimeOutOfBounds.
        """
        return await self._timeouts.give_time(match, person, amount, now)

    async def offer_pause(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Offer to stop the clock. Announced as PAUSE_OFFERED, calling the other.

        Where the other's offer stands this accepts it (PAUSED). An offer dies when a move is made; one that
        was declined cannot be repeated before that. A match may be played on while it is paused.

        Raises MatchUnknown, NotInMatch, MatchOver, NoClock, MatchPaused, TimeOver, PauseOffered,
        PauseDeclined.
        """
        return await self._pauses.offer(match, person, now)

    async def answer_pause(
        self, match: MatchId, person: Person, *, accept: bool, now: datetime
    ) -> MatchUpdate:
        """Accept (PAUSED) or decline (PAUSE_DECLINED) the other's offer to pause, calling whoever offered.

        Raises MatchUnknown, NotInMatch, MatchOver, NoClock, MatchPaused, TimeOver, NoPauseOffer,
        OwnPauseOffer.
        """
        return await self._pauses.answer(match, person, accept=accept, now=now)

    async def resume(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Have the clock of a paused match go on. Announced as RESUMED, calling the other.

        If the other is to move they then have at least a day, or what the pace gives at first, if that is
        less.

        Raises MatchUnknown, NotInMatch, MatchOver, NoClock, NotPaused.
        """
        return await self._pauses.resume(match, person, now)

    async def begin_vacation(self, person: Person, *, now: datetime) -> Vacation:
        """Stop the person's time in every match, present or to come, whose terms allow that.

        Announced as AWAY, once in each place, calling the opponents there. Raises AlreadyOnVacation,
        NoVacationDaysLeft.
        """
        return await self._vacations.begin(person, now)

    async def end_vacation(self, person: Person, *, now: datetime) -> Vacation:
        """Let the person's time go on. Announced as BACK in the same way. Raises NotOnVacation."""
        return await self._vacations.end(person, now)

    async def vacation_budget(self, person: Person, *, now: datetime) -> VacationBudget:
        """Return the days of vacation that a person has left this year, and the vacation under way."""
        return await self._vacations.budget(person, now)
