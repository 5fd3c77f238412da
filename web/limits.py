"""How much one client may ask for: requests over time, and streams at once. The counting is bounded too."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Busy(Exception):  # noqa: N818 - a no to a client, not a fault
    """Too much at once; `seconds` says when to try again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"try again in {seconds} s")
        self.seconds = seconds


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Requests:
    """Lets each client make `burst` requests at once and `rate` a second in the long run.

    At most `clients` are remembered, those that came last.
    """

    def __init__(self, *, rate: float = 20, burst: int = 120, clients: int = 4096) -> None:
        self._rate = rate
        self._burst = burst
        self._clients = clients
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, client: str, at: float) -> None:
        """Count one request of `client` at a time in seconds. Raises Busy."""
        bucket = self._buckets.pop(client, None) or _Bucket(self._burst, at)
        self._buckets[client] = bucket
        if len(self._buckets) > self._clients:
            self._buckets.popitem(last=False)
        bucket.left = min(self._burst, bucket.left + self._rate * max(0, at - bucket.at))
        bucket.at = at
        if bucket.left < 1:
            raise Busy(seconds=1 + int((1 - bucket.left) / self._rate))
        bucket.left -= 1


class Streams:
    """Lets each client hold `each` streams open, and all together `total`."""

    def __init__(self, *, each: int = 12, total: int = 4096) -> None:
        self._each = each
        self._total = total
        self._open: dict[str, int] = {}
        self._count = 0

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Hold one stream of `client` open for the block. Raises Busy."""
        held = self._open.get(client, 0)
        if held >= self._each or self._count >= self._total:
            raise Busy(seconds=30)
        self._open[client] = held + 1
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
