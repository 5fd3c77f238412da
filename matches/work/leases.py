"""Work that one process at a time does, of all that share a database."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.clocks.uptime import duration_to_millis
from storage.work import leases

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from storage import Database

POLL_INTERVAL = timedelta(seconds=1)  # between two looks at what another process is doing


@dataclass(frozen=True, slots=True)
class Membership:
    """A process in a group: the weight of all `others`, and whether it was not in the group before."""

    others: int
    is_new: bool


class Leases:
    """Leases with names. One ends by itself; its owner may prolong it by claiming it again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, name: str, owner: str, duration: timedelta) -> timedelta:
        """Take a lease, and return 0; or return for how long somebody else has it."""
        async with self._database.transaction() as connection:
            left = await leases.claim(connection, name, owner, duration_to_millis(duration))
        return timedelta(milliseconds=left)

    async def join(self, group: str, owner: str, weight: int, duration: timedelta) -> Membership:
        """Be in a group for `duration`; call it again well before that. Most calls only read.

        Of two processes that join at the same time, at least the later one sees the other.
        """
        name, least = _member_name(group, owner, weight), duration_to_millis(duration) // 3
        members = await self._list_members(group)
        is_new = name not in members
        if members.get(name, 0) < least:
            async with self._database.transaction() as connection:
                await leases.delete_ended(connection, group)
                await leases.claim(connection, name, owner, duration_to_millis(duration))
            members = await self._list_members(group)
        others = sum(int(member.split(":")[1]) for member in members if member != name)
        return Membership(others, is_new)

    async def leave(self, group: str, owner: str, weight: int) -> None:
        """Leave a group."""
        async with self._database.transaction() as connection:
            await leases.delete_lease(connection, _member_name(group, owner, weight))

    async def _list_members(self, group: str) -> dict[str, int]:
        async with self._database.read() as connection:
            return await leases.list_current(connection, group)

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
        try:
            await work()
        except Exception:
            await self.claim(name, owner, timedelta(0))  # others need not wait before they try
            raise
        await self._release(name, owner, digest)
        return True

    async def _is_done(self, name: str, digest: str) -> bool:
        async with self._database.read() as connection:
            return await leases.get_done(connection, name) == digest

    async def _release(self, name: str, owner: str, digest: str) -> None:
        async with self._database.transaction() as connection:
            await leases.release(connection, name, owner, digest)


def _member_name(group: str, owner: str, weight: int) -> str:
    return f"{group}:{weight}:{owner}"
