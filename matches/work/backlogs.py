"""How much work waits in a database, for those who watch over the processes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import to_millis
from storage.errors import StorageUnavailable
from storage.people import moderation
from storage.work import backlogs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from metrics.monitor import Monitor
    from storage import Database

STUCK = timedelta(minutes=2)  # that an announcement waits to be taken; what is tried again later is not due


@dataclass(frozen=True, slots=True)
class Backlog:
    """The work that waits.

    outbox_waiting: unsent announcements of a platform. outbox_tried: those that somebody has tried to send.
    outbox_oldest: how long the one that is due longest has been waiting to be taken.
    computer_answers_owed: matches in which the computer owes something. analyses_open: analyses to be done.
    reports_open: reports about players that no moderator has closed.
    """

    outbox_waiting: int
    outbox_tried: int
    outbox_oldest: timedelta
    computer_answers_owed: int
    analyses_open: int
    reports_open: int

    @property
    def is_outbox_stuck(self) -> bool:
        """Whether nobody takes what is due."""
        return self.outbox_oldest > STUCK


class Backlogs:
    """Measures the backlog of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def watch(self, monitor: Monitor, platform: str, now: Callable[[], datetime]) -> None:
        """Have a monitor report the backlog of a platform, and readiness while the database answers."""

        async def check() -> Mapping[str, bool]:
            return {"database": await self.find(platform, now=now()) is not None}

        monitor.probes.append(lambda: self.report(platform, now=now()))
        monitor.check_readiness = check

    async def measure(self, platform: str, *, now: datetime) -> Backlog:
        """Return the backlog now. Raises StorageUnavailable, also if the database can only be read."""
        millis = to_millis(now)
        await self._database.check()
        async with self._database.read() as connection:
            waiting, tried, due_at = await backlogs.measure_outbox(connection, platform, millis)
            answers = await backlogs.count_computer_matches(connection)
            analyses = await backlogs.count_open_analyses(connection)
            reports = await moderation.count_open_reports(connection)
        oldest = timedelta(milliseconds=0 if due_at is None else max(0, millis - due_at))
        return Backlog(waiting, tried, oldest, answers, analyses, reports)

    async def find(self, platform: str, *, now: datetime) -> Backlog | None:
        """Return the backlog now, or None if the database cannot be used."""
        try:
            return await self.measure(platform, now=now)
        except StorageUnavailable:
            return None

    async def report(self, platform: str, *, now: datetime) -> None:
        """Measure the backlog for the metrics of the database. Never raises StorageUnavailable."""
        backlog = await self.find(platform, now=now)
        if backlog is None:
            self._database.metrics.set_gauges({"database_up": 0})
            return
        self._database.metrics.set_gauges(
            {
                "database_up": 1,
                "outbox_waiting": backlog.outbox_waiting,
                "outbox_tried": backlog.outbox_tried,
                "outbox_oldest_seconds": backlog.outbox_oldest.total_seconds(),
                "computer_answers_owed": backlog.computer_answers_owed,
                "analyses_open": backlog.analyses_open,
                "reports_open": backlog.reports_open,
            }
        )
