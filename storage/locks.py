"""Locks of seats as rows. A number says how often a lock was changed; without a row it never was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.statements import insert
from storage.tables import LOCKS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, match: int, person: str) -> int:
    """Give the number of a person's lock at a match."""
    mine = (LOCKS.c.match == match, LOCKS.c.person == person)
    number: int | None = (await connection.execute(select(LOCKS.c.number).where(*mine))).scalar()
    return number or 0


async def change(connection: AsyncConnection, match: int, person: str) -> int:
    """Count a person's lock at a match up by one and give its new number."""
    fresh = insert(connection, LOCKS).values(match=match, person=person, number=1)
    counted = fresh.on_conflict_do_update(
        index_elements=["match", "person"], set_={"number": LOCKS.c.number + 1}
    )
    number: int = (await connection.execute(counted.returning(LOCKS.c.number))).scalar_one()
    return number
