"""Packing of finished matches in the background, for a website without the bot."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog

from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

PACK_SECONDS = 5


@asynccontextmanager
async def packing(context: WebContext, seconds: float = PACK_SECONDS) -> AsyncIterator[None]:
    """Pack matches that have been over for long enough every few seconds while the block runs."""
    task = asyncio.create_task(_pack_regularly(context, seconds))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _pack_regularly(context: WebContext, seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await context.matches.work.packing.pack(now=context.now())
        except StorageUnavailable as error:
            log.warning("web.storage", error=str(error))
