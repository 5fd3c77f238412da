"""Generations of seat keys. A seat without a row has generation 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.statements import dialect_insert
from storage.tables import SEAT_KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection


async def get_generation(connection: AsyncConnection, match: int, person: str) -> int:
    """Return the generation of a person's keys in a match."""
    conditions = (SEAT_KEYS.c.match == match, SEAT_KEYS.c.person == person)
    return await connection.scalar(select(SEAT_KEYS.c.number).where(*conditions)) or 0


async def list_generations(connection: AsyncConnection, ids: Sequence[int]) -> dict[tuple[int, str], int]:
    """Return the generations of the keys in these matches by match and person, without those that are 0."""
    statement = select(SEAT_KEYS.c.match, SEAT_KEYS.c.person, SEAT_KEYS.c.number)
    rows = await connection.execute(statement.where(SEAT_KEYS.c.match.in_(ids)))
    return {(match, person): number for match, person, number in rows}


async def rotate(connection: AsyncConnection, match: int, person: str) -> int:
    """Increment the generation of a person's keys in a match and return it."""
    insertion = dialect_insert(connection, SEAT_KEYS).values(match=match, person=person, number=1)
    statement = insertion.on_conflict_do_update(
        index_elements=["match", "person"], set_={"number": SEAT_KEYS.c.number + 1}
    )
    generation: int = (await connection.execute(statement.returning(SEAT_KEYS.c.number))).scalar_one()
    return generation
