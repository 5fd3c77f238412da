"""Waiting for conditions, driven by the server's events instead of sleeping."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

# Seconds before a wait gives up: much longer than anything takes, also on a slow machine under load.
PATIENCE = 120.0


class Signal:
    """Wakes all waiters whenever anything has changed."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def until(self, predicate: Callable[[], T], seconds: float, what: str) -> T:
        """Return the predicate's first true value; raises `TimeoutError` with `what` if none came in time."""
        try:
            async with asyncio.timeout(seconds):
                return await self._first(predicate)
        except TimeoutError:
            raise TimeoutError(f"timed out after {seconds:g} s waiting for {what}") from None

    async def _first(self, predicate: Callable[[], T]) -> T:
        while not (value := predicate()):
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            try:
                await waiter
            finally:
                self._waiters.discard(waiter)
        return value
