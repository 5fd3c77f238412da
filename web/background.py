"""Work beside the requests: packing, the heartbeat file, and what operators see of the website."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from runtime.heartbeat import touch_heartbeat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

    from matches import Database
    from metrics.monitor import Monitor
    from web.context import WebContext

PACK_SECONDS = 5
HEARTBEAT_SECONDS = 15.0


def watch_website(monitor: Monitor, context: WebContext) -> None:
    """Have a monitor report the number of open event streams."""

    async def report() -> None:
        context.matches.metrics.set_gauges({"streams": context.stream_limiter.open_count})

    monitor.probes.append(report)


@asynccontextmanager
async def packing(context: WebContext, seconds: float = PACK_SECONDS) -> AsyncIterator[None]:
    """Pack matches that have long been over while the block runs, for a website without the bot."""

    async def pack() -> None:
        await context.matches.work.packing.pack(now=context.now())

    async with repeating(context.steps.repeat("pack_matches", pack, seconds)):
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
