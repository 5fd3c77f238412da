"""The opening explorer over the counts of a million games, on SQLite and PostgreSQL.

The counts are written straight into the tables: those of positions that everybody reaches, with every legal
move by every kind of player, and for each game the rows of its later positions, which no other game shares.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from sqlalchemy import func, select, text

from bench.commits import new_databases
from bench.finished_matches import fill, play_matches
from bench.growth import find_backends, processor_seconds
from bench.table import Row, timed
from engine import GAMES
from matches import Database
from matches.explorer.lines import ExplorerBoard
from matches.explorer.values import GameFilter, Players
from runtime import logs
from storage.match.explorer import ExplorerMoveRow, add_moves, add_starts
from storage.tables import EXPLORER_MOVES
from tests.databases import execute_statements
from tests.web.environment import running_web
from web.addresses import explorer_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Position

FINISHED = 5000  # matches among which the examples are
DEPTH = 4  # moves that many games share
OWN_ROWS = 15  # of each game: after the first moves it is the only one
PER_BATCH = 1_000_000  # rows in one statement
GOAL = "at most 50 ms"


def rows(games: int = 1_000_000, finished: int = FINISHED, rounds: int = 20) -> Iterator[Row]:
    """Measure the counts of a position, and its page, with the counts of so many games."""
    logs.configure("ERROR")
    with new_databases() as urls:
        for kind, url in urls.items():
            yield from asyncio.run(_measure(kind, url, games, finished, rounds))


async def _measure(kind: str, url: str, games: int, finished: int, rounds: int) -> list[Row]:
    await fill(url, finished, await play_matches(packed=True))
    lines = {
        name: _popular_line(game.initial_position(**game.complete_options())) for name, game in GAMES.items()
    }
    async with await Database.open(url) as database:
        for name, line in lines.items():
            await _write_popular(database, name, line, games // len(lines), finished)
    await _write_own_rows(url, games, finished)
    times: dict[str, list[float]] = defaultdict(list)
    async with (
        await Database.open(url) as database,
        running_web(database, games=GAMES) as env,
        env.visitor() as visitor,
    ):

        def clock() -> float:
            return time.process_time() + sum(map(processor_seconds, backends))

        for name, line in lines.items():
            for number in range(rounds):
                position = line[number % len(line)]
                board = ExplorerBoard.of(position)
                backends = [] if url.startswith("sqlite") else find_backends(url)
                with timed(times["counts"], clock):
                    found = await env.matches.explorer.load(board, GameFilter.ALL)
                if not found.moves:
                    raise RuntimeError(f"{name}: nothing was found")
                path = _page_of(position)
                with timed(times["page"], clock), timed(times["elapsed"]):
                    answer = await visitor.get(path)
                if answer.status != HTTPStatus.OK or "<table>" not in answer.text:
                    raise RuntimeError(f"{path}: {answer.status}")
        async with database.read() as connection:
            count = select(func.count()).select_from(EXPLORER_MOVES)
            stored: int = (await connection.execute(count)).scalar_one()
    return [
        Row(f"{kind}: rows of counts, for {games:,} games", stored, ""),
        Row.from_values(f"{kind}: the counts of a position: processor time", times["counts"], "ms"),
        Row.from_values(
            f"{kind}: its page, with the visitor's part: processor time", times["page"], "ms", goal=GOAL
        ),
        Row.from_values(f"{kind}: until the page is there, however busy the machine", times["elapsed"], "ms"),
    ]


def _page_of(position: Position) -> str:
    state = urlencode({"rules": position.game.rules_version, "position": str(position)}, safe="/,")
    return f"{explorer_path(position.game.name)}/{state}?games=all"


def _popular_line(start: Position) -> list[Position]:
    """Return the start and the positions after the first moves of one line."""
    line = [start]
    for _ in range(DEPTH):
        line.append(line[-1].play(line[-1].legal_moves()[0]))
    return line


async def _write_popular(
    database: Database, game: str, line: list[Position], games: int, finished: int
) -> None:
    """Write counts of every move of these positions, the first half as often as all others."""
    found: list[ExplorerMoveRow] = []
    for position in line:
        board = ExplorerBoard.of(position)
        moves = dict.fromkeys(board.form.to_canonical(str(move)) for move in position.legal_moves())
        for rank, move in enumerate(moves, 1):
            count = max(1, games // (2 * rank * rank))
            for players in Players:
                examples = ((rank * 31 + players) % finished + 1, (rank * 17 + players) % finished + 1)
                found.append(
                    ExplorerMoveRow(board.fingerprint, move, players, count // 2, 1, count // 3, *examples)
                )
        games //= 2
    async with database.transaction() as connection:
        await add_moves(connection, found)
        await add_starts(connection, {(game, "{}"): 1})


async def _write_own_rows(url: str, games: int, finished: int) -> None:
    """Write the rows of positions that one game alone has reached, evenly spread over all fingerprints."""
    count = games * OWN_ROWS
    step = 2**64 // count
    numbers = (
        "WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {end}) "
        if url.startswith("sqlite")
        else "WITH n(i) AS (SELECT generate_series({first}::bigint, {end}::bigint - 1)) "
    )
    values = f"(i - {count // 2}) * {step}, 'D1-D5', i % 6, 1, 0, 0, i % {finished} + 1, NULL"
    statements = [
        f"INSERT INTO explorer_moves {number} SELECT {values} FROM n"  # noqa: S608 - our own numbers
        for first in range(0, count, PER_BATCH)
        for number in [numbers.format(first=first, end=min(first + PER_BATCH, count))]
    ]
    if not url.startswith("sqlite"):
        await execute_statements(url, *statements, "VACUUM ANALYZE explorer_moves")
        return
    async with await Database.open(url) as database:
        for statement in statements:
            async with database.transaction() as connection:
                await connection.execute(text(statement))
