"""Correcting an old result: ``python -m bench.correction_speed``.

The first of many rated matches is corrected in a database file, and the ratings that follow from it are
computed again, batch by batch, as the bot does it in the background.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.table import Row, format_table
from engine.game import Outcome
from matches import Database, Matches
from matches.ratings.history import BATCH_SIZE
from tests.matches.long_season import AFTERWARDS, store_season
from tests.matches.scenario import CAROL, SERVER

MATCHES = 2000
ROUNDS = 3
OUTCOMES = (None, Outcome.BLACK, Outcome.WHITE)
MINUTE = 60_000  # milliseconds


async def measure(folder: Path) -> list[Row]:
    """Return the rows of the table."""
    corrections, batches = list[float](), list[float]()
    async with await Database.open(f"sqlite+aiosqlite:///{folder}/rayuela.db") as database:
        matches = Matches(database)
        first = (await store_season(database, MATCHES))[0]
        for number in range(ROUNDS):
            start = time.perf_counter()
            await matches.corrections.correct(
                first, CAROL, OUTCOMES[number], reason="a test", server=SERVER, now=AFTERWARDS
            )
            corrections.append(1000 * (time.perf_counter() - start))
            more = True
            while more:
                start = time.perf_counter()
                more = bool(await matches.ratings.recompute(batches=1))
                batches.append(1000 * (time.perf_counter() - start))
    per_minute = MINUTE * BATCH_SIZE * len(batches) / sum(batches)
    return [
        Row.from_values(f"/correct, the first of {MATCHES} matches", corrections, "ms", goal="at most 500"),
        Row.from_values(f"a batch of {BATCH_SIZE} matches", batches, "ms"),
        Row("  matches in a minute", per_minute, "", goal="at least 5000"),
    ]


def rows() -> list[Row]:
    """Measure in a new database file."""
    with TemporaryDirectory() as folder:
        return asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    print(format_table("Correcting an old result", rows()))
