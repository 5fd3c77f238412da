"""Sends due announcements side by side, one at a time for each destination.

A channel that does not answer delays only its own posts. Announcements are claimed a few at a time, so that
another process takes over what is left when this one ends.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars

from matches import DISCORD, AnnouncementUnknown, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.context import BotClient
    from matches import Announcement, AnnouncementId

log = structlog.stdlib.get_logger(__name__)

CONCURRENT = 32  # announcements that are sent at once
SLOW_SECONDS = 5.0  # one that takes longer is not counted among these,
MAX_CONCURRENT = 256  # but among these
REFILL_SECONDS = 0.1  # between two claims while announcements are being sent
RENEWAL_SECONDS = 3.0  # between two renewals of the claims of what is still being sent


@dataclass(frozen=True, slots=True)
class _Delivery:
    """An announcement that is being sent since `start`, on the event loop's clock."""

    start: float
    task: asyncio.Task[None]
    announcement: Announcement


class Deliveries:
    """The announcements that are being sent. `send` sends one, and records a failure itself."""

    def __init__(self, client: BotClient, send: Callable[[Announcement], Awaitable[None]]) -> None:
        self._client = client
        self._send = send
        self._running: dict[str, _Delivery] = {}  # by destination
        self._watched: dict[AnnouncementId, asyncio.Future[None]] = {}
        self._claiming = asyncio.Lock()
        self._changed = asyncio.Event()

    def watch(self, announcement: AnnouncementId) -> asyncio.Future[None]:
        """Return a future that is done when this process has sent the announcement, or failed to."""
        delivered = self._watched[announcement] = asyncio.get_running_loop().create_future()
        return delivered

    def unwatch(self, announcement: AnnouncementId) -> None:
        """Forget the future of :meth:`watch`."""
        self._watched.pop(announcement, None)

    def wake(self) -> None:
        """End :meth:`wait` early: something became due."""
        self._changed.set()

    async def wait(self, seconds: float) -> None:
        """Wait until more can be sent, at most `seconds`."""
        self._changed.clear()
        try:
            async with asyncio.timeout(SLOW_SECONDS if self._running else seconds):
                await self._changed.wait()
                await asyncio.sleep(REFILL_SECONDS)
        except TimeoutError:
            return

    async def start_due(self) -> int:
        """Claim due announcements and start sending them; return how many. Raises StorageUnavailable."""
        async with self._claiming:
            if self._is_closing() or not (free := self._free()):
                return 0
            claimed = await self._client.matches.announcements.claim_due(
                DISCORD, now=self._client.now(), limit=free, busy=frozenset(self._running)
            )
            if self._is_closing():
                return 0  # they are due again when their lease ends
            for announcement in claimed:
                task = self._client.in_flight.start(self._deliver(announcement))
                task.add_done_callback(partial(self._forget, announcement))
                self._running[announcement.destination] = _Delivery(
                    asyncio.get_running_loop().time(), task, announcement
                )
            return len(claimed)

    async def renew(self) -> None:
        """Keep the claims of what is still being sent. Raises StorageUnavailable."""
        if self._running:
            slow = [delivery.announcement for delivery in self._running.values()]
            await self._client.matches.announcements.renew(slow, now=self._client.now())

    async def wait_to_renew(self, _seconds: float) -> None:
        """Wait until the claims must be renewed: long before another process takes over."""
        await asyncio.sleep(RENEWAL_SECONDS)

    async def finish_due(self) -> None:
        """Send everything that is due; wait until it was sent or has failed. Raises StorageUnavailable."""
        while await self.start_due() or self._running:
            tasks = [delivery.task for delivery in self._running.values()]
            if tasks:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    async def cancel(self) -> None:
        """Stop sending. What was claimed becomes due again when its lease ends."""
        tasks = [delivery.task for delivery in self._running.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _is_closing(self) -> bool:
        return self._client.in_flight.is_closing

    def _free(self) -> int:
        """Return how many more announcements may be sent now: others are left to other processes."""
        young_after = asyncio.get_running_loop().time() - SLOW_SECONDS
        young = sum(delivery.start > young_after for delivery in self._running.values())
        room = self._client.pace.room()
        return max(0, min(CONCURRENT - young, MAX_CONCURRENT - len(self._running), room))

    async def _deliver(self, announcement: Announcement) -> None:
        _bind_log(announcement)
        try:
            await self._send(announcement)
        except StorageUnavailable as error:
            log.warning("outbox.storage", error=str(error))
        except AnnouncementUnknown:  # it was to somebody whose data were erased meanwhile
            log.info("announcement.gone", announcement=announcement.id)
        except Exception:
            log.exception("outbox.failed", announcement=announcement.id)

    def _forget(self, announcement: Announcement, _task: asyncio.Task[None]) -> None:
        del self._running[announcement.destination]
        self._changed.set()
        watching = self._watched.get(announcement.id)
        if watching is not None and not watching.done():
            watching.set_result(None)


def _bind_log(announcement: Announcement) -> None:
    """Name the announcement and its request in what this task logs, not the one that happened to start it."""
    clear_contextvars()
    values = {
        "announcement": announcement.id,
        "match": announcement.match,
        "request": announcement.request,
    }
    bind_contextvars(**{name: value for name, value in values.items() if value is not None})
