"""Lines of analyses put away, as rows. What the text says is the business of whoever writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from storage.statements import insert
from storage.tables_private import SKETCHES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def find(connection: AsyncConnection, person: str, digest: str) -> int | None:
    """Give the number of a person's line by its fingerprint, None where there is none."""
    mine = (SKETCHES.c.person == person, SKETCHES.c.digest == digest)
    number: int | None = (await connection.execute(select(SKETCHES.c.id).where(*mine))).scalar()
    return number


async def add(connection: AsyncConnection, person: str, digest: str, text: str, now: int) -> int:
    """Insert a line, unless the person has one of that fingerprint, and give the number of that line."""
    fresh = insert(connection, SKETCHES).values(person=person, digest=digest, text=text, made_at=now)
    await connection.execute(fresh.on_conflict_do_nothing())
    number = await find(connection, person, digest)
    if number is None:
        raise LookupError(f"no line of {person} was added")
    return number


async def get(connection: AsyncConnection, number: int, person: str) -> str | None:
    """Give the text of a person's line, None where there is none of that number."""
    mine = (SKETCHES.c.id == number, SKETCHES.c.person == person)
    text: str | None = (await connection.execute(select(SKETCHES.c.text).where(*mine))).scalar()
    return text


async def forget_old(connection: AsyncConnection, person: str, kept: int) -> None:
    """Delete a person's lines but for the latest `kept`."""
    mine = SKETCHES.c.person == person
    latest = select(SKETCHES.c.id).where(mine).order_by(SKETCHES.c.id.desc())
    oldest = latest.offset(kept).limit(1).scalar_subquery()
    await connection.execute(delete(SKETCHES).where(mine, SKETCHES.c.id <= oldest))
