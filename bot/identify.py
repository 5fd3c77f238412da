"""Opening sessions at Discord's gateway, spaced out over all processes of the bot.

Discord allows one session in five seconds for each bucket, which is shard_id % max_concurrency, and 1,000 a
day; it resets the token of a bot that opens more. The bucket is a lease in the database, so that processes
that start at once take turns. How many are left today is asked of Discord before each.
"""

from __future__ import annotations

import asyncio
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from discord import SessionStartLimits

    from matches import Leases

log = structlog.stdlib.get_logger(__name__)

# Discord counts five seconds; the rest is for requests that take longer to arrive than the one before.
IDENTIFY_INTERVAL = timedelta(seconds=5.5)
RETRY_SECONDS = 1.0  # at least, between two questions how many sessions are left


class IdentifyQueue:
    """Waits until a shard may open a session; `interval` is the time between two of one bucket.

    `fetch_limits` asks Discord how many sessions are left today. `max_concurrency` is the number of buckets,
    1 until it has been asked.
    """

    def __init__(
        self,
        leases: Leases,
        interval: timedelta,
        fetch_limits: Callable[[], Awaitable[SessionStartLimits]],
    ) -> None:
        self.max_concurrency = 1
        self._leases = leases
        self._interval = interval
        self._fetch_limits = fetch_limits
        self._owners: dict[int, str] = {}
        self._asking = asyncio.Lock()  # so that one shard waits and logs, and the others wait for it

    async def reserve(self, shard: int) -> None:
        """Wait for the turn of a shard, before it connects: Discord drops a connection that waits long."""
        self._owners[shard] = owner = secrets.token_hex(8)
        await self._claim(shard, owner)
        await self.wait_for_sessions(1)

    async def wait_for_sessions(self, needed: int) -> None:
        """Wait until Discord allows this many sessions today, and as many more as could be opened at once."""
        async with self._asking:
            while seconds := await self._seconds_to_wait(needed):  # noqa: ASYNC110 - only time can end this
                await asyncio.sleep(seconds)

    async def _seconds_to_wait(self, needed: int) -> float:
        try:
            limits = await self._fetch_limits()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("identify.unanswered", error=repr(error.__cause__ or error))
            return RETRY_SECONDS
        self.max_concurrency = limits.max_concurrency
        if limits.remaining >= min(needed + self.max_concurrency, limits.total):
            return 0
        seconds = limits.reset_after / 1000
        log.error("identify.exhausted", remaining=limits.remaining, needed=needed, seconds=seconds)
        return max(seconds, RETRY_SECONDS)

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
