"""Who gets puzzles by mail: each day, and how many they have asked for besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from storage.statements import fetch_row, fetch_rows, has_row, insert_or_update, select_rows
from storage.tables import PUZZLE_MAILS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class PuzzleMailRow:
    """What a person gets; see `storage.tables.PUZZLE_MAILS`."""

    person: str
    minute: int
    next_at: int | None
    day: str | None
    unanswered: int
    asked_on: str | None
    asked: int
    mailed: str | None


async def find(connection: AsyncConnection, person: str, *, lock: bool = False) -> PuzzleMailRow | None:
    """Return what a person gets, None if they have never asked; with `lock` nobody else changes it."""
    statement = select_rows(PuzzleMailRow, PUZZLE_MAILS).where(PUZZLE_MAILS.c.person == person)
    return await fetch_row(connection, PuzzleMailRow, statement.with_for_update() if lock else statement)


async def save(connection: AsyncConnection, person: str, **values: ColumnValue) -> None:
    """Insert what a person gets, or change these columns of it."""
    await insert_or_update(connection, PUZZLE_MAILS, {"person": person}, **values)


async def list_due(connection: AsyncConnection, now: int, limit: int) -> list[PuzzleMailRow]:
    """Return at most `limit` of those whose mail is due, the longest waiting first; locks nothing."""
    table = PUZZLE_MAILS.c
    statement = select_rows(PuzzleMailRow, PUZZLE_MAILS).where(table.next_at <= now)
    ordered = statement.order_by(table.next_at, table.person).limit(limit)
    return await fetch_rows(connection, PuzzleMailRow, ordered)


async def record_answer(connection: AsyncConnection, person: str) -> None:
    """Record that a person tries puzzles."""
    table = PUZZLE_MAILS.c
    where = (table.person == person, table.unanswered > 0)
    if await has_row(connection, select(table.person).where(*where)):
        await connection.execute(update(PUZZLE_MAILS).where(*where).values(unanswered=0))
