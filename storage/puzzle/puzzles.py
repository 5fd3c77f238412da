"""The puzzles themselves, and the rows by which they are chosen.

Ratings are whole numbers in the units of `matches.ratings.values`; those in "puzzle_choices" are points. A
puzzle that is withdrawn has no rows there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, func, insert, or_, select, update

from storage.statements import columns_for, dialect_insert, fetch_dict, fetch_row, insert_or_update
from storage.tables import (
    DAILY_PUZZLES,
    MATCHES,
    PUZZLE_ATTEMPTS,
    PUZZLE_CHOICES,
    PUZZLE_SETS,
    PUZZLES,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

ANY_THEME = ""
"""Every puzzle that can be chosen has a row with this theme."""

ASKED = "asked"
"""Why a puzzle was withdrawn for which a player of its match has asked, or who was erased."""

_UNIT = 10**9  # as in `matches.ratings.values`
_BATCH = 500  # keys in one query
_INSERTED = ("key", "game", "text", "rating", "deviation", "volatility", "match", "is_shipped")


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A puzzle with its rating; `audience`, `first` and `second` are those of its match, if it has one."""

    key: str
    game: str
    text: str
    match: int | None
    rating: int
    deviation: int
    volatility: int
    solved: int
    failed: int
    withdrawn: str | None
    audience: str | None
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class NewPuzzleRow:
    """A puzzle to be inserted, with its first rating and what it can be chosen by."""

    key: str
    game: str
    text: str
    themes: tuple[str, ...]
    rating: int
    deviation: int
    volatility: int
    match: int | None
    is_shipped: bool


@dataclass(frozen=True, slots=True)
class ShippedRow:
    """What is stored of a shipped puzzle."""

    text: str
    withdrawn: str | None


@dataclass(frozen=True, slots=True)
class Excluded:
    """What is not chosen: what a person has tried or played, or every puzzle of a day."""

    person: str | None = None
    daily: bool = False


async def find(connection: AsyncConnection, key: str, *, lock: bool = False) -> PuzzleRow | None:
    """Return a puzzle, None if there is none; with `lock` nobody else changes it until the commit."""
    sources = {**PUZZLES.c, **{name: MATCHES.c[name] for name in ("audience", "first", "second")}}
    statement = (
        select(*columns_for(PuzzleRow, sources))
        .select_from(PUZZLES.outerjoin(MATCHES, MATCHES.c.id == PUZZLES.c.match))
        .where(PUZZLES.c.key == key)
    )
    return await fetch_row(
        connection, PuzzleRow, statement.with_for_update(of=PUZZLES) if lock else statement
    )


async def add_all(connection: AsyncConnection, added: Sequence[NewPuzzleRow], now: int) -> int:
    """Insert puzzles that can be chosen, those whose key is not known yet; return how many."""
    known = await _list_known(connection, [one.key for one in added])
    new = [one for one in added if one.key not in known]
    if new:
        rows = [{name: getattr(one, name) for name in _INSERTED} | {"made_at": now} for one in new]
        await connection.execute(dialect_insert(connection, PUZZLES).on_conflict_do_nothing(), rows)
        choices = [row for one in new for row in _choice_rows(one.key, one.game, one.themes, one.rating)]
        await connection.execute(insert(PUZZLE_CHOICES), choices)
    return len(new)


async def _list_known(connection: AsyncConnection, keys: Sequence[str]) -> set[str]:
    """Return those of `keys` that a puzzle has, withdrawn or not."""
    known: set[str] = set()
    for start in range(0, len(keys), _BATCH):
        where = PUZZLES.c.key.in_(keys[start : start + _BATCH])
        known.update(await connection.scalars(select(PUZZLES.c.key).where(where)))
    return known


def _choice_rows(key: str, game: str, themes: Iterable[str], rating: int) -> list[dict[str, object]]:
    points = round(rating / _UNIT)
    return [
        {"game": game, "theme": theme, "rating": points, "puzzle": key}
        for theme in dict.fromkeys((ANY_THEME, *themes))
    ]


async def save_result(
    connection: AsyncConnection, row: PuzzleRow, rating: tuple[int, int, int], *, is_solved: bool
) -> None:
    """Store the rating of a locked puzzle after an attempt, and count the attempt."""
    values = dict(zip(("rating", "deviation", "volatility"), rating, strict=True))
    counts = {"solved": row.solved + is_solved, "failed": row.failed + (not is_solved)}
    await connection.execute(update(PUZZLES).where(PUZZLES.c.key == row.key).values(**values, **counts))
    before, after = round(row.rating / _UNIT), round(rating[0] / _UNIT)
    if before != after:
        moved = update(PUZZLE_CHOICES).where(PUZZLE_CHOICES.c.puzzle == row.key)
        await connection.execute(moved.values(rating=after))


async def withdraw(
    connection: AsyncConnection, keys: Sequence[str], reason: str, now: int, *, forget: bool = False
) -> None:
    """Let nobody choose these puzzles any more; with `forget` their texts and matches go too."""
    values: dict[str, object] = {"withdrawn": reason, "withdrawn_at": now}
    if forget:
        values |= {"text": "", "match": None}
    # In the order in which an attempt locks them.
    await connection.execute(update(PUZZLES).where(PUZZLES.c.key.in_(keys)).values(values))
    await connection.execute(delete(PUZZLE_CHOICES).where(PUZZLE_CHOICES.c.puzzle.in_(keys)))


async def list_of_person(connection: AsyncConnection, account: str) -> list[str]:
    """Return the keys of the puzzles from all matches of a person, sorted."""
    own = or_(MATCHES.c.first == account, MATCHES.c.second == account)
    statement = select(PUZZLES.c.key).join(MATCHES, MATCHES.c.id == PUZZLES.c.match).where(own)
    return list(await connection.scalars(statement.order_by(PUZZLES.c.key)))


async def withdraw_of_person(connection: AsyncConnection, account: str, now: int) -> None:
    """Withdraw and forget the puzzles from all matches of a person."""
    keys = await list_of_person(connection, account)
    if keys:
        await withdraw(connection, keys, ASKED, now, forget=True)


# Shipped puzzles.


async def find_digest(connection: AsyncConnection, game: str) -> str | None:
    """Return the digest of the file of a game that was read last; None if none was."""
    return await connection.scalar(select(PUZZLE_SETS.c.digest).where(PUZZLE_SETS.c.game == game))


async def list_digests(connection: AsyncConnection) -> dict[str, str]:
    """Return the digest of the file of each game that was read last."""
    return await fetch_dict(connection, select(PUZZLE_SETS.c.game, PUZZLE_SETS.c.digest))


async def save_digest(connection: AsyncConnection, game: str, digest: str, now: int) -> None:
    """Record which file of a game was read. Others who record one wait until the commit."""
    await insert_or_update(connection, PUZZLE_SETS, {"game": game}, digest=digest, read_at=now)


async def list_shipped(connection: AsyncConnection, game: str) -> dict[str, ShippedRow]:
    """Return the shipped puzzles of a game by key, also those that are withdrawn."""
    columns = (PUZZLES.c.key, PUZZLES.c.text, PUZZLES.c.withdrawn)
    statement = select(*columns).where(PUZZLES.c.game == game, PUZZLES.c.is_shipped.is_(True))
    rows = await connection.execute(statement)
    return {key: ShippedRow(text, withdrawn) for key, text, withdrawn in rows}


async def replace_shipped(
    connection: AsyncConnection, key: str, *, game: str, text: str, themes: Iterable[str]
) -> None:
    """Store another text with the same key, and let the puzzle be chosen, also if it was withdrawn."""
    values: Mapping[str, object] = {"text": text, "withdrawn": None, "withdrawn_at": None}
    changed = update(PUZZLES).where(PUZZLES.c.key == key).values(values).returning(PUZZLES.c.rating)
    rating: int = (await connection.execute(changed)).scalar_one()
    await connection.execute(delete(PUZZLE_CHOICES).where(PUZZLE_CHOICES.c.puzzle == key))
    await connection.execute(insert(PUZZLE_CHOICES), _choice_rows(key, game, themes, rating))


# Choosing.


async def list_candidates(
    connection: AsyncConnection,
    *,
    game: str,
    theme: str,
    rating: int,
    audiences: Sequence[str],
    excluded: Excluded,
    limit: int,
) -> list[tuple[int, str]]:
    """Return at most `limit` puzzles from a rating in points upwards and as many below, as (rating, key).

    Those nearest to it are first on either side. Everybody may see them: their match, if there is one, is for
    one of `audiences`.
    """
    table = PUZZLE_CHOICES.c
    is_shown = or_(PUZZLES.c.match.is_(None), MATCHES.c.audience.in_(audiences))
    chosen = (
        select(table.rating, table.puzzle)
        .join(PUZZLES, PUZZLES.c.key == table.puzzle)
        .outerjoin(MATCHES, MATCHES.c.id == PUZZLES.c.match)
        .where(table.game == game, table.theme == theme, is_shown, *_is_not(excluded))
        .limit(limit)
    )
    above = chosen.where(table.rating >= rating).order_by(table.rating, table.puzzle)
    below = chosen.where(table.rating < rating).order_by(table.rating.desc(), table.puzzle.desc())
    found: list[tuple[int, str]] = []
    for statement in (above, below):
        found += map(tuple, await connection.execute(statement))
    return found


def _is_not(excluded: Excluded) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions that a puzzle that can be chosen is not excluded."""
    key, person = PUZZLE_CHOICES.c.puzzle, excluded.person
    if person is not None:
        yield ~exists().where(PUZZLE_ATTEMPTS.c.person == person, PUZZLE_ATTEMPTS.c.puzzle == key)
        played = or_(MATCHES.c.first == person, MATCHES.c.second == person)
        yield or_(PUZZLES.c.match.is_(None), ~played)
    if excluded.daily:
        yield ~exists().where(DAILY_PUZZLES.c.puzzle == key)


async def list_themes(connection: AsyncConnection, game: str) -> list[str]:
    """Return the themes of a game that puzzles have, each found with one search of the index."""
    table = PUZZLE_CHOICES.c
    first = select(func.min(table.theme).label("theme")).where(table.game == game, table.theme > ANY_THEME)
    found = first.cte("themes", recursive=True)
    following = select(func.min(table.theme)).where(table.game == game, table.theme > found.c.theme)
    found = found.union_all(select(following.scalar_subquery()).where(found.c.theme.is_not(None)))
    statement = select(found.c.theme).where(found.c.theme.is_not(None)).order_by(found.c.theme)
    return list(await connection.scalars(statement))


async def list_games(connection: AsyncConnection, games: Iterable[str]) -> list[str]:
    """Return those of `games` that have a puzzle, in their order."""
    table = PUZZLE_CHOICES.c
    found = []
    for game in games:
        statement = select(table.puzzle).where(table.game == game, table.theme == ANY_THEME).limit(1)
        if (await connection.execute(statement)).first() is not None:
            found.append(game)
    return found
