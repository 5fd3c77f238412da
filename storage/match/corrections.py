"""Corrections of results. Rows are only added, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.statements import columns_for, fetch_rows, insert_row
from storage.tables import CORRECTIONS, PEOPLE

if TYPE_CHECKING:
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
    return await insert_row(connection, CORRECTIONS, **values)


async def list_for_match(connection: AsyncConnection, match: int) -> list[CorrectionRow]:
    """Return the corrections of a match, the oldest first."""
    statement = (
        select(*columns_for(CorrectionRow, {**CORRECTIONS.c, "by_name": PEOPLE.c.name}))
        .join(PEOPLE, PEOPLE.c.account == CORRECTIONS.c.by)
        .where(CORRECTIONS.c.match == match)
        .order_by(CORRECTIONS.c.id)
    )
    return await fetch_rows(connection, CorrectionRow, statement)
