"""Opening sessions at Discord's gateway, spaced out over all processes of the bot.

Discord allows one session in five seconds for each bucket, which is shard_id % max_concurrency, and 1,000 a
day. The bucket is a lease in the database, so that processes that start at once take turns.
"""

from __future__ import annotations

import asyncio
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog

from matches import StorageUnavailable

if TYPE_CHECKING:
    from matches import Leases

log = structlog.stdlib.get_logger(__name__)

# Discord counts five seconds; the rest is for requests that take longer to arrive than the one before.
IDENTIFY_INTERVAL = timedelta(seconds=5.5)


class IdentifyQueue:
    """Waits until a shard may open a session; `interval` is the time between two of one bucket.

    `max_concurrency` is the number of buckets, 1 until Discord has been asked.
    """

    def __init__(self, leases: Leases, interval: timedelta) -> None:
        self.max_concurrency = 1
        self._leases = leases
        self._interval = interval
        self._owners: dict[int, str] = {}

    async def reserve(self, shard: int) -> None:
        """Wait for the turn of a shard, before it connects: Discord drops a connection that waits long."""
        self._owners[shard] = owner = secrets.token_hex(8)
        await self._claim(shard, owner)

    async def confirm(self, shard: int) -> None:
        """Start the interval again when the session is opened; wait if the turn has passed meanwhile."""
        await self._claim(shard, self._owners.pop(shard, "") or secrets.token_hex(8))

    async def _claim(self, shard: int, owner: str) -> None:
        name = f"identify:{shard % self.max_concurrency}"
        if not self._interval:
            return
        try:
            while left := await self._leases.claim(name, owner, self._interval):
                log.debug("identify.waiting", shard=shard, seconds=left.total_seconds())
                await asyncio.sleep(left.total_seconds())
        except StorageUnavailable as error:
            log.warning("identify.unspaced", shard=shard, error=str(error))
            await asyncio.sleep(self._interval.total_seconds())
