"""Corrections of results. Rows are only added, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select

from storage.statements import columns_for, convert_rows
from storage.tables import CORRECTIONS, PEOPLE

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """One correction: who made it, the stated reason (`text`), and the result before and after."""

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


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert a correction and return its id. `values` are columns of the table."""
    insertion = insert(CORRECTIONS).values(**values).returning(CORRECTIONS.c.id)
    row_id: int = (await connection.execute(insertion)).scalar_one()
    return row_id


async def list_for_match(connection: AsyncConnection, match: int) -> list[CorrectionRow]:
    """Return the corrections of a match, the oldest first."""
    return convert_rows(
        CorrectionRow, (await connection.execute(_select_for_match(), {"match": match})).all()
    )


@cache
def _select_for_match() -> Select[Any]:
    sources = {**CORRECTIONS.c, "by_name": PEOPLE.c.name}
    source = CORRECTIONS.join(PEOPLE, PEOPLE.c.account == CORRECTIONS.c.by)
    condition = CORRECTIONS.c.match == bindparam("match")
    query = select(*columns_for(CorrectionRow, sources)).select_from(source).where(condition)
    return query.order_by(CORRECTIONS.c.id)
