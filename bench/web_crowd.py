"""Many spectators in a process of their own: ``python -m bench.web_crowd PORT MATCH COUNT``.

Each keeps one event stream of the match open, ten from each loopback address from 127.0.1.1 on. Each time all
have received a whole event, the first one included, one line of JSON is printed: the earliest, median and
latest time of receipt, in seconds of the monotonic clock. Ends with an error if the website refuses one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import defaultdict
from itertools import count
from statistics import median

STREAMS_PER_ADDRESS = 10
CONNECTING = 50  # at once
LONGEST_EVENT = 1 << 20  # bytes


async def watch(port: int, match: int, spectators: int) -> None:
    """Open the streams and keep them open until killed. Raises ConnectionError."""
    request = f"GET /m/{match}/events?after=none HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    times, connecting = defaultdict[int, list[float]](list), asyncio.Semaphore(CONNECTING)

    async def receive(reader: asyncio.StreamReader, event: int) -> None:
        while b"data: " not in await reader.readuntil(b"\n\n"):
            pass  # the time after which to connect again
        times[event].append(time.monotonic())
        if len(found := times[event]) == spectators:
            print(json.dumps([min(found), median(found), max(found)]), flush=True)

    async def spectate(number: int) -> None:
        host, rest = divmod(number // STREAMS_PER_ADDRESS, 250)
        address = (f"127.0.{1 + host}.{1 + rest}", 0)
        async with connecting:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=address, limit=LONGEST_EVENT
            )
            writer.write(request)
            if b" 200 " not in (status := await reader.readline()):
                raise ConnectionError(f"The website refuses a spectator: {status.decode().strip()}")
            await receive(reader, 0)
        for event in count(1):
            await receive(reader, event)

    async with asyncio.TaskGroup() as group:
        for number in range(spectators):
            group.create_task(spectate(number))


if __name__ == "__main__":
    asyncio.run(watch(*map(int, sys.argv[1:])))
