"""How long committing a turn takes through `matches`: rules, log, position and announcement."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.games import long_random_game
from bench.table import Row, timed
from engine import GAMES
from matches import Database, Matches
from tests.databases import POSTGRES_SERVER, temporary_postgres
from tests.matches.scenario import ALICE, BOB, NOON, start_match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches import MatchView

TURNS = 60


@contextmanager
def new_databases() -> Iterator[dict[str, str]]:
    """Return the URL of a new database of each kind that is available; they are deleted at the end."""
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="rayuela-bench-"))
        urls = {"SQLite": f"sqlite:///{folder}/rayuela.db"}
        try:
            urls["PostgreSQL"] = stack.enter_context(temporary_postgres(POSTGRES_SERVER, durable=True))
        except OSError as error:
            if os.environ.get("RAYUELA_REQUIRE_POSTGRES") == "1":
                raise
            print(f"PostgreSQL left out: {error}", file=sys.stderr)
        yield urls


def rows(rounds: int = 5, concurrent: int = 20) -> Iterator[Row]:
    """Measure one match after the other, and then many at once."""
    with new_databases() as urls:
        for kind, url in urls.items():
            alone, together, seconds = asyncio.run(_measure(url, rounds, concurrent))
            yield Row.from_values(f"{kind}: a turn", alone, "ms", goal="at most 3 ms")
            yield Row.from_values(f"{kind}: a turn, {concurrent} matches at once", together, "ms")
            yield Row("  turns per second", len(together) / seconds, "")


async def _measure(url: str, rounds: int, concurrent: int) -> tuple[list[float], list[float], float]:
    """Return the milliseconds of the turns of single matches, of those at once, and the seconds of these."""
    alone, together = list[float](), list[float]()
    async with await Database.open(url) as database:
        matches = Matches(database)
        for _ in range(rounds):
            await _play(matches, await start_match(matches, {}), alone)
        views = [await start_match(matches, {}) for _ in range(concurrent)]
        start = time.perf_counter()
        await asyncio.gather(*(_play(matches, view, together) for view in views))
        return alone, together, time.perf_counter() - start


async def _play(matches: Matches, view: MatchView, times: list[float]) -> None:
    for ply, move in enumerate(long_random_game(GAMES["morelli"].initial_position(), TURNS)):
        with timed(times):
            await matches.play(view.id, (ALICE, BOB)[ply % 2], [move], seen_revision=ply, now=NOON)
