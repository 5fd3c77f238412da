"""Imported game records. The format of the text is defined in `engine.records`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from storage.statements import count_where, fetch_row, insert_if_new, select_rows
from storage.tables import RECORDS

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One imported record."""

    id: int
    server: str
    text: str
    game: str
    rules_version: int
    options: str
    position: str


async def add(connection: AsyncConnection, server: str, digest: str, **values: ColumnValue) -> int:
    """Insert a record unless its server has one with this digest; return the id of that record.

    `values` are the other columns of the table.
    """
    await insert_if_new(connection, RECORDS, server=server, digest=digest, **values)
    row_id: int = (await connection.execute(_select_by_digest(server, digest))).scalar_one()
    return row_id


async def get(connection: AsyncConnection, record: int) -> RecordRow | None:
    """Return a record, or None."""
    statement = select_rows(RecordRow, RECORDS).where(RECORDS.c.id == record)
    return await fetch_row(connection, RecordRow, statement)


async def find_by_digest(connection: AsyncConnection, server: str, digest: str) -> int | None:
    """Return the id of the record of `server` with this digest, or None."""
    row_id: int | None = await connection.scalar(_select_by_digest(server, digest))
    return row_id


async def count_since(connection: AsyncConnection, by: str, since: int) -> int:
    """Count the records that `by` has imported since a time in milliseconds."""
    return await count_where(connection, RECORDS, RECORDS.c.by == by, RECORDS.c.made_at > since)


def _select_by_digest(server: str, digest: str) -> Select[Any]:
    return select(RECORDS.c.id).where(RECORDS.c.server == server, RECORDS.c.digest == digest)
