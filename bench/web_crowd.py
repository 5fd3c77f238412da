"""A crowd of spectators in a process of its own: ``python -m bench.web_crowd PORT MATCH COUNT MARK``.

Each holds one stream of news of the match open, from the loopback addresses 127.0.1.1 onwards, ten from each.
Once all are there, and whenever all have had a whole event, one line of JSON tells when they had it: the
earliest, the median and the latest, in seconds of the machine's monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from statistics import median

STREAMS_PER_ADDRESS = 10  # from one address
BATCH_SIZE = 50  # come at the same moment; the next when these are there
EVENT_END = b"\n\n"


class Spectator(asyncio.Protocol):
    """One stream; counts the whole events that have come."""

    def __init__(self, counter: EventCounter) -> None:
        self._counter = counter
        self._rest = b""
        self._events = -1  # the first pause is that after the stream's own settings

    def data_received(self, data: bytes) -> None:
        """Take bytes, and tell when an event is whole."""
        found = (self._rest + data).count(EVENT_END)
        self._rest = data[-1:] if not data.endswith(EVENT_END) else b""
        for _ in range(found):
            self._events += 1
            self._counter.add_event(self._events)


class EventCounter:
    """All spectators, and when each had which event."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._times: dict[int, list[float]] = {}
        self._changed = asyncio.Event()

    async def wait_for_event(self, event: int, count: int) -> None:
        """Wait until so many have had an event."""
        while len(self._times.get(event, ())) < count:
            self._changed.clear()
            await self._changed.wait()

    def add_event(self, event: int) -> None:
        """Note that one more spectator has had an event."""
        times = self._times.setdefault(event, [])
        times.append(time.monotonic())
        self._changed.set()
        if len(times) == self._count:
            print(json.dumps([event, min(times), median(times), max(times)]), flush=True)


async def watch(port: int, match: int, count: int, mark: str) -> None:
    """Watch until told to stop."""
    loop, counter = asyncio.get_running_loop(), EventCounter(count)
    request = f"GET /m/{match}/events?after={mark} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
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
