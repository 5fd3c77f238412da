"""Discord's limit of requests in a second for each token; answers to interactions are not counted."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from tests.discord_server.faults import RateLimitError

if TYPE_CHECKING:
    from collections.abc import Callable

REQUESTS, SECONDS = 50, 1.0


class GlobalLimit:
    """Refuses what a token asks beyond REQUESTS in any SECONDS of `clock`, which returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=REQUESTS))

    def count(self, token: str) -> None:
        """Count a request. Raises RateLimitError for one too many, which is not counted."""
        now, times = self._clock(), self._times[token]
        if len(times) == REQUESTS and now - times[0] < SECONDS:
            raise RateLimitError(times[0] + SECONDS - now, everywhere=True)
        times.append(now)
