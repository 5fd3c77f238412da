"""Private notes about matches, as rows: one for each match and person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from storage.statements import insert
from storage.tables_private import NOTES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, match: int, person: str) -> str:
    """Give a person's note about a match, empty where there is none."""
    mine = (NOTES.c.match == match, NOTES.c.person == person)
    return (await connection.execute(select(NOTES.c.text).where(*mine))).scalar() or ""


async def put(connection: AsyncConnection, match: int, person: str, text: str, now: int) -> None:
    """Put a text in place of a person's note about a match; an empty one deletes it."""
    if not text:
        mine = (NOTES.c.match == match, NOTES.c.person == person)
        await connection.execute(delete(NOTES).where(*mine))
        return
    fresh = insert(connection, NOTES).values(match=match, person=person, text=text, changed_at=now)
    changed = {"text": fresh.excluded.text, "changed_at": fresh.excluded.changed_at}
    await connection.execute(fresh.on_conflict_do_update(index_elements=["match", "person"], set_=changed))
