"""The opening explorer: which matches it has to count, and the counts of moves and starts.

What is counted of a match is decided in `matches.explorer`. Writers change the starts first, in the order of
their keys, so that games with the same start are counted one after the other and nobody waits in a circle.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, case, delete, func, or_, select, tuple_, update

from storage.match import packed_logs
from storage.statements import dialect_insert, fetch_dict, fetch_rows, select_rows
from storage.tables import (
    EXPLORER_MOVES,
    EXPLORER_STARTS,
    IS_MISCOUNTED,
    IS_UNCOUNTED,
    MATCHES,
    MOVES,
    RATING_STEPS,
    STALE,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

_SCORES = ("won_by_first", "drawn", "won_by_second")


@dataclass(frozen=True, slots=True)
class ExploredMatchRow:
    """What the explorer reads of a match."""

    id: int
    game: str
    rules_version: int
    options: str
    base: str | None
    state: str
    audience: str
    first: str
    second: str
    outcome: str | None
    reason: str | None
    explored: int | None


@dataclass(frozen=True, slots=True)
class ExplorerMoveRow:
    """How often a move was played in a position by players of a kind, and the two games counted last."""

    position: int
    move: str
    players: int
    won_by_first: int
    drawn: int
    won_by_second: int
    latest: int | None
    previous: int | None


async def list_due(connection: AsyncConnection, limit: int) -> list[int]:
    """Return at most `limit` matches that are counted wrongly, and as many that are not counted; no locks."""
    found: list[int] = []
    for condition in (IS_MISCOUNTED, IS_UNCOUNTED):
        found += await connection.scalars(select(MATCHES.c.id).where(condition).limit(limit))
    return found


async def list_matches(connection: AsyncConnection, ids: Sequence[int]) -> list[ExploredMatchRow]:
    """Return those of these matches that exist, in no particular order."""
    return await fetch_rows(
        connection, ExploredMatchRow, select_rows(ExploredMatchRow, MATCHES).where(MATCHES.c.id.in_(ids))
    )


async def lock_due(connection: AsyncConnection, ids: Sequence[int]) -> list[ExploredMatchRow]:
    """Lock those of these matches that are still due and that nobody else has locked."""
    due = select_rows(ExploredMatchRow, MATCHES).where(
        MATCHES.c.id.in_(ids), or_(IS_MISCOUNTED, IS_UNCOUNTED)
    )
    statement = due.order_by(MATCHES.c.id).with_for_update(skip_locked=True)
    return await fetch_rows(connection, ExploredMatchRow, statement)


async def set_explored(connection: AsyncConnection, explored: Mapping[int, int | None]) -> None:
    """Record what is counted of matches."""
    if explored:
        statement = update(MATCHES).where(MATCHES.c.id == bindparam("b_id"))
        values = [{"b_id": match, "b_explored": code} for match, code in sorted(explored.items())]
        await connection.execute(statement.values(explored=bindparam("b_explored")), values)


async def mark_stale(connection: AsyncConnection, match: int) -> None:
    """Record that the result of a match has changed, so that it is counted again."""
    explored = MATCHES.c.explored
    value = case((explored < 0, None), (explored < STALE, explored + STALE), else_=explored)
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(explored=value))


async def list_first_moves(
    connection: AsyncConnection, ids: Sequence[int], limit: int
) -> dict[int, list[str]]:
    """Return the texts of the first `limit` moves of these matches, packed or not; none of a damaged log."""
    texts: dict[int, list[str]] = {match: [] for match in ids}
    statement = (
        select(MOVES.c.match, MOVES.c.text)
        .where(MOVES.c.match.in_(ids), MOVES.c.ply <= limit)
        .order_by(MOVES.c.match, MOVES.c.ply)
    )
    for match, text in await connection.execute(statement):
        texts[match].append(text)
    for match in [match for match, found in texts.items() if not found]:
        # One at a time: a damaged log must not keep the other matches from being counted.
        with suppress(ValueError):
            texts[match] = [move.text for move in (await packed_logs.list_moves(connection, match))[:limit]]
    return texts


async def list_ratings(connection: AsyncConnection, ids: Sequence[int]) -> dict[int, list[int]]:
    """Return the ratings after each of these matches that counted for ratings, in billionths of points."""
    steps, found = RATING_STEPS.c, dict[int, list[int]]()
    statement = select(steps.match, steps.rating).where(steps.match.in_(ids), steps.score.is_not(None))
    for match, rating in await connection.execute(statement):
        found.setdefault(match, []).append(rating)
    return found


async def add_moves(connection: AsyncConnection, rows: Iterable[ExplorerMoveRow]) -> None:
    """Add the counts of these rows, with different keys, to those that are stored."""
    values = [asdict(row) for row in sorted(rows, key=_key)]
    if not values:
        return
    insertion, table = dialect_insert(connection, EXPLORER_MOVES), EXPLORER_MOVES.c
    new = insertion.excluded
    updated = {
        **{name: table[name] + new[name] for name in _SCORES},
        "latest": new.latest,
        "previous": func.coalesce(new.previous, table.latest),
    }
    keys = ["position", "move", "players"]
    await connection.execute(insertion.on_conflict_do_update(index_elements=keys, set_=updated), values)


async def subtract_moves(connection: AsyncConnection, match: int, rows: Iterable[ExplorerMoveRow]) -> None:
    """Subtract the counts of these rows, which are all of one match, from those that are stored."""
    found = sorted(rows, key=_key)
    if not found:
        return
    table = EXPLORER_MOVES.c
    values = {name: table[name] - bindparam(f"b_{name}") for name in _SCORES}
    is_own = (table.position, table.move, table.players)
    statement = (
        update(EXPLORER_MOVES)
        .where(*(column == bindparam(f"b_{column.name}") for column in is_own))
        .values(
            **values,
            latest=case((table.latest == match, table.previous), else_=table.latest),
            previous=case((or_(table.latest == match, table.previous == match), None), else_=table.previous),
        )
    )
    names = ("position", "move", "players", *_SCORES)
    await connection.execute(
        statement, [{f"b_{name}": getattr(row, name) for name in names} for row in found]
    )
    is_empty = table.won_by_first + table.drawn + table.won_by_second <= 0
    keys = tuple_(*is_own).in_([_key(row) for row in found])
    await connection.execute(delete(EXPLORER_MOVES).where(keys, is_empty))


async def sum_moves(
    connection: AsyncConnection, position: int, players: Collection[int]
) -> list[tuple[str, int, int, int]]:
    """Return the moves that players of these kinds played in a position, the most frequent first.

    Each with how many games the first side won, how many were drawn, and how many the second side won.
    """
    table = EXPLORER_MOVES.c
    sums = [func.sum(table[name]) for name in _SCORES]
    statement = (
        select(table.move, *sums)
        .where(table.position == position, table.players.in_(sorted(players)))
        .group_by(table.move)
        .order_by((sums[0] + sums[1] + sums[2]).desc(), table.move)
    )
    rows = await connection.execute(statement)
    return [(move, int(won), int(drawn), int(lost)) for move, won, drawn, lost in rows]


async def list_examples(
    connection: AsyncConnection, position: int, players: Sequence[int], limit: int
) -> list[int]:
    """Return matches in which one of these players reached a position: by the order of `players`, the latest.

    At most the two of each of the first `limit` rows.
    """
    table = EXPLORER_MOVES.c
    order = case({kind: rank for rank, kind in enumerate(players)}, value=table.players)
    statement = (
        select(table.latest, table.previous)
        .where(table.position == position, table.players.in_(players), table.latest.is_not(None))
        .order_by(order, table.latest.desc())
        .limit(limit)
    )
    rows = await connection.execute(statement)
    return [match for row in rows for match in row if match is not None]


async def add_starts(connection: AsyncConnection, games: Mapping[tuple[str, str], int]) -> None:
    """Add to the numbers of games that began with the options of a game; a number may be negative."""
    rows = [
        {"game": game, "options": options, "games": count} for (game, options), count in sorted(games.items())
    ]
    if not rows:
        return
    insertion = dialect_insert(connection, EXPLORER_STARTS)
    updated = {"games": EXPLORER_STARTS.c.games + insertion.excluded.games}
    statement = insertion.on_conflict_do_update(index_elements=["game", "options"], set_=updated)
    await connection.execute(statement, rows)


async def list_starts(connection: AsyncConnection, game: str, limit: int) -> dict[str, int]:
    """Return the options with which most games began, the most frequent first, with their numbers."""
    table = EXPLORER_STARTS.c
    statement = (
        select(table.options, table.games)
        .where(table.game == game, table.games > 0)
        .order_by(table.games.desc(), table.options)
        .limit(limit)
    )
    return await fetch_dict(connection, statement)


def _key(row: ExplorerMoveRow) -> tuple[int, str, int]:
    return row.position, row.move, row.players
