"""Lines of analyses put away, as rows. What the text says is the business of whoever writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from storage.statements import dialect_insert
from storage.tables import ANALYSIS_LINES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def find_by_digest(connection: AsyncConnection, person: str, digest: str) -> int | None:
    """Return the number of a person's line by its fingerprint, None where there is none."""
    conditions = (ANALYSIS_LINES.c.person == person, ANALYSIS_LINES.c.digest == digest)
    line: int | None = (await connection.execute(select(ANALYSIS_LINES.c.id).where(*conditions))).scalar()
    return line


async def add(connection: AsyncConnection, person: str, digest: str, text: str, now: int) -> int:
    """Insert a line, unless the person has one of that fingerprint, and give the number of that line."""
    insertion = dialect_insert(connection, ANALYSIS_LINES).values(
        person=person, digest=digest, text=text, made_at=now
    )
    await connection.execute(insertion.on_conflict_do_nothing())
    line = await find_by_digest(connection, person, digest)
    if line is None:
        raise LookupError(f"no line of {person} was added")
    return line


async def get(connection: AsyncConnection, line: int, person: str) -> str | None:
    """Return the text of a person's line, None where there is none of that number."""
    conditions = (ANALYSIS_LINES.c.id == line, ANALYSIS_LINES.c.person == person)
    text: str | None = (await connection.execute(select(ANALYSIS_LINES.c.text).where(*conditions))).scalar()
    return text


async def delete_old(connection: AsyncConnection, person: str, max_kept: int) -> None:
    """Delete a person's lines but for the latest `max_kept`."""
    condition = ANALYSIS_LINES.c.person == person
    latest = select(ANALYSIS_LINES.c.id).where(condition).order_by(ANALYSIS_LINES.c.id.desc())
    newest_deleted = latest.offset(max_kept).limit(1).scalar_subquery()
    await connection.execute(delete(ANALYSIS_LINES).where(condition, ANALYSIS_LINES.c.id <= newest_deleted))
