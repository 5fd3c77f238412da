"""Matches in progress that a person has never played in: nobody misses them when the person is erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, or_, select

from storage.statements import is_not_newest
from storage.tables import CHALLENGES, MATCHES, METADATA, MOVES, OUTBOX, PICKS

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection


async def list_unplayed(connection: AsyncConnection, account: str, over_state: str) -> list[int]:
    """Return the matches outside the state `over_state` in which a person has neither moved nor picked.

    Not the newest one, nor that of the newest announcement or challenge, whose id SQLite would use again.
    """
    is_announced = exists().where(OUTBOX.c.match == MATCHES.c.id, ~is_not_newest(OUTBOX))
    has_challenge = exists().where(CHALLENGES.c.id == MATCHES.c.challenge, is_not_newest(CHALLENGES))
    statement = select(MATCHES.c.id).where(
        or_(MATCHES.c.first == account, MATCHES.c.second == account),
        MATCHES.c.state != over_state,
        ~exists().where(MOVES.c.match == MATCHES.c.id, MOVES.c.person == account),
        ~exists().where(PICKS.c.match == MATCHES.c.id, PICKS.c.person == account),
        is_not_newest(MATCHES),
        has_challenge,
        ~is_announced,
    )
    return list(await connection.scalars(statement.order_by(MATCHES.c.id)))


async def delete_match(connection: AsyncConnection, match: int) -> None:
    """Delete a match of :func:`list_unplayed` with all that refers to it, and its challenge."""
    found = select(MATCHES.c.challenge).where(MATCHES.c.id == match)
    challenge: int = (await connection.execute(found)).scalar_one()
    await _delete_row(connection, MATCHES, match)
    await _delete_row(connection, CHALLENGES, challenge)


async def _delete_row(connection: AsyncConnection, table: Table, number: int) -> None:
    """Delete the row with an id, after all rows that refer to it."""
    columns = (column for one in METADATA.tables.values() for column in one.c)
    for column in columns:
        if any(key.column is table.c.id for key in column.foreign_keys):
            await connection.execute(delete(column.table).where(column == number))
    await connection.execute(delete(table).where(table.c.id == number))
