"""Imported records as rows. What the text says is the business of whoever reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select

from storage.statements import columns, records
from storage.tables import PEOPLE, RECORDS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import Value


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One imported record with the name of who imported it."""

    id: int
    by: str
    by_name: str
    server: str
    text: str
    game: str
    rules_version: int
    options: str
    position: str
    made_at: int


async def add(connection: AsyncConnection, **values: Value) -> int:
    """Insert a record and give its number. `values` are columns of the table."""
    made = insert(RECORDS).values(**values).returning(RECORDS.c.id)
    number: int = (await connection.execute(made)).scalar_one()
    return number


async def get(connection: AsyncConnection, record: int) -> RecordRow | None:
    """Give a record, None where there is none of that number."""
    sources = {**RECORDS.c, "by_name": PEOPLE.c.name}
    source = RECORDS.join(PEOPLE, PEOPLE.c.account == RECORDS.c.by)
    statement = select(*columns(RecordRow, sources)).select_from(source).where(RECORDS.c.id == record)
    return next(iter(records(RecordRow, (await connection.execute(statement)).all())), None)


async def find(connection: AsyncConnection, server: str, digest: str) -> int | None:
    """Give the number of a record of `server` by its fingerprint, None where there is none."""
    statement = select(RECORDS.c.id).where(RECORDS.c.server == server, RECORDS.c.digest == digest)
    number: int | None = (await connection.execute(statement)).scalar()
    return number


async def count(connection: AsyncConnection, by: str, since: int) -> int:
    """Count the records that `by` has imported since a time."""
    mine = (RECORDS.c.by == by, RECORDS.c.made_at > since)
    return (await connection.execute(select(func.count()).select_from(RECORDS).where(*mine))).scalar_one()
