"""A queue in which everybody has their turn, however much some ask for."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict, deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class QueueFull(Exception):  # noqa: N818 - a refusal, not a programming error
    """A client cannot wait: too many do; with `is_own` too many of its own."""

    def __init__(self, *, is_own: bool) -> None:
        super().__init__("too many wait")
        self.is_own = is_own


class FairQueue:
    """Lets one work at a time, while the others wait; clients take turns.

    At most `per_client` of one client wait, and `total` of all, but one of each client in any case: those
    who already wait cannot keep everybody else out.
    """

    def __init__(self, *, per_client: int = sys.maxsize, total: int = sys.maxsize) -> None:
        self._per_client = per_client
        self._total = total
        self._is_free = True
        self._count = 0
        # By client, the one that is next first.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def __len__(self) -> int:
        """Return how many wait."""
        return self._count

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Enter the context when it is the turn of a client. Raises QueueFull."""
        await self._wait(client)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, client: str) -> None:
        if self._is_free:
            self._is_free = False
            return
        if len(self._waiting.get(client, ())) >= self._per_client:
            raise QueueFull(is_own=True)
        if self._count >= self._total and client in self._waiting:
            raise QueueFull(is_own=False)
        place = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(place)
        self._count += 1
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._leave(client, place)
            else:
                self._pass_on()
            raise

    def _leave(self, client: str, place: asyncio.Future[None]) -> None:
        places = self._waiting.get(client, ())
        if place in places:
            self._count -= 1
            self._waiting[client].remove(place)
            if not places:
                del self._waiting[client]

    def _pass_on(self) -> None:
        """Let the next client that waits have its turn."""
        while self._waiting:
            client, places = self._waiting.popitem(last=False)
            place = places.popleft()
            self._count -= 1
            if places:
                self._waiting[client] = places
            if not place.done():
                place.set_result(None)
                return
        self._is_free = True
