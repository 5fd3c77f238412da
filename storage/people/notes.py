"""Private notes: one row for each match and person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from storage.statements import insert_or_update
from storage.tables import NOTES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, match: int, person: str) -> str:
    """Return a person's note on a match, empty if there is none."""
    conditions = (NOTES.c.match == match, NOTES.c.person == person)
    return (await connection.execute(select(NOTES.c.text).where(*conditions))).scalar() or ""


async def save(connection: AsyncConnection, match: int, person: str, text: str, now: int) -> None:
    """Replace a person's note on a match; an empty text deletes it."""
    if not text:
        conditions = (NOTES.c.match == match, NOTES.c.person == person)
        await connection.execute(delete(NOTES).where(*conditions))
        return
    await insert_or_update(connection, NOTES, {"match": match, "person": person}, text=text, changed_at=now)
