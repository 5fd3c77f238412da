"""The turns in hand: counted, so that a shutdown can wait for the last of them."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Hands:
    """Counts the interactions being answered, and takes no more once it is `closing`."""

    def __init__(self) -> None:
        self.closing = False
        self._held = 0
        self._empty = asyncio.Event()
        self._empty.set()

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Hold one interaction while the block runs."""
        self._held += 1
        self._empty.clear()
        try:
            yield
        finally:
            self._held -= 1
            if not self._held:
                self._empty.set()

    async def idle(self) -> None:
        """Wait until nothing is in hand."""
        await self._empty.wait()

    async def finish(self, seconds: float) -> bool:
        """Take nothing more; wait until all is done, at most `seconds`. Tell whether it was."""
        self.closing = True
        try:
            await asyncio.wait_for(self.idle(), seconds)
        except TimeoutError:
            return False
        return True
