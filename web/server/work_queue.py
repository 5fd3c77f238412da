"""Work that takes longer than a few milliseconds, such as drawing: little at once, and clients take turns.

Python runs one thread at a time, so everything that is computed beside the event loop makes it slower, also
for the bot in the same process. So a request waits here for its turn, and only as long as its client does.
"""

from __future__ import annotations

import asyncio
import contextvars
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from runtime.fair_queue import FairQueue, QueueFull
from web.server.connections import notify_lost
from web.server.limits import TooManyRequests

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from aiohttp import web

Result = TypeVar("Result")


class ClientGone(Exception):  # noqa: N818 - not a programming error
    """The client of a request has closed its connection, so nothing more is done for it."""


class Overloaded(Exception):  # noqa: N818 - a refusal, not a programming error
    """Too many clients wait; a new one can try again after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"try again in {seconds} s")
        self.seconds = seconds


class WorkQueue:
    """Lets one request work at a time, in a thread of its own; the others wait.

    Clients take turns, however many requests each has. At most `per_client` requests of one client wait, and
    `total` of all; one too many is told to try again after `retry_seconds`.
    """

    def __init__(self, name: str, *, per_client: int, total: int, retry_seconds: int) -> None:
        self._queue = FairQueue(per_client=per_client, total=total)
        self._retry_seconds = retry_seconds
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)

    def __len__(self) -> int:
        """Return how many requests wait."""
        return len(self._queue)

    async def run(self, client: str, request: web.Request, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, which is called in a thread when it is the request's turn.

        Raises ClientGone, TooManyRequests, Overloaded.
        """
        async with self.turn(client, request):
            return await self.in_thread(work)

    async def in_thread(self, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, called in the thread, for a request whose turn it is.

        Texts are in the language of the request.
        """
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._executor, context.run, work)

    @asynccontextmanager
    async def turn(self, client: str, request: web.Request) -> AsyncIterator[None]:
        """Enter the context when it is the turn of a request; it is cancelled when the client goes.

        Raises ClientGone, TooManyRequests, Overloaded.
        """
        task, is_gone = asyncio.current_task(), False
        assert task is not None  # noqa: S101 - a handler runs in a task
        if request.transport is None:
            raise ClientGone

        def cancel() -> None:
            nonlocal is_gone
            is_gone = task.cancel()

        with notify_lost(request, cancel):
            try:
                async with self._queue.turn(client):
                    yield
            except QueueFull as error:
                refusal = TooManyRequests if error.is_own else Overloaded
                raise refusal(self._retry_seconds) from None
            except asyncio.CancelledError:
                if is_gone and not task.uncancel():
                    raise ClientGone from None
                raise

    def close(self) -> None:
        """Start nothing more in the thread."""
        self._executor.shutdown(wait=False, cancel_futures=True)
