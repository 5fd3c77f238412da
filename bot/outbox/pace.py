"""The pace of requests: Discord allows a bot 50 a second, in all its processes together.

Answers to interactions do not count. discord.py follows the limits of single routes, but notices this one
only after Discord has refused a request. So every other request waits for its turn here, before it is sent.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from datetime import datetime

    from discord.http import HTTPClient

    from matches import Leases

log = structlog.stdlib.get_logger(__name__)

DISCORDS_LIMIT = 50  # requests in any second
# What all processes together take of the limit in a second, how much of it at once, and after a pause. The
# rest is for what a process sends before it has agreed with the others.
RATE, BURST = 0.8, 0.16
START_RATE, START_BURST = 0.02, 0.1  # of one process until then
GROUP = "requests"
SHARE_LEASE = timedelta(seconds=45)  # after which the share of a process that was killed is free
JOIN_SECONDS = 6.0  # until all others have noticed a process that joins: they look every three seconds
UNLIMITED = re.compile(r"/(interactions|webhooks)/\d+/[^/]+")  # paths of answers
ROUNDING = 1e-6  # of a request; less than that is not missing
MAX_STOP = timedelta(minutes=1)  # of all requests
QUEUE_SECONDS = 5.0  # how long a new request should wait at most: a post needs several, and has a timeout


class Priority(Enum):
    """How urgent a request is: the part of the burst that it leaves to those that are more urgent."""

    ANSWER = 0.0  # somebody waits for an answer
    POST = 0.25  # a post that everybody sees
    BACKGROUND = 0.5  # direct messages, old boards, threads


_priority = ContextVar("priority", default=Priority.ANSWER)


@contextmanager
def prioritized(priority: Priority) -> Iterator[None]:
    """Send requests with this priority in the block."""
    token = _priority.set(priority)
    try:
        yield
    finally:
        _priority.reset(token)


class RequestPace:
    """Spreads requests over time. `limit` is the number of requests that Discord allows in a second.

    `clock` returns seconds that only grow, `sleep` waits for seconds. Until :meth:`set_share` only the few
    requests of a start are sent.
    """

    def __init__(
        self,
        limit: float = DISCORDS_LIMIT,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.clock = asyncio.get_running_loop().time if clock is None else clock
        self._limit = limit
        self._sleep = sleep
        self._turns = {priority: asyncio.Lock() for priority in Priority}
        self._rate, self._burst = limit * START_RATE, limit * START_BURST
        self._available = self._burst
        self._updated = self.clock()
        self._waiting = 0

    def set_share(self, share: float) -> None:
        """Set the part of the limit that this process may use, from 0 to 1."""
        self._refill()
        self._rate = self._limit * max(START_RATE, RATE * share)
        self._burst = max(1.0, self._limit * BURST * share)

    def room(self) -> int:
        """Return how many more requests can be sent within QUEUE_SECONDS, besides those that wait."""
        return max(0, int(self._rate * QUEUE_SECONDS) - self._waiting)

    def delay(self, priority: Priority) -> float:
        """Take the right to send one request; return how many seconds to wait before sending it.

        If that is more than 0, nothing was taken: ask again after the delay.
        """
        self._refill()
        missing = 1 + priority.value * (self._burst - 1) - self._available
        if missing < ROUNDING:
            self._available -= 1
            return 0
        return missing / self._rate

    async def wait(self) -> None:
        """Wait until one more request may be sent, in the order of asking and the more urgent ones first."""
        priority = _priority.get()
        self._waiting += 1
        try:
            async with self._turns[priority]:
                while delay := self.delay(priority):
                    await self._sleep(delay)
        finally:
            self._waiting -= 1

    async def wait_for(self, path: str) -> None:
        """Wait until a request to a path may be sent."""
        if UNLIMITED.search(path) is None:
            await self.wait()

    def _refill(self) -> None:
        now = self.clock()
        self._available = min(self._burst, self._available + (now - self._updated) * self._rate)
        self._updated = now


class SharedPace:
    """Agrees with the other processes, through the database, on the share of each in the limit.

    `weight` is the need of this process next to the others'.
    """

    def __init__(self, leases: Leases, pace: RequestPace, weight: int) -> None:
        self._leases = leases
        self._pace = pace
        self._weight = weight
        self._name = secrets.token_hex(8)
        self._counts_from: float | None = None  # when all others have noticed this process

    async def negotiate(self) -> None:
        """Take the share that is this process's now; call this every few seconds. Raises StorageUnavailable.

        A process that joins others takes none before they have noticed it.
        """
        member = await self._leases.join(GROUP, self._name, self._weight, SHARE_LEASE)
        now = self._pace.clock()
        if self._counts_from is None or (member.is_new and member.others):
            if self._counts_from is not None:  # the database was away for longer than the lease
                self._pace.set_share(0)
            self._counts_from = now + (JOIN_SECONDS if member.others else 0)
        if now >= self._counts_from:
            self._pace.set_share(self._weight / (self._weight + member.others))

    async def leave(self) -> None:
        """Leave this process's share to the others. Raises StorageUnavailable."""
        await self._leases.leave(GROUP, self._name, self._weight)


class GlobalLimit:
    """Lets requests go on if discord.py has stopped them all for good.

    After a refusal for the whole bot, discord.py stops all requests until the refused one has waited. If that
    one is cancelled meanwhile, by the timeout of a post for example, nothing starts them again.
    """

    def __init__(self, http: HTTPClient, now: Callable[[], datetime]) -> None:
        self._http = http
        self._now = now
        self._stopped_at: datetime | None = None

    def check(self) -> None:
        """Call this regularly; what has been stopped for MAX_STOP is started again."""
        running = self._http._global_over  # noqa: SLF001 - there is no other way
        if running.is_set():
            self._stopped_at = None
        elif self._stopped_at is None:
            self._stopped_at = self._now()
        elif self._now() - self._stopped_at >= MAX_STOP:
            log.warning("outbox.limit_lifted")
            running.set()
