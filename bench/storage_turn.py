"""How long committing a turn takes: ``python -m bench.storage_turn``.

One random game of Morelli is played repeatedly on copies of one database: through `matches`, through
`storage` alone, through `storage` with SQLAlchemy's own connections, and by plain sqlite3, which executes the
statements that `matches` sent, with the same durability. PostgreSQL is measured too where a server is
available.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from sqlalchemy import event, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bench.table import Row, format_table
from engine import GAMES
from matches import Matches, MatchId, Person
from storage import Database
from storage.connections.sqlite import BEGIN_WRITING
from storage.match import matches as stored
from storage.match.packed_logs import MoveRow
from storage.posting import outbox

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from storage.statements import ColumnValue

ROUNDS = 5
TURNS = 60
CONCURRENT_MATCHES = 20
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
PEOPLE = {"black": Person("bench:1", "Ada"), "white": Person("bench:2", "Bob")}
POSTGRES_URL = os.environ.get("RAYUELA_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
NAMES = {
    "matches": "a turn committed through matches, SQLite",
    "storage": "the same rows through storage alone",
    "stock": "the same rows, SQLAlchemy's own connections",
    "sqlite3": "the same statements, plain sqlite3",
}
Statement = tuple[str, Any]
TurnPlayer = Callable[[int], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class TurnTimings:
    """Milliseconds of single turns."""

    name: str
    times: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BenchMove:
    """One move of the game that every contestant plays, with the position after it."""

    person: Person
    text: str
    side: str
    position: str
    mover: str | None


def random_game(seed: int = 1) -> list[BenchMove]:
    """Return the first TURNS moves of a random game with default options."""
    rng, position, played = random.Random(seed), GAMES["morelli"].initial_position(), list[BenchMove]()
    while position.to_move and len(played) < TURNS:
        side, move = position.to_move, rng.choice(position.legal_moves())
        position = position.play(move)
        mover = position.to_move and PEOPLE[position.to_move.value].account
        played.append(BenchMove(PEOPLE[side.value], str(move), side.value, str(position), mover))
    return played


async def race(contestants: Mapping[str, TurnPlayer], turns: int) -> dict[str, list[float]]:
    """Time each turn for all contestants in turn, so that the load of the machine affects all of them."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for ply in range(turns):
        for name, turn in contestants.items():
            start = time.perf_counter()
            await turn(ply)
            times[name].append(1000 * (time.perf_counter() - start))
    return times


async def begin_match(database: Database) -> MatchId:
    """Start a match between the two people."""
    matches = Matches(database)
    step = await matches.challenges.create(
        PEOPLE["black"],
        server="bench:1",
        channel="bench:1",
        game="morelli",
        colour=GAMES["morelli"].sides[0],
        now=NOON,
    )
    return (await matches.challenges.accept(step.challenge.id, PEOPLE["white"], now=NOON)).match.id


def through_matches(database: Database, match: MatchId, played: Sequence[BenchMove]) -> TurnPlayer:
    """Return a function that plays a turn as the bot does: rules, log, position and announcement."""
    matches = Matches(database)

    async def turn(ply: int) -> None:
        move = played[ply]
        await matches.play(match, move.person, [move.text], seen_revision=ply, now=NOON)

    return turn


def through_storage(database: Database, match: MatchId, played: Sequence[BenchMove]) -> TurnPlayer:
    """Return a function that writes the same rows through `storage` alone."""

    async def turn(ply: int) -> None:
        move = played[ply]
        changes: dict[str, ColumnValue] = {
            "ply": ply + 1,
            "turn": ply + 2,
            "turn_ply": ply + 1,
            "position": move.position,
            "mover": move.mover,
            "pending_offer": None,
            "changed_at": 0,
        }
        row = MoveRow(ply + 1, ply + 1, move.side, move.person.account, move.text, move.position, 0)
        async with database.transaction() as connection:
            await stored.get(connection, match, lock=True)
            await stored.update_if_at_ply(connection, match, ply, **changes)
            await stored.add_moves(connection, match, [row])
            await outbox.add(connection, **announcement_row(match, ply + 1, move.person))

    return turn


def announcement_row(match: MatchId, ply: int, person: Person) -> dict[str, ColumnValue]:
    """Return the outbox row of a turn."""
    return {
        "kind": "turn",
        "challenge": None,
        "match": match,
        "ply": ply,
        "first_ply": ply,
        "by": person.account,
        "recipients": "[]",
        "server": "bench:1",
        "place": "bench:1",
        "made_at": 0,
        "due_at": 0,
    }


async def record_statements(
    database: Database, match: MatchId, played: Sequence[BenchMove]
) -> list[list[Statement]]:
    """Return the statements that `matches` sends for each turn of one game."""
    sent: list[Statement] = []

    def record(_: object, __: object, statement: str, parameters: Any, ___: object, many: bool) -> None:
        sent.extend((statement, each) for each in (parameters if many else [parameters]))

    engine = database._engine.sync_engine  # noqa: SLF001 - only to record statements
    event.listen(engine, "before_cursor_execute", record)
    turns = []
    for ply, move in enumerate(played):
        sent.clear()
        await Matches(database).play(match, move.person, [move.text], seen_revision=ply, now=NOON)
        turns.append(list(sent))
    event.remove(engine, "before_cursor_execute", record)
    return turns


def through_sqlite3(connection: sqlite3.Connection, turns: Sequence[Sequence[Statement]]) -> TurnPlayer:
    """Return a function that executes the recorded statements with the standard library, in this thread."""
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")

    async def turn(ply: int) -> None:
        connection.execute(BEGIN_WRITING)
        for statement, parameters in turns[ply]:
            connection.execute(statement, parameters).fetchall()
        connection.execute("COMMIT")

    return turn


def stock_database(path: Path) -> Database:
    """Return a database like that of `storage`, but with SQLAlchemy's own aiosqlite connections."""
    url = f"sqlite+aiosqlite:///{path}"
    engine = create_async_engine(url, connect_args={"isolation_level": None}, hide_parameters=True)

    def configure(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    event.listen(engine.sync_engine, "connect", configure)
    return Database(engine)


async def time_concurrent_matches(
    database: Database, played: Sequence[BenchMove]
) -> tuple[list[float], float]:
    """Time the turns of many matches played at once; return milliseconds, and turns per second."""
    turns = [
        through_matches(database, await begin_match(database), played) for _ in range(CONCURRENT_MATCHES)
    ]
    start = time.perf_counter()
    times = await asyncio.gather(*(race({"turn": turn}, len(played)) for turn in turns))
    spent = time.perf_counter() - start
    return [each for timings in times for each in timings["turn"]], CONCURRENT_MATCHES * len(played) / spent


async def measure_sqlite(folder: Path, played: Sequence[BenchMove]) -> tuple[list[TurnTimings], float]:
    """Time every contestant on SQLite, each on its own copy; also return turns per second at once."""
    template = folder / "ready.db"
    async with await Database.open(f"sqlite:///{template}") as database:
        match = await begin_match(database)

    def copy() -> Path:
        return Path(shutil.copy(template, folder / f"{uuid4().hex}.db"))

    async with await Database.open(f"sqlite:///{copy()}") as database:
        turns = await record_statements(database, match, played)
    times: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(ROUNDS):
        with closing(sqlite3.connect(copy(), isolation_level=None)) as plain:
            async with (
                await Database.open(f"sqlite:///{copy()}") as whole,
                await Database.open(f"sqlite:///{copy()}") as alone,
                stock_database(copy()) as stock,
            ):
                contestants = {
                    "matches": through_matches(whole, match, played),
                    "storage": through_storage(alone, match, played),
                    "stock": through_storage(stock, match, played),
                    "sqlite3": through_sqlite3(plain, turns),
                }
                for name, found in (await race(contestants, len(played))).items():
                    times[name] += found
    async with await Database.open(f"sqlite:///{copy()}") as database:
        crowd, rate = await time_concurrent_matches(database, played)
    figures = [TurnTimings(NAMES[name], tuple(found)) for name, found in times.items()]
    return [
        *figures,
        TurnTimings(f"a turn with {CONCURRENT_MATCHES} matches at once, SQLite", tuple(crowd)),
    ], rate


@asynccontextmanager
async def temporary_database() -> AsyncIterator[Database]:
    """Create a database on the PostgreSQL server and drop it at the end. Raises OSError without a server."""
    name = f"rayuela_bench_{uuid4().hex}"
    await run_statement(f"CREATE DATABASE {name}")
    try:
        url = make_url(POSTGRES_URL).set(database=name).render_as_string(hide_password=False)
        async with await Database.open(url) as database:
            yield database
    finally:
        await run_statement(f"DROP DATABASE {name} WITH (FORCE)")


async def run_statement(statement: str) -> None:
    """Run a statement on the PostgreSQL server, outside a transaction."""
    url = make_url(POSTGRES_URL).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()


async def measure_postgresql(played: Sequence[BenchMove]) -> tuple[list[TurnTimings], float]:
    """Time `matches` and `storage` on PostgreSQL. Raises OSError without a server."""
    times: dict[str, list[float]] = {"matches": [], "storage": []}
    async with temporary_database() as database:
        for _ in range(ROUNDS):
            contestants = {
                "matches": through_matches(database, await begin_match(database), played),
                "storage": through_storage(database, await begin_match(database), played),
            }
            for name, found in (await race(contestants, len(played))).items():
                times[name] += found
        crowd, rate = await time_concurrent_matches(database, played)
    return [
        TurnTimings("a turn committed through matches, PostgreSQL", tuple(times["matches"])),
        TurnTimings("the same rows through storage alone", tuple(times["storage"])),
        TurnTimings(f"a turn with {CONCURRENT_MATCHES} matches at once, PostgreSQL", tuple(crowd)),
    ], rate


async def measure() -> tuple[list[TurnTimings], dict[str, float]]:
    """Return all timings, and turns per second with many matches at once by kind of database."""
    played = random_game()
    rates = {}
    with TemporaryDirectory() as folder:
        figures, rates["SQLite"] = await measure_sqlite(Path(folder), played)
    try:
        postgres_timings, rates["PostgreSQL"] = await measure_postgresql(played)
    except (OSError, ModuleNotFoundError) as error:
        print(f"PostgreSQL left out: {error}", file=sys.stderr)
        postgres_timings = []
    return figures + postgres_timings, rates


def rows() -> Iterator[Row]:
    """Return the rows: each contestant, compared with plain sqlite3, and many matches at once."""
    figures, rates = asyncio.run(measure())
    sqlite3_median = median(figures[3].times)
    for index, each in enumerate(figures):
        beside = (
            f"{median(each.times) / sqlite3_median:.1f} times the time of plain sqlite3" if index < 3 else ""
        )
        yield Row.from_values(
            each.name, each.times, "ms", goal="" if index else "at most 3 ms", comparison=beside
        )
    for kind, rate in rates.items():
        yield Row(f"{CONCURRENT_MATCHES} matches at once, {kind}", rate, "turns per second")


def main() -> None:
    """Print the table."""
    print(format_table("Committing a turn", rows()))


if __name__ == "__main__":
    main()
