"""The service for everything about time: :class:`Clocks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.abandoned import AbandonedMatches
from matches.clocks.pauses import Pauses
from matches.clocks.timeouts import Timeouts
from matches.clocks.uptime import EVERYTHING, Coverage, Uptime
from matches.clocks.vacations import Vacations

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from matches.clocks.abandoned import Abandonment
    from matches.clocks.values import Vacation, VacationBudget
    from matches.locking import MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import MatchId, Person
    from storage import Database


class Clocks:
    """Time-outs, extra time, pauses and vacations in a database.

    Deadlines are stored and need no running task. A player is out of time only once a sweep has noticed; a
    move before that is in time.
    """

    def __init__(self, database: Database, locker: MatchLocker, outage: timedelta) -> None:
        self._uptime = Uptime(database, outage)
        self._timeouts = Timeouts(database, locker, outage)
        self._abandoned = AbandonedMatches(locker)
        self._pauses = Pauses(locker)
        self._vacations = Vacations(database, locker)

    async def tick(self, now: datetime, coverage: Coverage = EVERYTHING) -> None:
        """Record a heartbeat and decide everything that is due.

        Call this every few seconds while players can be reached and can act, and only then: a longer gap
        moves the deadlines of the servers in `coverage` by its length. It may be called late, twice, and by
        two processes at once: each time-out is decided and announced once, and a gap is counted once.

        A player who is out of time loses the match (TIMED_OUT, to both; with the reason ABORTED if neither
        has picked in time) or, if the terms say so, can be claimed against (FLAGGED, to both).
        Vacations whose days are used up end (BACK). All of these announcements are due at once.

        Raises ExceptionGroup, after everything else is done, if some matches could not be decided.
        """
        await self.heartbeat(now, coverage)
        await self.sweep(now)

    async def sweep(self, now: datetime) -> None:
        """Decide everything that is due, as :meth:`tick` does, without a heartbeat.

        For a process that reaches no players while others do: time stands where those record no heartbeat.
        Raises ExceptionGroup.
        """
        await self._vacations.sweep(now)
        await self._timeouts.sweep(now)

    async def heartbeat(self, now: datetime, coverage: Coverage = EVERYTHING) -> None:
        """Record a heartbeat only: before anybody acts after a downtime, to count it as such."""
        await self._uptime.heartbeat(now, coverage)

    async def claim(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Claim the win against an opponent who is out of time. Announced as CLAIMED to the opponent.

        If neither has picked in time, the match ends without a winner. A match without a clock can be claimed
        when :meth:`abandonment` says so; the win is not rated.

        Raises MatchUnknown, NotInMatch, `match_over`, `time_not_over`, `not_abandoned`,
        `computer_never_late`.
        """
        return await self._timeouts.claim(match, person, now)

    async def abandonment(self, match: MatchId, person: Person, *, now: datetime) -> Abandonment:
        """Return how far the person is from claiming a match without a clock.

        Raises MatchUnknown, NotInMatch, `match_over`, `not_abandoned`, `computer_never_late`.
        """
        return await self._abandoned.find(match, person, now)

    async def nudge(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Call the opponent of a match without a clock. Announced as NUDGED to the opponent.

        Raises MatchUnknown, NotInMatch, `match_over`, `not_abandoned`, `computer_never_late`.
        """
        return await self._abandoned.nudge(match, person, now)

    async def give_time(
        self, match: MatchId, person: Person, amount: timedelta, *, now: datetime
    ) -> MatchUpdate:
        """Give the opponent more time, in whole minutes. Announced as TIME_GIVEN to the opponent.

        Raises MatchUnknown, NotInMatch, `match_over`, `no_clock`, `extra_time_out_of_bounds`,
        `computer_never_late`.
        """
        return await self._timeouts.give_time(match, person, amount, now)

    async def offer_pause(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Offer to pause the clock. Announced as PAUSE_OFFERED to the opponent.

        If the opponent's offer is pending, this accepts it (PAUSED). A move withdraws the offer; one that was
        declined cannot be repeated before that. Moves can be made while a match is paused.

        Raises MatchUnknown, NotInMatch, `match_over`, `no_clock`, `match_paused`, `time_over`,
        `pause_pending`, `pause_declined`.
        """
        return await self._pauses.offer(match, person, now)

    async def answer_pause(
        self, match: MatchId, person: Person, *, accept: bool, now: datetime
    ) -> MatchUpdate:
        """Accept (PAUSED) or decline (PAUSE_DECLINED) the opponent's offer to pause.

        Announced to the player who offered. Raises MatchUnknown, NotInMatch, `match_over`, `no_clock`,
        `match_paused`, `time_over`, `no_pause_offer`, `own_pause_offer`.
        """
        return await self._pauses.answer(match, person, accept=accept, now=now)

    async def withdraw_pause(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Withdraw one's own offer to pause. Announced as PAUSE_WITHDRAWN, notifying nobody.

        Raises MatchUnknown, NotInMatch, `match_over`, `no_clock`, `no_pause_offer`.
        """
        return await self._pauses.withdraw(match, person, now)

    async def resume(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Restart the clock of a paused match. Announced as RESUMED to the opponent.

        If the opponent is to move they then have at least a day, or the initial time if that is less.

        Raises MatchUnknown, NotInMatch, `match_over`, `no_clock`, `not_paused`.
        """
        return await self._pauses.resume(match, person, now)

    async def begin_vacation(self, person: Person, *, now: datetime) -> Vacation:
        """Stop the person's time in all present and future matches whose terms allow vacations.

        Announced as AWAY, once in each channel, to the opponents there. Raises `already_on_vacation`,
        `no_vacation_days_left`.
        """
        return await self._vacations.begin(person, now)

    async def end_vacation(self, person: Person, *, now: datetime) -> Vacation:
        """End the person's vacation. Announced as BACK in the same way. Raises `not_on_vacation`."""
        return await self._vacations.end(person, now)

    async def vacation_budget(self, person: Person, *, now: datetime) -> VacationBudget:
        """Return the vacation days that a person has left this year, and their current vacation."""
        return await self._vacations.budget(person, now)
