"""Costly work for visitors, in threads: few at a time, clients in turn, and none for those who have left.

A thread that computes takes time from the event loop, and so from everybody. What costs more than a few
milliseconds therefore goes through a queue: each client has a place in the round, however much it asks for.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from web.server.limits import TooManyRequests

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

Result = TypeVar("Result")

RETRY_SECONDS = 5


@dataclass(slots=True, eq=False)
class _Piece:
    """Work that waits: for whom, and whether it got a place (True) or its client has left (False)."""

    request: web.Request
    turn: asyncio.Future[bool]

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for it."""
        return not self.turn.done() and not _has_left(self.request)


class WorkQueue:
    """Runs work in threads, at most `workers` pieces at once; `per_client` and `total` pieces may wait.

    A client of whom nothing waits may always wait with one piece, so that nobody can keep others out.
    """

    def __init__(self, *, workers: int = 1, per_client: int, total: int) -> None:
        self._free = workers
        self._per_client = per_client
        self._total = total
        self._count = 0  # of the pieces that wait
        # By client, the one whose turn is next first.
        self._waiting: OrderedDict[str, deque[_Piece]] = OrderedDict()

    @property
    def waiting_count(self) -> int:
        """The number of pieces that wait."""
        return self._count

    async def run(self, request: web.Request, client: str, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, which runs once it is the turn of `client`.

        Raises TooManyRequests if too much waits, or if the client has left meanwhile: then nothing is done.
        """
        await self._wait_for_turn(request, client)
        if _has_left(request):
            self._pass_on()
            raise TooManyRequests(RETRY_SECONDS)
        running = asyncio.get_running_loop().run_in_executor(None, work)
        # A thread goes on when the request is cancelled, and so keeps its place until it has ended.
        running.add_done_callback(lambda _: self._pass_on())
        return await asyncio.shield(running)

    async def _wait_for_turn(self, request: web.Request, client: str) -> None:
        if self._free:
            self._free -= 1
            return
        waiting = self._waiting.get(client, deque())
        self._drop_unwanted(waiting)
        if waiting and (len(waiting) >= self._per_client or self._count >= self._total):
            raise TooManyRequests(RETRY_SECONDS)
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting.append(_Piece(request, turn))
        self._waiting.setdefault(client, waiting)
        self._count += 1
        try:
            has_place = await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.result():
                self._pass_on()
            raise
        if not has_place:
            raise TooManyRequests(RETRY_SECONDS)

    def _pass_on(self) -> None:
        """Give a free place to the next client that waits."""
        while self._waiting:
            client, waiting = self._waiting.popitem(last=False)
            self._drop_unwanted(waiting)
            if waiting:
                piece = waiting.popleft()
                self._count -= 1
                if waiting:
                    self._waiting[client] = waiting
                piece.turn.set_result(True)
                return
        self._free += 1

    def _drop_unwanted(self, waiting: deque[_Piece]) -> None:
        """Remove the pieces for which nobody waits any more, so that they take no turn of their client."""
        for piece in [one for one in waiting if not one.is_wanted]:
            waiting.remove(piece)
            self._count -= 1
            if not piece.turn.done():
                piece.turn.set_result(False)


def _has_left(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()
