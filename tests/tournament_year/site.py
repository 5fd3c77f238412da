"""The process that does what is due, as a website without a bot does, and assesses boards as a worker does.

It does nothing by itself: it is told the time, and answers when everything is done that is due then.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ai.search import Opponent
from ai.worker.assessments import assess_next
from matches import Database, Matches
from matches.clocks.uptime import WEBSITE_COVERAGE
from matches.work.sweeps import Sweeps, list_prompt_sweeps, list_slow_sweeps
from runtime import logs
from runtime.steps import Steps
from tests.cluster import Violation
from tests.cluster.process import ChildProcess
from tests.tournament_year.plan import OUTAGE

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path
    from random import Random

    from tests.cluster.process import Parent

SIMULATIONS = 200  # of one assessment; a year has many
LEASE = timedelta(minutes=2)  # after which a killed process no longer holds a board


async def serve(parent: Parent, url: str) -> None:
    """Run the process until it is told to stop."""
    logs.configure("INFO")
    async with await Database.open(url, only_current=True) as database:
        matches, steps = Matches(database, outage=OUTAGE), Steps()
        prompt = Sweeps(list_prompt_sweeps(matches), steps.run)
        slow = Sweeps(list_slow_sweeps(matches), steps.run)
        parent.send("ready")
        async for command, seconds in parent.requests():
            now, began, errors = datetime.fromtimestamp(seconds, UTC), time.process_time(), list[Exception]()
            if command == "assess":
                await _assess(matches, now)
            else:
                await matches.clocks.heartbeat(now, WEBSITE_COVERAGE)
                errors = [*await prompt.run(now), *await slow.run(now)]
            parent.send((time.process_time() - began, [repr(error) for error in errors]))


async def _assess(matches: Matches, now: datetime) -> None:
    opponent = Opponent.start()
    while await assess_next(matches, opponent, lambda: now, SIMULATIONS):
        pass


@dataclass(slots=True)
class Site:
    """The process, which is killed while it works. `kills` None: never."""

    url: str
    folder: Path
    kills: Random | None
    share: float
    counts: Counter[str]
    _process: ChildProcess = field(init=False)

    def __post_init__(self) -> None:
        self._process = ChildProcess("the site", serve, self.url, log=self.folder / "site.log")

    async def sweep(self, now: datetime, kills: int = 0) -> None:
        """Do what is due, after at least so many kills while it was being done. Raises Violation."""
        for number in range(100):
            if not self._is_to_kill(number < kills):
                break
            await self._kill_during("sweep", now)
        await self._ask("sweep", now)

    async def assess(self, now: datetime) -> None:
        """Assess the boards that wait; a process that is killed holds its board for a minute."""
        while self._is_to_kill(False):
            await self._kill_during("assess", now)
            now += LEASE
        await self._ask("assess", now)

    async def stop(self) -> None:
        """Have it end cleanly."""
        if self._process.is_up:
            await self._process.stop()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def _is_to_kill(self, is_certain: bool) -> bool:
        return self.kills is not None and (is_certain or self.kills.random() < self.share)

    async def _start(self) -> None:
        if not self._process.is_up:
            self._process.start()
            await self._process.receive()

    async def _ask(self, command: str, now: datetime) -> None:
        await self._start()
        seconds, errors = await self._process.ask((command, now.timestamp()))
        if errors:
            raise Violation(f"at {now}: {errors}")
        self.counts[f"milliseconds of processor time: {command}"] += round(1000 * seconds)

    async def _kill_during(self, command: str, now: datetime) -> None:
        assert self.kills is not None
        await self._start()
        asked = asyncio.create_task(self._process.ask((command, now.timestamp())))
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(asked), 10 ** self.kills.uniform(-3, -0.5))
        self.counts[f"kills during {command}" if not asked.done() else "kills after work"] += 1
        self._process.kill()
        await self._process.wait()
        await asked
