"""Threads opened for matches, and which of them need archiving."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import exists, update

from storage.statements import fetch_row, fetch_rows, insert_if_new, select_rows
from storage.tables import MATCHES, OUTBOX, THREADS

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread, the channel in which it was opened, and its server."""

    place: str
    server: str
    parent: str


async def add(connection: AsyncConnection, channel: str, server: str, parent: str, now: int) -> None:
    """Record a new thread, unless it is recorded already."""
    await insert_if_new(connection, THREADS, place=channel, server=server, parent=parent, opened_at=now)


async def get(connection: AsyncConnection, channel: str) -> ThreadRow | None:
    """Return a thread, or None if `channel` is not a thread opened for a match."""
    query = select_rows(ThreadRow, THREADS).where(THREADS.c.place == channel)
    return await fetch_row(connection, ThreadRow, query)


async def list_by_channels(connection: AsyncConnection, channels: Collection[str]) -> list[ThreadRow]:
    """Return the threads with these channel ids."""
    statement = select_rows(ThreadRow, THREADS).where(THREADS.c.place.in_(list(channels)))
    return await fetch_rows(connection, ThreadRow, statement)


async def move_match(connection: AsyncConnection, match: int, channel: str) -> None:
    """Move a match and its unsent announcements to another channel of the same platform."""
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(place=channel))
    unsent = (OUTBOX.c.match == match, OUTBOX.c.sent_at.is_(None))
    await connection.execute(update(OUTBOX).where(*unsent).values(place=channel))


async def list_finished(
    connection: AsyncConnection, platform: str, over_state: str, limit: int
) -> list[ThreadRow]:
    """Return open threads of a platform whose matches are all in `over_state`, with nothing to send there."""
    playing = exists().where(MATCHES.c.place == THREADS.c.place, MATCHES.c.state != over_state)
    unsent = exists().where(
        MATCHES.c.place == THREADS.c.place,
        OUTBOX.c.match == MATCHES.c.id,
        OUTBOX.c.sent_at.is_(None),
        OUTBOX.c.platform == platform,
    )
    statement = (
        select_rows(ThreadRow, THREADS)
        .where(THREADS.c.archived_at.is_(None), THREADS.c.place.like(f"{platform}:%"), ~playing, ~unsent)
        .order_by(THREADS.c.place)
        .limit(limit)
    )
    return await fetch_rows(connection, ThreadRow, statement)


async def mark_archived(connection: AsyncConnection, channel: str, now: int) -> None:
    """Record that a thread was archived."""
    await connection.execute(update(THREADS).where(THREADS.c.place == channel).values(archived_at=now))


async def reopen(connection: AsyncConnection, channel: str) -> None:
    """Record that a thread will be used again; does nothing for other channels."""
    conditions = (THREADS.c.place == channel, THREADS.c.archived_at.is_not(None))
    await connection.execute(update(THREADS).where(*conditions).values(archived_at=None))
