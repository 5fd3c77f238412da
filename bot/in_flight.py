"""The turns in hand: counted, so that a shutdown can wait for the last of them."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class InFlight:
    """Counts the interactions being answered, and takes no more once it is `is_closing`."""

    def __init__(self) -> None:
        self.is_closing = False
        self._count = 0
        self._nothing_left = asyncio.Event()
        self._nothing_left.set()

    @contextmanager
    def track(self) -> Iterator[None]:
        """Hold one interaction while the block runs."""
        self._count += 1
        self._nothing_left.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._nothing_left.set()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is in hand."""
        await self._nothing_left.wait()

    async def drain(self, seconds: float) -> bool:
        """Take nothing more; wait until all is done, at most `seconds`. Tell whether it was."""
        self.is_closing = True
        try:
            await asyncio.wait_for(self.wait_until_idle(), seconds)
        except TimeoutError:
            return False
        return True
