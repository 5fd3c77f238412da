"""Generations of seat keys. A seat without a row has generation 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.statements import dialect_insert
from storage.tables import SEAT_KEYS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, ScalarSelect
    from sqlalchemy.ext.asyncio import AsyncConnection


def generation_of(match: ColumnElement[int], person: ColumnElement[str]) -> ScalarSelect[int | None]:
    """Return the generation of the keys of a seat as a part of another query; NULL for 0."""
    keys = SEAT_KEYS.alias()
    return select(keys.c.number).where(keys.c.match == match, keys.c.person == person).scalar_subquery()


async def rotate(connection: AsyncConnection, match: int, person: str) -> int:
    """Increment the generation of a person's keys in a match and return it."""
    insertion = dialect_insert(connection, SEAT_KEYS).values(match=match, person=person, number=1)
    statement = insertion.on_conflict_do_update(
        index_elements=["match", "person"], set_={"number": SEAT_KEYS.c.number + 1}
    )
    generation: int = (await connection.execute(statement.returning(SEAT_KEYS.c.number))).scalar_one()
    return generation
