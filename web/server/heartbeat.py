"""The heartbeat file of a website that is one of several processes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog

from matches import StorageUnavailable
from runtime.heartbeat import touch_heartbeat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from matches import Database

log = structlog.stdlib.get_logger(__name__)

HEARTBEAT_SECONDS = 15.0


@asynccontextmanager
async def heartbeat(database: Database, path: Path) -> AsyncIterator[None]:
    """Touch a file every few seconds while the block runs and the database answers."""
    task = asyncio.create_task(_beat(database, path))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _beat(database: Database, path: Path) -> None:
    while True:
        try:
            await database.check()
            touch_heartbeat(path)
        except (StorageUnavailable, OSError) as error:
            log.warning("web.unhealthy", error=str(error))
        await asyncio.sleep(HEARTBEAT_SECONDS)
