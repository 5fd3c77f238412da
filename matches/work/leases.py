"""Work that one process at a time does, of all that share a database."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.clocks.uptime import duration_to_millis
from storage.work import leases

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from storage import Database

POLL_INTERVAL = timedelta(seconds=1)  # between two looks at what another process is doing


class Leases:
    """Leases with names. One ends by itself; its owner may prolong it by claiming it again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, name: str, owner: str, duration: timedelta) -> timedelta:
        """Take a lease, and return 0; or return for how long somebody else has it."""
        async with self._database.transaction() as connection:
            left = await leases.claim(connection, name, owner, duration_to_millis(duration))
        return timedelta(milliseconds=left)

    async def run_once(
        self, name: str, subject: str, work: Callable[[], Awaitable[object]], duration: timedelta
    ) -> bool:
        """Run work for a subject unless it was last run for the same; return whether this process ran it.

        If another process is running it, wait for that. If it takes longer than `duration`, or its process
        dies, it may be run again.
        """
        digest, owner = hashlib.sha256(subject.encode()).hexdigest(), secrets.token_hex(8)
        if await self._is_done(name, digest):
            return False
        while left := await self.claim(name, owner, duration):  # noqa: ASYNC110 - only time can end this
            await asyncio.sleep(min(left, POLL_INTERVAL).total_seconds())
        if await self._is_done(name, digest):
            await self._release(name, owner, digest)
            return False
        await work()
        await self._release(name, owner, digest)
        return True

    async def _is_done(self, name: str, digest: str) -> bool:
        async with self._database.read() as connection:
            return await leases.get_done(connection, name) == digest

    async def _release(self, name: str, owner: str, digest: str) -> None:
        async with self._database.transaction() as connection:
            await leases.release(connection, name, owner, digest)
