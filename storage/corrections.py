"""Corrected results as rows: they are only ever added."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select

from storage.statements import columns, records
from storage.tables import PEOPLE
from storage.tables_servers import CORRECTIONS

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import Value


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """One correction: who made it and why, the result before it and the one after it."""

    id: int
    match: int
    by: str
    by_name: str
    text: str
    old_outcome: str | None
    old_reason: str
    outcome: str | None
    reason: str
    made_at: int


async def add(connection: AsyncConnection, **values: Value) -> int:
    """Insert a correction and give its number. `values` are columns of the table."""
    made = insert(CORRECTIONS).values(**values).returning(CORRECTIONS.c.id)
    number: int = (await connection.execute(made)).scalar_one()
    return number


async def of_match(connection: AsyncConnection, match: int) -> list[CorrectionRow]:
    """Give the corrections of a match, oldest first."""
    return records(CorrectionRow, (await connection.execute(_of_match(), {"match": match})).all())


@cache
def _of_match() -> Select[Any]:
    sources = {**CORRECTIONS.c, "by_name": PEOPLE.c.name}
    source = CORRECTIONS.join(PEOPLE, PEOPLE.c.account == CORRECTIONS.c.by)
    mine = CORRECTIONS.c.match == bindparam("match")
    found = select(*columns(CorrectionRow, sources)).select_from(source).where(mine)
    return found.order_by(CORRECTIONS.c.id)
