"""Conditional moves: one row for each match and person.

The tree is in the format of `matches.conditionals.tree`. The `repr` of a row does not show the moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select, tuple_, update

from storage.statements import columns_for, fetch_row, fetch_rows, has_row, insert_or_update, select_rows
from storage.tables import CONDITIONAL_MOVES

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class ConditionalMovesRow:
    """The conditional moves of one person in one match, starting from `position` at `ply`.

    After their loss `lost` is the reason and `ply` the board revision at which it happened; `due_at` is set
    while the person is yet to be notified.
    """

    match: int
    person: str
    ply: int
    position: str = field(repr=False)
    tree: str = field(repr=False)
    lost: str | None
    due_at: int | None
    attempts: int


async def get(connection: AsyncConnection, match: int, person: str) -> ConditionalMovesRow | None:
    """Return a person's conditional moves in a match, or None."""
    return await fetch_row(connection, ConditionalMovesRow, _select().where(*_is_of(match, person)))


async def list_valid(connection: AsyncConnection, match: int) -> list[ConditionalMovesRow]:
    """Return the conditional moves in a match that are not lost."""
    where = (CONDITIONAL_MOVES.c.match == match, CONDITIONAL_MOVES.c.lost.is_(None))
    return await fetch_rows(connection, ConditionalMovesRow, _select().where(*where))


async def save(connection: AsyncConnection, match: int, person: str, **values: ColumnValue) -> None:
    """Insert or replace a person's conditional moves. `values` are the other columns."""
    await insert_or_update(connection, CONDITIONAL_MOVES, {"match": match, "person": person}, **values)


async def update_columns(connection: AsyncConnection, match: int, person: str, **values: ColumnValue) -> None:
    """Set columns of a person's conditional moves."""
    await connection.execute(update(CONDITIONAL_MOVES).where(*_is_of(match, person)).values(**values))


async def remove(connection: AsyncConnection, match: int, person: str | None = None) -> None:
    """Delete the conditional moves in a match, of one person or of everybody."""
    where = (CONDITIONAL_MOVES.c.match == match,) if person is None else _is_of(match, person)
    await connection.execute(delete(CONDITIONAL_MOVES).where(*where))


async def delete_loss_notice(connection: AsyncConnection, match: int, person: str, revision: int) -> None:
    """Delete the loss at a board revision unless new conditional moves were saved since."""
    await connection.execute(delete(CONDITIONAL_MOVES).where(*_is_lost_at(match, person, revision)))


async def mark_notice_undeliverable(
    connection: AsyncConnection, match: int, person: str, revision: int
) -> None:
    """Keep the loss at a board revision, but make its notice not due any more."""
    await connection.execute(
        update(CONDITIONAL_MOVES).where(*_is_lost_at(match, person, revision)).values(due_at=None)
    )


async def any_notice_due(connection: AsyncConnection, prefix: str, now: int) -> bool:
    """Return whether a notice of a loss is due for an account of a platform, without locking anything."""
    statement = select(CONDITIONAL_MOVES.c.match).where(*_is_due(prefix, now)).limit(1)
    return await has_row(connection, statement)


async def claim_due_notices(
    connection: AsyncConnection, prefix: str, now: int, lease: int, limit: int
) -> list[ConditionalMovesRow]:
    """Claim up to `limit` due notices of losses for accounts of a platform, and count the attempt.

    Each is due again after `lease` milliseconds. Two processes never claim the same row.
    """
    key = (CONDITIONAL_MOVES.c.match, CONDITIONAL_MOVES.c.person)
    due = (
        select(*key)
        .where(*_is_due(prefix, now))
        .order_by(CONDITIONAL_MOVES.c.due_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    return await fetch_rows(
        connection,
        ConditionalMovesRow,
        update(CONDITIONAL_MOVES)
        .where(tuple_(*key).in_(select(due.c.match, due.c.person)))
        .values(due_at=now + lease, attempts=CONDITIONAL_MOVES.c.attempts + 1)
        .returning(*columns_for(ConditionalMovesRow, dict(CONDITIONAL_MOVES.c))),
    )


def _is_due(prefix: str, now: int) -> tuple[ColumnElement[bool], ...]:
    return CONDITIONAL_MOVES.c.due_at <= now, CONDITIONAL_MOVES.c.person.startswith(prefix, autoescape=True)


def _is_of(match: int, person: str) -> tuple[ColumnElement[bool], ...]:
    return CONDITIONAL_MOVES.c.match == match, CONDITIONAL_MOVES.c.person == person


def _is_lost_at(match: int, person: str, revision: int) -> tuple[ColumnElement[bool], ...]:
    return *_is_of(match, person), CONDITIONAL_MOVES.c.lost.is_not(None), CONDITIONAL_MOVES.c.ply == revision


def _select() -> Select[Any]:
    return select_rows(ConditionalMovesRow, CONDITIONAL_MOVES)
