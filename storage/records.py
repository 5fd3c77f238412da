"""Imported records as rows. What the text says is the business of whoever reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from storage.statements import columns, insert, records
from storage.tables import RECORDS

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import Value


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


async def add(connection: AsyncConnection, server: str, digest: str, **values: Value) -> int:
    """Insert a record unless its server has one of that fingerprint; give the number of the one there is.

    `values` are the other columns of the table.
    """
    fresh = insert(connection, RECORDS).values(server=server, digest=digest, **values)
    await connection.execute(fresh.on_conflict_do_nothing())
    number: int = (await connection.execute(_of_text(server, digest))).scalar_one()
    return number


async def get(connection: AsyncConnection, record: int) -> RecordRow | None:
    """Give a record, None where there is none of that number."""
    statement = select(*columns(RecordRow, dict(RECORDS.c))).where(RECORDS.c.id == record)
    return next(iter(records(RecordRow, (await connection.execute(statement)).all())), None)


async def find(connection: AsyncConnection, server: str, digest: str) -> int | None:
    """Give the number of a record of `server` by its fingerprint, None where there is none."""
    number: int | None = (await connection.execute(_of_text(server, digest))).scalar()
    return number


async def count(connection: AsyncConnection, by: str, since: int) -> int:
    """Count the records that `by` has imported since a time."""
    mine = (RECORDS.c.by == by, RECORDS.c.made_at > since)
    return (await connection.execute(select(func.count()).select_from(RECORDS).where(*mine))).scalar_one()


def _of_text(server: str, digest: str) -> Select[Any]:
    return select(RECORDS.c.id).where(RECORDS.c.server == server, RECORDS.c.digest == digest)
