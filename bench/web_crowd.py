"""Many spectators in a process of their own: ``python -m bench.web_crowd PORT MATCH COUNT VERSION``.

Each keeps one event stream of the match open, ten from each loopback address from 127.0.1.1 on. When all are
connected, and each time all have received a whole event, one line of JSON is printed: the number of the event
and the earliest, median and latest time of receipt, in seconds of the monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from statistics import median

STREAMS_PER_ADDRESS = 10
BATCH_SIZE = 50  # connections opened before waiting for their first event
EVENT_END = b"\n\n"


class Spectator(asyncio.Protocol):
    """One stream; counts the complete events."""

    def __init__(self, counter: EventCounter) -> None:
        self._counter = counter
        self._rest = b""
        self._events = -1  # the first blank line ends the retry field, which is not an event

    def data_received(self, data: bytes) -> None:
        """Report every event that the data completes."""
        found = (self._rest + data).count(EVENT_END)
        self._rest = data[-1:] if not data.endswith(EVENT_END) else b""
        for _ in range(found):
            self._events += 1
            self._counter.add_event(self._events)


class EventCounter:
    """The times at which the spectators received each event."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._times: dict[int, list[float]] = {}
        self._changed = asyncio.Event()

    async def wait_for_event(self, event: int, count: int) -> None:
        """Wait until `count` spectators have received an event."""
        while len(self._times.get(event, ())) < count:
            self._changed.clear()
            await self._changed.wait()

    def add_event(self, event: int) -> None:
        """Record that one more spectator has received an event; print the times when all have."""
        times = self._times.setdefault(event, [])
        times.append(time.monotonic())
        self._changed.set()
        if len(times) == self._count:
            print(json.dumps([event, min(times), median(times), max(times)]), flush=True)


async def watch(port: int, match: int, count: int, version: str) -> None:
    """Open `count` streams after `version` and keep them open until killed."""
    loop, counter = asyncio.get_running_loop(), EventCounter(count)
    request = f"GET /m/{match}/events?after={version} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    for number in range(count):
        host, rest = divmod(number // STREAMS_PER_ADDRESS, 250)
        address = (f"127.0.{1 + host}.{1 + rest}", 0)
        transport, _ = await loop.create_connection(
            lambda: Spectator(counter), "127.0.0.1", port, local_addr=address
        )
        transport.write(request)
        if (number + 1) % BATCH_SIZE == 0:
            await counter.wait_for_event(1, number + 1)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(watch(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
