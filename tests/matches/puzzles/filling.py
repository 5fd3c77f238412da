"""Databases with many puzzles and attempts."""

from sqlalchemy import text

from matches import Database
from tests.matches.puzzles.puzzles import puzzle_of
from tests.matches.scenario import ALICE

GAME = "morabaraba"
PEOPLE = 1000
BATCH = 20_000  # rows, so that no statement takes too long
THEMES = (("", 1), ("closes_mills", 2), ("prevents_mills", 3), ("rare", 100))  # of one in so many puzzles
NUMBERS = (
    "WITH RECURSIVE numbers(n) AS (SELECT cast(:first AS integer)"
    " UNION ALL SELECT n + 1 FROM numbers WHERE n < cast(:last AS integer))"
)
RATING = "700 + (n * 7919) % 1600"
KEY = "substr('0123456789abcdef', 1 + {0} % 16, 1) || substr(cast(1000000000000000 + {0} AS text), 2)"
ATTEMPTS = "puzzle_attempts (person, puzzle, is_solved, rating_before, rating_after, made_at)"


async def fill(database: Database, puzzles: int, attempts: int, own: int) -> None:
    """Store so many puzzles of one game, attempts of a thousand people, and `own` ones of Alice.

    Their ratings are from 700 to 2299; one in a hundred has the theme ``rare``.
    """
    await _insert(
        database,
        "puzzles (key, game, text, is_shipped, rating, deviation, volatility, made_at)",
        f"{KEY.format('n')}, '{GAME}', cast(:text AS text), false,"
        f" ({RATING}) * cast(1000000000 AS bigint), 80000000000, 60000000, 0",
        puzzles,
        text=str(puzzle_of(GAME)),
    )
    for theme, every in THEMES:
        row = f"'{GAME}', '{theme}', {RATING}, {KEY.format('n')}"
        where = f" WHERE n % {every} = 0"
        await _insert(database, "puzzle_choices (game, theme, rating, puzzle)", row, puzzles, where)
    await _insert(database, "people (account, name, met_at)", "'test:' || n, 'Player ' || n, 0", PEOPLE)
    await _insert(database, "people (account, name, met_at)", f"'{ALICE.account}', '{ALICE.name}', 0", 1)
    row = f"'test:' || (n % {PEOPLE}), {KEY.format(f'(n / {PEOPLE})')}, true, 1500, 1500, n"
    await _insert(database, ATTEMPTS, row, attempts)
    await _insert(database, ATTEMPTS, f"'{ALICE.account}', {KEY.format('n')}, true, 1500, 1500, n", own)


async def _insert(
    database: Database, table: str, row: str, count: int, where: str = "", **values: object
) -> None:
    """Insert a row for each number `n` below `count`, as far as `where` holds."""
    statement = f"{NUMBERS} INSERT INTO {table} SELECT {row} FROM numbers{where}"  # noqa: S608 - no input
    for first in range(0, count, BATCH):
        limits = {"first": first, "last": min(first + BATCH, count) - 1}
        async with database.transaction() as connection:
            await connection.execute(text(statement), {**values, **limits})
