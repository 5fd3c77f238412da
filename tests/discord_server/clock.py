"""The server's clock: real time plus an offset that tests can advance."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

DISCORD_EPOCH_MS = 1_420_070_400_000


@dataclass(eq=False, slots=True)
class Timer:
    """A callback that runs at `due` (seconds since 1970 on this clock) unless cancelled."""

    due: float
    action: Callable[[], None]
    clock: DiscordClock
    handle: asyncio.TimerHandle | None = None

    def cancel(self) -> None:
        if self.handle is not None:
            self.handle.cancel()
        self.clock.discard(self)

    def fire(self) -> None:
        self.clock.discard(self)
        self.action()


class DiscordClock:
    """Time, timers and snowflakes. `advance` immediately runs every timer that becomes due."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._timers: set[Timer] = set()
        self._last_snowflake = 0

    def time(self) -> float:
        return time.time() + self._ahead

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)

    def timestamp(self) -> str:
        """Return the current time in Discord's timestamp format."""
        return self.now().isoformat(timespec="microseconds")

    def snowflake(self) -> int:
        """Return a new id, greater than all previous ones, whose upper bits are the time in milliseconds."""
        candidate = (int(self.time() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last_snowflake = max(candidate, self._last_snowflake + 1)
        return self._last_snowflake

    def call_later(self, seconds: float, action: Callable[[], None]) -> Timer:
        timer = Timer(self.time() + seconds, action, self)
        self._timers.add(timer)
        timer.handle = asyncio.get_running_loop().call_later(seconds, timer.fire)
        return timer

    def discard(self, timer: Timer) -> None:
        self._timers.discard(timer)

    def advance(self, seconds: float) -> None:
        self._ahead += seconds
        loop = asyncio.get_running_loop()
        for timer in sorted(self._timers, key=lambda one: one.due):
            if timer.handle is not None:
                timer.handle.cancel()
            remaining = timer.due - self.time()
            if remaining <= 0:
                timer.fire()
            else:
                timer.handle = loop.call_later(remaining, timer.fire)

    def stop(self) -> None:
        for timer in tuple(self._timers):
            timer.cancel()
