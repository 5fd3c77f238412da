"""The pace of the outbox's requests: Discord allows a bot 50 requests a second, answers not counted.

discord.py follows the limits of single routes, but notices this one only after Discord has refused a request.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.context import BotClient

log = structlog.stdlib.get_logger(__name__)

REQUESTS_PER_SECOND = 45  # the rest is for what the bot does besides
BURST = 10  # requests that may follow each other without a pause
PUBLIC_RESERVE = 5  # of these, what direct messages leave to public posts
ROUNDING = 1e-6  # of a request; less than that is not missing
MAX_STOP = timedelta(minutes=1)  # of all requests


class RequestPace:
    """Spreads requests over time; `clock` returns seconds that only grow."""

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._clock = asyncio.get_running_loop().time if clock is None else clock
        self._available = float(BURST)
        self._updated = self._clock()

    def delay(self, *, private: bool) -> float:
        """Take the right to send one request; return how many seconds to wait before sending it.

        If that is more than 0, nothing was taken: ask again after the delay.
        """
        now = self._clock()
        self._available = min(BURST, self._available + (now - self._updated) * REQUESTS_PER_SECOND)
        self._updated = now
        missing = 1 + (PUBLIC_RESERVE if private else 0) - self._available
        if missing < ROUNDING:
            self._available -= 1
            return 0
        return missing / REQUESTS_PER_SECOND

    async def wait(self, *, private: bool) -> None:
        """Wait until one more request may be sent; public posts come before private ones."""
        while delay := self.delay(private=private):  # noqa: ASYNC110 - only time can end this
            await asyncio.sleep(delay)


class GlobalLimit:
    """Lets requests go on if discord.py has stopped them all for good.

    After a refusal for the whole bot, discord.py stops all requests until the refused one has waited. If that
    one is cancelled meanwhile, by the timeout of a post for example, nothing starts them again.
    """

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._stopped_at: datetime | None = None

    def check(self) -> None:
        """Call this regularly; what has been stopped for MAX_STOP is started again."""
        running = self._client.http._global_over  # noqa: SLF001 - there is no other way
        if running.is_set():
            self._stopped_at = None
        elif self._stopped_at is None:
            self._stopped_at = self._client.now()
        elif self._client.now() - self._stopped_at >= MAX_STOP:
            log.warning("outbox.limit_lifted")
            running.set()
