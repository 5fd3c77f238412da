"""How soon a turn of one website is on the pages of another: ``python -m bench listening``.

Two websites as with ``ROLE=web python -m web`` share a database. Measured is the time from sending a turn to
one until an open page of the other has received it, the handling of the turn included. PostgreSQL announces
turns; SQLite is polled twice a second, as PostgreSQL is while the connection that listens is lost.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.growth import temporary_urls
from bench.table import Row, format_table
from tests.web.test_listening import TwoWebsites, two_websites

TURNS = 20
LISTENING_SECONDS = 2.0  # until both websites listen for certain


async def time_turn(websites: TwoWebsites) -> float:
    """Play a turn at the first website; return the milliseconds until the other has sent it."""

    async def receive() -> float:
        await websites.stream.read_until(websites.turn + 1)
        return time.perf_counter()

    view = await websites.env.view(websites.match)
    if view.to_move is None or view.position is None:
        raise RuntimeError("The match is over: play fewer turns.")
    visitor, seat = websites.seats[view.to_move.person.account]
    data = {"board": str(view.revision), "text": str(view.position.legal_moves()[0])}
    start, receiving = time.perf_counter(), asyncio.create_task(receive())
    await visitor.post(f"{seat}/play", data=data)
    milliseconds = 1000 * (await receiving - start)
    websites.turn += 1
    return milliseconds


async def measure(folder: Path) -> list[Row]:
    """Return the rows, one for each database."""
    found = list[Row]()
    async with temporary_urls(folder) as urls:
        for kind, url in urls.items():
            async with two_websites(url, folder) as websites:
                await asyncio.sleep(LISTENING_SECONDS)
                times = [await time_turn(websites) for _ in range(TURNS)]
            found.append(Row.from_values(f"{kind}: a turn until another website shows it", times, "ms"))
    return found


def rows() -> list[Row]:
    """Measure in new databases."""
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        return asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    print(format_table("Turns of other processes", rows()))
