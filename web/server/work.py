"""Costly work for visitors, in threads: few at a time, clients in turn, and none for those who have left.

A thread that computes takes time from the event loop, and so from everybody. What costs more than a few
milliseconds therefore goes through a queue: each client has a place in the round, however much it asks for.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, TypeVar

from web.server.limits import TooManyRequests

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

Result = TypeVar("Result")

RETRY_SECONDS = 5


class WorkQueue:
    """Runs work in threads, at most `workers` pieces at once; `per_client` and `total` pieces may wait."""

    def __init__(self, *, workers: int = 1, per_client: int, total: int) -> None:
        self._free = workers
        self._per_client = per_client
        self._total = total
        self._count = 0  # of the pieces that wait
        # By client, the one whose turn is next first.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def run(self, request: web.Request, client: str, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, which runs once it is the turn of `client`.

        Raises TooManyRequests if too much waits, or if the client has left meanwhile: then nothing is done.
        """
        await self._wait_for_turn(client)
        if request.transport is None or request.transport.is_closing():
            self._pass_on()
            raise TooManyRequests(RETRY_SECONDS)
        running = asyncio.get_running_loop().run_in_executor(None, work)
        # A thread goes on when the request is cancelled, and so keeps its place until it has ended.
        running.add_done_callback(lambda _: self._pass_on())
        return await asyncio.shield(running)

    async def _wait_for_turn(self, client: str) -> None:
        if self._free:
            self._free -= 1
            return
        waiting = self._waiting.setdefault(client, deque())
        if len(waiting) >= self._per_client or self._count >= self._total:
            if not waiting:
                del self._waiting[client]
            raise TooManyRequests(RETRY_SECONDS)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give a free place to the next client that waits."""
        while self._waiting:
            client, waiting = self._waiting.popitem(last=False)
            turn = waiting.popleft()
            self._count -= 1
            if waiting:
                self._waiting[client] = waiting
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
