"""How fast a process does work in the background that takes processor time from players."""

from __future__ import annotations

import asyncio
import time

BESIDE_PLAYERS = 0.15  # seconds between two mails or pushes of a process that answers players too


class Pace:
    """Lets one after the other begin, `seconds` apart; nobody waits after a pause, or without seconds."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._next = 0.0  # on the monotonic clock

    async def wait(self) -> None:
        """Wait until the next one may begin."""
        async with self._lock:
            left = self._next - time.monotonic()
            if left > 0:
                await asyncio.sleep(left)
            self._next = time.monotonic() + self._seconds
