"""What people settle beforehand in matches, as rows: one for each match and person.

No `repr` of a row shows what was settled. What the texts mean is the business of whoever writes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select, tuple_, update

from storage.statements import columns, insert, records
from storage.tables_private import CONDITIONALS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import Value


@dataclass(frozen=True, slots=True)
class ConditionalRow:
    """What one person has settled in one match, from the board `position` at `ply` on.

    Where it was `lost`, which says why, `ply` is the stamp of the board at that time. `due_at` is set while
    the person is still to be told.
    """

    match: int
    person: str
    ply: int
    position: str = field(repr=False)
    tree: str = field(repr=False)
    lost: str | None
    due_at: int | None
    attempts: int


async def get(connection: AsyncConnection, match: int, person: str) -> ConditionalRow | None:
    """Give what a person has settled in a match, None where that is nothing."""
    rows = (await connection.execute(_select().where(*_mine(match, person)))).all()
    return next(iter(records(ConditionalRow, rows)), None)


async def of_match(connection: AsyncConnection, match: int) -> list[ConditionalRow]:
    """Give what is settled in a match and not lost."""
    where = (CONDITIONALS.c.match == match, CONDITIONALS.c.lost.is_(None))
    return records(ConditionalRow, (await connection.execute(_select().where(*where))).all())


async def put(connection: AsyncConnection, match: int, person: str, **values: Value) -> None:
    """Keep what a person has settled in place of whatever was there. `values` are the other columns."""
    fresh = insert(connection, CONDITIONALS).values(match=match, person=person, **values)
    columns_set = {name: fresh.excluded[name] for name in values}
    await connection.execute(
        fresh.on_conflict_do_update(index_elements=["match", "person"], set_=columns_set)
    )


async def change(connection: AsyncConnection, match: int, person: str, **values: Value) -> None:
    """Set columns of what a person has settled."""
    await connection.execute(update(CONDITIONALS).where(*_mine(match, person)).values(**values))


async def forget(connection: AsyncConnection, match: int, person: str | None = None) -> None:
    """Delete what a person, or anybody, has settled in a match."""
    where = (CONDITIONALS.c.match == match,) if person is None else _mine(match, person)
    await connection.execute(delete(CONDITIONALS).where(*where))


async def forget_loss(connection: AsyncConnection, match: int, person: str, stamp: int) -> None:
    """Delete the loss at a board, unless something has been settled since."""
    await connection.execute(delete(CONDITIONALS).where(*_lost(match, person, stamp)))


async def silence_loss(connection: AsyncConnection, match: int, person: str, stamp: int) -> None:
    """Make the loss at a board due no more, but keep it."""
    await connection.execute(update(CONDITIONALS).where(*_lost(match, person, stamp)).values(due_at=None))


async def any_due(connection: AsyncConnection, now: int) -> bool:
    """Say whether somebody is to be told of a loss: a glance that locks nothing."""
    statement = select(CONDITIONALS.c.match).where(CONDITIONALS.c.due_at <= now).limit(1)
    return (await connection.execute(statement)).first() is not None


async def claim(connection: AsyncConnection, now: int, lease: int, limit: int) -> list[ConditionalRow]:
    """Take up to `limit` losses that somebody is to be told of, counting the attempt.

    Each is due again after `lease`. Two processes that claim at once never take the same row.
    """
    key = (CONDITIONALS.c.match, CONDITIONALS.c.person)
    due = (
        select(*key)
        .where(CONDITIONALS.c.due_at <= now)
        .order_by(CONDITIONALS.c.due_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    result = await connection.execute(
        update(CONDITIONALS)
        .where(tuple_(*key).in_(select(due.c.match, due.c.person)))
        .values(due_at=now + lease, attempts=CONDITIONALS.c.attempts + 1)
        .returning(*columns(ConditionalRow, dict(CONDITIONALS.c)))
    )
    return records(ConditionalRow, result.all())


def _mine(match: int, person: str) -> tuple[ColumnElement[bool], ...]:
    return CONDITIONALS.c.match == match, CONDITIONALS.c.person == person


def _lost(match: int, person: str, stamp: int) -> tuple[ColumnElement[bool], ...]:
    return *_mine(match, person), CONDITIONALS.c.lost.is_not(None), CONDITIONALS.c.ply == stamp


def _select() -> Select[Any]:
    return select(*columns(ConditionalRow, dict(CONDITIONALS.c)))
