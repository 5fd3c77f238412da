"""Work beside the requests: heartbeats, sweeps of a website alone, and what operators see of the website."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from matches import WEBSITE_COVERAGE
from matches.work.sweeps import Sweeps, list_prompt_sweeps, list_slow_sweeps
from runtime.heartbeat import touch_heartbeat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

    from matches import Database
    from metrics.monitor import Monitor
    from web.context import WebContext

SWEEP_SECONDS = 5.0
HEARTBEAT_SECONDS = 15.0


def watch_website(monitor: Monitor, context: WebContext) -> None:
    """Have a monitor report the number of open event streams."""

    async def report() -> None:
        context.matches.metrics.set_gauges({"streams": context.stream_limiter.open_count})

    monitor.probes.append(report)


@asynccontextmanager
async def sweeping(context: WebContext, seconds: float = SWEEP_SECONDS) -> AsyncIterator[None]:
    """Run everything that is due without anybody asking while the block runs, for a website without the bot.

    What players wait for never waits for what is slow.
    """
    steps, matches = context.steps, context.matches
    prompt = Sweeps(list_prompt_sweeps(matches), steps.run)
    slow = Sweeps(list_slow_sweeps(matches), steps.run)
    async with (
        repeating(steps.repeat("sweep", lambda: prompt.run(context.now()), seconds)),
        repeating(steps.repeat("tidy", lambda: slow.run(context.now()), seconds)),
    ):
        yield


@asynccontextmanager
async def clock_heartbeats(context: WebContext) -> AsyncIterator[None]:
    """Record while the block runs that players can reach the website: time stands in its matches otherwise.

    The first heartbeat is recorded before the block runs, so that nobody acts before a downtime is counted.
    """

    async def beat() -> None:
        await context.matches.clocks.heartbeat(context.now(), WEBSITE_COVERAGE)

    await context.steps.run("clock_heartbeat", beat)
    async with repeating(context.steps.repeat("clock_heartbeat", beat, HEARTBEAT_SECONDS)):
        yield


@asynccontextmanager
async def heartbeat(context: WebContext, database: Database, path: Path) -> AsyncIterator[None]:
    """Touch a file every few seconds while the block runs and the database answers."""

    async def beat() -> None:
        await database.check()
        touch_heartbeat(path)

    async with repeating(context.steps.repeat("health_file", beat, HEARTBEAT_SECONDS)):
        yield


@asynccontextmanager
async def repeating(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run work without an end while the block runs."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
