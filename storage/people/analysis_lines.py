"""Saved analysis lines. What the text contains is defined in `matches.people.analysis_lines`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from storage.statements import insert_if_new
from storage.tables import ANALYSIS_LINES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def find_by_digest(connection: AsyncConnection, person: str, digest: str) -> int | None:
    """Return the id of a person's line with this digest, or None."""
    conditions = (ANALYSIS_LINES.c.person == person, ANALYSIS_LINES.c.digest == digest)
    return await connection.scalar(select(ANALYSIS_LINES.c.id).where(*conditions))


async def add(connection: AsyncConnection, person: str, digest: str, text: str, now: int) -> int:
    """Insert a line unless the person has one with this digest; return the id of that line."""
    await insert_if_new(connection, ANALYSIS_LINES, person=person, digest=digest, text=text, made_at=now)
    line = await find_by_digest(connection, person, digest)
    if line is None:
        raise LookupError(f"no line of {person} was added")
    return line


async def get(connection: AsyncConnection, line: int, person: str) -> str | None:
    """Return the text of a person's line, or None if the person has no line with this id."""
    conditions = (ANALYSIS_LINES.c.id == line, ANALYSIS_LINES.c.person == person)
    return await connection.scalar(select(ANALYSIS_LINES.c.text).where(*conditions))


async def delete_old(connection: AsyncConnection, person: str, max_kept: int) -> None:
    """Delete all but the newest `max_kept` lines of a person."""
    condition = ANALYSIS_LINES.c.person == person
    latest = select(ANALYSIS_LINES.c.id).where(condition).order_by(ANALYSIS_LINES.c.id.desc())
    newest_deleted = latest.offset(max_kept).limit(1).scalar_subquery()
    await connection.execute(delete(ANALYSIS_LINES).where(condition, ANALYSIS_LINES.c.id <= newest_deleted))
