"""Work beside the requests: packing, the heartbeat file, and what operators see of the website."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog

from matches import StorageUnavailable
from runtime.heartbeat import touch_heartbeat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from matches import Database
    from metrics.monitor import Monitor
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

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
        await asyncio.sleep(seconds)
        try:
            await context.matches.work.packing.pack(now=context.now())
        except StorageUnavailable as error:
            log.warning("web.storage", error=str(error))

    async with _repeating(pack):
        yield


@asynccontextmanager
async def heartbeat(database: Database, path: Path) -> AsyncIterator[None]:
    """Touch a file every few seconds while the block runs and the database answers."""

    async def beat() -> None:
        try:
            await database.check()
            touch_heartbeat(path)
        except (StorageUnavailable, OSError) as error:
            log.warning("web.unhealthy", error=str(error))
        await asyncio.sleep(HEARTBEAT_SECONDS)

    async with _repeating(beat):
        yield


@asynccontextmanager
async def _repeating(work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Do some work again and again while the block runs."""

    async def repeat() -> None:
        while True:
            await work()

    task = asyncio.create_task(repeat())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
