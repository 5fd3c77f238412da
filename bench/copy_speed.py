"""Replaying every match after a copy to PostgreSQL: ``python -m bench copy``.

The same database is replayed by one process and by one for each processor, in turn, so that the load of the
machine affects both alike.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from backups.parallel_replay import replay_in_processes
from backups.verification import replay_matches
from bench.finished_matches import fill, play_matches
from bench.growth import temporary_urls
from bench.table import Row, format_table
from matches.log_audit import list_match_ids
from storage import Database
from storage.connections.url import parse_url

MATCHES = int(os.environ.get("RAYUELA_COPY", "4000"))
ROUNDS = 3


async def measure(folder: Path) -> list[Row]:
    """Return the rows; none where no server of PostgreSQL is available."""
    rows, processors = list[Row](), os.cpu_count() or 1
    played = await play_matches(packed=True)
    async with temporary_urls(folder) as urls:
        for url in (one for kind, one in urls.items() if kind != "SQLite"):
            async with await Database.open(url):
                pass
            await fill(url, MATCHES, played)
            alone, together = list[float](), list[float]()
            async with await Database.open(url) as database:
                matches = await list_match_ids(database)
                for _ in range(ROUNDS):
                    start = time.perf_counter()
                    await replay_matches(database, matches)
                    between = time.perf_counter()
                    async for _ in replay_in_processes(parse_url(url), matches):
                        pass
                    alone.append(1000 * (between - start) / len(matches))
                    together.append(1000 * (time.perf_counter() - between) / len(matches))
            ratio = f"{median(alone) / median(together):.2f} times as fast as one"
            rows += [
                Row.from_values("a match, one process", alone, "ms"),
                Row.from_values(f"a match, {processors} processes", together, "ms", comparison=ratio),
            ]
    return rows


def rows() -> list[Row]:
    """Measure in new databases."""
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        return asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    print(format_table("Replaying all matches after a copy", rows()))
