"""Threads opened for matches, and which of them need cleaning up or archiving."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, exists, func, select, update

from storage.outbox import OutboxRow
from storage.statements import columns_for, convert_rows, dialect_insert
from storage.tables import CLEANED_POSTS, MATCHES, OUTBOX, THREADS

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, FromClause, Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread, the channel in which it was opened, and its server."""

    place: str
    server: str
    parent: str


async def add(connection: AsyncConnection, channel: str, server: str, parent: str, now: int) -> None:
    """Record a new thread, unless it is recorded already."""
    insertion = dialect_insert(connection, THREADS).values(
        place=channel, server=server, parent=parent, opened_at=now
    )
    await connection.execute(insertion.on_conflict_do_nothing())


async def get(connection: AsyncConnection, channel: str) -> ThreadRow | None:
    """Return a thread, or None if `channel` is not a thread opened for a match."""
    query = select(*columns_for(ThreadRow, dict(THREADS.c))).where(THREADS.c.place == channel)
    return next(iter(convert_rows(ThreadRow, (await connection.execute(query)).all())), None)


async def list_by_channels(connection: AsyncConnection, channels: Collection[str]) -> list[ThreadRow]:
    """Return the threads with these channel ids."""
    statement = select(*columns_for(ThreadRow, dict(THREADS.c))).where(THREADS.c.place.in_(list(channels)))
    return convert_rows(ThreadRow, (await connection.execute(statement)).all())


async def move_match(connection: AsyncConnection, match: int, channel: str) -> None:
    """Move a match and its unsent announcements to another channel."""
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(place=channel))
    unsent = (OUTBOX.c.match == match, OUTBOX.c.sent_at.is_(None))
    await connection.execute(update(OUTBOX).where(*unsent).values(place=channel))


async def list_outdated_posts(
    connection: AsyncConnection, kinds: tuple[str, ...], over_state: str, limit: int
) -> list[OutboxRow]:
    """Return sent announcements of some `kinds` in open threads that are not the latest of their match.

    If a match is in `over_state`, its latest is included. Those up to the match's cleanup mark are left out.
    The oldest of a match come first.
    """
    uncleaned = (
        (await connection.execute(_select_uncleaned(kinds, over_state), {"limit": limit})).scalars().all()
    )
    if not uncleaned:
        return []
    rows = await connection.execute(
        _select_outdated_posts(kinds, over_state), {"untidy": uncleaned, "limit": limit}
    )
    return convert_rows(OutboxRow, rows.all())


@cache
def _select_outdated_posts(kinds: tuple[str, ...], over_state: str) -> Select[Any]:
    source = OUTBOX.join(MATCHES, MATCHES.c.id == OUTBOX.c.match).outerjoin(
        CLEANED_POSTS, CLEANED_POSTS.c.match == OUTBOX.c.match
    )
    condition = OUTBOX.c.match.in_(bindparam("untidy", expanding=True))
    return (
        select(*columns_for(OutboxRow, dict(OUTBOX.c)))
        .select_from(source)
        .where(condition, _is_outdated(OUTBOX, kinds, over_state))
        .order_by(OUTBOX.c.match, OUTBOX.c.id)
        .limit(bindparam("limit"))
    )


@cache
def _select_uncleaned(kinds: tuple[str, ...], over_state: str) -> Select[Any]:
    """Select matches in open threads that have posts to clean up.

    The query goes thread by thread: the outer join keeps SQLite from scanning all matches, and selecting
    matches keeps it from scanning the whole outbox.
    """
    posted = OUTBOX.alias("posted")
    source = THREADS.outerjoin(MATCHES, MATCHES.c.place == THREADS.c.place).outerjoin(
        CLEANED_POSTS, CLEANED_POSTS.c.match == MATCHES.c.id
    )
    has_outdated = exists().where(posted.c.match == MATCHES.c.id, _is_outdated(posted, kinds, over_state))
    query = select(MATCHES.c.id).select_from(source).where(THREADS.c.archived_at.is_(None), has_outdated)
    return query.limit(bindparam("limit"))


def _is_outdated(posted: FromClause, kinds: tuple[str, ...], over_state: str) -> ColumnElement[bool]:
    """Return the condition that an announcement, joined with its match, has a public post to clean up."""
    later_posts = OUTBOX.alias("later")
    has_later = exists().where(
        later_posts.c.match == posted.c.match,
        later_posts.c.id > posted.c.id,
        later_posts.c.post.is_not(None),
        later_posts.c.to.is_(None),
        later_posts.c.kind.in_(kinds),
    )
    return and_(
        posted.c.id > func.coalesce(CLEANED_POSTS.c.announcement, 0),
        posted.c.post.is_not(None),
        posted.c.place == MATCHES.c.place,
        posted.c.to.is_(None),
        posted.c.kind.in_(kinds),
        (MATCHES.c.state == over_state) | has_later,
    )


async def mark_cleaned(connection: AsyncConnection, match: int, announcement: int) -> None:
    """Record that the posts of a match up to this announcement are cleaned up."""
    insertion = dialect_insert(connection, CLEANED_POSTS).values(match=match, announcement=announcement)
    values = {"announcement": announcement}
    await connection.execute(insertion.on_conflict_do_update(index_elements=["match"], set_=values))


async def list_finished(connection: AsyncConnection, over_state: str, limit: int) -> list[ThreadRow]:
    """Return open threads whose matches are all in `over_state`, with nothing left to send."""
    return convert_rows(
        ThreadRow, (await connection.execute(_select_finished(over_state), {"limit": limit})).all()
    )


@cache
def _select_finished(over_state: str) -> Select[Any]:
    playing = exists().where(MATCHES.c.place == THREADS.c.place, MATCHES.c.state != over_state)
    unsent = exists().where(
        MATCHES.c.place == THREADS.c.place, OUTBOX.c.match == MATCHES.c.id, OUTBOX.c.sent_at.is_(None)
    )
    return (
        select(*columns_for(ThreadRow, dict(THREADS.c)))
        .where(THREADS.c.archived_at.is_(None), ~playing, ~unsent)
        .order_by(THREADS.c.place)
        .limit(bindparam("limit"))
    )


async def mark_archived(connection: AsyncConnection, channel: str, now: int) -> None:
    """Record that a thread was archived."""
    await connection.execute(update(THREADS).where(THREADS.c.place == channel).values(archived_at=now))


async def reopen(connection: AsyncConnection, channel: str) -> None:
    """Record that a thread will be used again; does nothing for other channels."""
    conditions = (THREADS.c.place == channel, THREADS.c.archived_at.is_not(None))
    await connection.execute(update(THREADS).where(*conditions).values(archived_at=None))
