"""Limits per client: request rate and number of open streams. The memory for counting is bounded too."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


class TooManyRequests(Exception):  # noqa: N818 - a refusal, not a programming error
    """A client has exceeded a limit and can try again after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"try again in {seconds} s")
        self.seconds = seconds


@dataclass(slots=True)
class _Bucket:
    tokens: float
    updated_at: float


class RequestLimiter:
    """A token bucket per client: `burst` requests at once, `rate` per second in the long run.

    Only the `max_clients` most recent clients are remembered.
    """

    def __init__(self, *, rate: float = 20, burst: int = 120, max_clients: int = 4096) -> None:
        self._rate = rate
        self._burst = burst
        self._max_clients = max_clients
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def acquire(self, client: str, now: float) -> None:
        """Count one request of `client`; `now` is in seconds. Raises TooManyRequests."""
        bucket = self._buckets.pop(client, None) or _Bucket(self._burst, now)
        self._buckets[client] = bucket
        if len(self._buckets) > self._max_clients:
            self._buckets.popitem(last=False)
        bucket.tokens = min(self._burst, bucket.tokens + self._rate * max(0, now - bucket.updated_at))
        bucket.updated_at = now
        if bucket.tokens < 1:
            raise TooManyRequests(seconds=1 + int((1 - bucket.tokens) / self._rate))
        bucket.tokens -= 1


class TotalLimiter:
    """Limits how often something happens: for each client, and for all together."""

    def __init__(self, clients: RequestLimiter, total: RequestLimiter) -> None:
        self._clients = clients
        self._total = total

    def acquire(self, client: str, now: float) -> None:
        """Count once for `client`; `now` is in seconds. Raises TooManyRequests."""
        self._clients.acquire(client, now)
        self._total.acquire("", now)


class SignInLimiter(TotalLimiter):
    """Limits how often Discord is asked about an answer.

    Discord blocks an address that sends too many bad requests, and the bot may share it.
    """

    def __init__(self) -> None:
        super().__init__(RequestLimiter(rate=0.1, burst=20), RequestLimiter(rate=2, burst=60))


class MailLimiter(TotalLimiter):
    """Limits how often somebody asks for a code by mail, so that others go on to take mails from here."""

    def __init__(self) -> None:
        super().__init__(RequestLimiter(rate=0.01, burst=10), RequestLimiter(rate=0.5, burst=100))


class CodeLimiter(TotalLimiter):
    """Limits how often somebody types a code from a mail.

    A question takes few wrong answers, but many questions about many addresses would find a code sometime.
    """

    def __init__(self) -> None:
        super().__init__(RequestLimiter(rate=1 / 60, burst=20), RequestLimiter(rate=0.1, burst=200))


class PasskeyLimiter(TotalLimiter):
    """Limits how often answers of passkeys are checked."""

    def __init__(self) -> None:
        super().__init__(RequestLimiter(rate=0.1, burst=20), RequestLimiter(rate=10, burst=200))


class GuestLimiter(TotalLimiter):
    """Limits how many guests come, each of whom is stored for a day at least."""

    def __init__(self) -> None:
        hour = 3600
        super().__init__(RequestLimiter(rate=20 / hour, burst=20), RequestLimiter(rate=600 / hour, burst=600))


class StreamLimiter:
    """Allows `per_client` open streams for each client and `total` for all together."""

    def __init__(self, *, per_client: int = 12, total: int = 4096) -> None:
        self._per_client = per_client
        self._total = total
        self._open: dict[str, int] = {}
        self._count = 0

    @property
    def open_count(self) -> int:
        """The number of open streams."""
        return self._count

    @contextmanager
    def slot(self, client: str) -> Iterator[bool]:
        """Count one stream of `client` while the block runs; yield False for one too many, uncounted."""
        open_count = self._open.get(client, 0)
        if open_count >= self._per_client or self._count >= self._total:
            yield False
            return
        self._open[client] = open_count + 1
        self._count += 1
        try:
            yield True
        finally:
            self._count -= 1
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class HandlingLimiter:
    """Handles `per_client` requests of each client at once; further ones wait, in the order of their arrival.

    So the pages of one client, however many it asks for, leave the event loop to others in between.
    """

    def __init__(self, *, per_client: int = 8) -> None:
        self._per_client = per_client
        self._clients: dict[str, tuple[asyncio.Semaphore, int]] = {}  # with the number of its requests

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Enter the context when fewer than `per_client` requests of a client are inside."""
        semaphore, count = self._clients.get(client) or (asyncio.Semaphore(self._per_client), 0)
        self._clients[client] = semaphore, count + 1
        try:
            async with semaphore:
                yield
        finally:
            _, count = self._clients[client]
            self._clients[client] = semaphore, count - 1
            if count == 1:
                del self._clients[client]
