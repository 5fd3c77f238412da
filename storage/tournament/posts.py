"""The posts that announce a tournament: rows of the outbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, update

from storage.posting.outbox import OutboxRow
from storage.statements import fetch_rows, is_not_newest, select_rows
from storage.tables import OUTBOX

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def list_sent(connection: AsyncConnection, tournament: int, kind: str, limit: int) -> list[OutboxRow]:
    """Return the announcements of a kind about a tournament that were posted, the newest first."""
    wanted = (OUTBOX.c.tournament == tournament, OUTBOX.c.kind == kind, OUTBOX.c.post.is_not(None))
    statement = select_rows(OutboxRow, OUTBOX).where(*wanted, OUTBOX.c.to.is_(None))
    return await fetch_rows(connection, OutboxRow, statement.order_by(OUTBOX.c.id.desc()).limit(limit))


async def is_waiting(connection: AsyncConnection, tournament: int, kind: str, details: str) -> bool:
    """Return whether an announcement with these details waits that nobody has claimed.

    It is locked until the commit, so that whoever claims it then sees what this transaction has changed.
    """
    wanted = (OUTBOX.c.tournament == tournament, OUTBOX.c.kind == kind, OUTBOX.c.details == details)
    unclaimed = (OUTBOX.c.sent_at.is_(None), OUTBOX.c.attempts == 0)
    statement = update(OUTBOX).where(*wanted, *unclaimed).values(attempts=0)
    return (await connection.execute(statement)).rowcount > 0


async def delete_sent(connection: AsyncConnection, tournament: int, kind: str, details: str) -> None:
    """Delete the announcements with these details that were sent, but the newest row of the outbox.

    SQLite would give its id to the next one, and posts have the ids of their announcements.
    """
    wanted = (OUTBOX.c.tournament == tournament, OUTBOX.c.kind == kind, OUTBOX.c.details == details)
    is_sent = (OUTBOX.c.sent_at.is_not(None), is_not_newest(OUTBOX))
    await connection.execute(delete(OUTBOX).where(*wanted, *is_sent))
