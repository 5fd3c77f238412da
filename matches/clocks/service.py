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

    from matches.locking import MatchLocker
    from storage import Database


class Clocks:
    """Time-outs, extra time, pauses and vacations in a database.

    Deadlines are stored and need no running task. A player is out of time only once a sweep has noticed; a
    move before that is in time.

    timeouts: claims and extra time. abandoned: matches without a clock whose opponent has stopped playing.
    pauses, vacations: what stops the time.
    """

    def __init__(self, database: Database, locker: MatchLocker, outage: timedelta) -> None:
        self._uptime = Uptime(database, outage)
        self.timeouts = Timeouts(database, locker, outage)
        self.abandoned = AbandonedMatches(locker)
        self.pauses = Pauses(locker)
        self.vacations = Vacations(database, locker)

    async def tick(self, now: datetime, coverage: Coverage = EVERYTHING) -> None:
        """Record a heartbeat and decide everything that is due.

        Call this every few seconds while players can be reached and can act, and only then: a longer gap
        moves the deadlines of the servers in `coverage` by its length. It may be called late, twice, and by
        two processes at once: each time-out is decided and announced once, and a gap is counted once.

        A player who is out of time loses the match (TIMED_OUT, to both; with the reason ABORTED if neither
        has picked in time) or, if the terms say so, can be claimed against (FLAGGED, to both).
        Vacations whose days are used up end (BACK). All of these announcements are due at once.

        Raises ExceptionGroup if some matches could not be decided.
        """
        await self.heartbeat(now, coverage)
        await self.sweep(now)

    async def sweep(self, now: datetime) -> None:
        """Decide everything that is due, as :meth:`tick` does, without a heartbeat.

        For a process that reaches no players while others do: time stands where those record no heartbeat.
        Raises ExceptionGroup.
        """
        await self.vacations.sweep(now)
        await self.timeouts.sweep(now)

    async def heartbeat(self, now: datetime, coverage: Coverage = EVERYTHING) -> None:
        """Record a heartbeat only: before anybody acts after a downtime, to count it as such."""
        await self._uptime.heartbeat(now, coverage)
