"""Threads that were opened for matches, as rows, and what is to be done about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, exists, func, select, update

from storage.outbox import OutboxRow
from storage.statements import columns_for, convert_rows, dialect_insert
from storage.tables import CLEANED_POSTS, MATCHES, OUTBOX, THREADS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, FromClause, Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread and the place that it was opened in."""

    place: str
    server: str
    parent: str


async def add(connection: AsyncConnection, channel: str, server: str, parent: str, now: int) -> None:
    """Note a thread that was opened, unless it is noted already."""
    insertion = dialect_insert(connection, THREADS).values(
        place=channel, server=server, parent=parent, opened_at=now
    )
    await connection.execute(insertion.on_conflict_do_nothing())


async def get(connection: AsyncConnection, channel: str) -> ThreadRow | None:
    """Return a thread, None where `channel` is none that was opened for a match."""
    query = select(*columns_for(ThreadRow, dict(THREADS.c))).where(THREADS.c.place == channel)
    return next(iter(convert_rows(ThreadRow, (await connection.execute(query)).all())), None)


async def move_match(connection: AsyncConnection, match: int, channel: str) -> None:
    """Have a match, and whatever is still to be told of it, in another place."""
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(place=channel))
    unsent = (OUTBOX.c.match == match, OUTBOX.c.sent_at.is_(None))
    await connection.execute(update(OUTBOX).where(*unsent).values(place=channel))


async def lock_matches_in(connection: AsyncConnection, channel: str) -> list[int]:
    """Return the numbers of the matches in a place, in order; nobody else changes them meanwhile."""
    query = select(MATCHES.c.id).where(MATCHES.c.place == channel).order_by(MATCHES.c.id).with_for_update()
    return list((await connection.execute(query)).scalars())


async def list_outdated_posts(
    connection: AsyncConnection, kinds: tuple[str, ...], over_state: str, limit: int
) -> list[OutboxRow]:
    """Return posted announcements of some `kinds` in open threads that are not the latest of their match.

    Where the match is in the state `over_state` the latest is given too. Those up to the one that is noted as
    tidied are left out; of one match the oldest come first.
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
    """Select matches in open threads that have something to tidy.

    They are sought thread by thread: the outer join keeps SQLite from walking through all matches, and asking
    for matches keeps it from walking through all that was ever announced.
    """
    posted = OUTBOX.alias("posted")
    source = THREADS.outerjoin(MATCHES, MATCHES.c.place == THREADS.c.place).outerjoin(
        CLEANED_POSTS, CLEANED_POSTS.c.match == MATCHES.c.id
    )
    has_outdated = exists().where(posted.c.match == MATCHES.c.id, _is_outdated(posted, kinds, over_state))
    query = select(MATCHES.c.id).select_from(source).where(THREADS.c.archived_at.is_(None), has_outdated)
    return query.limit(bindparam("limit"))


def _is_outdated(posted: FromClause, kinds: tuple[str, ...], over_state: str) -> ColumnElement[bool]:
    """Return whether an announcement, joined with its match, has a post for all that is to be tidied."""
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
    """Note that all posts of a match up to this announcement's are tidy."""
    insertion = dialect_insert(connection, CLEANED_POSTS).values(match=match, announcement=announcement)
    values = {"announcement": announcement}
    await connection.execute(insertion.on_conflict_do_update(index_elements=["match"], set_=values))


async def list_finished(connection: AsyncConnection, over_state: str, limit: int) -> list[ThreadRow]:
    """Return open threads all of whose matches are in the state `over_state`.

    With nothing left to be told.
    """
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
    """Note that a thread was archived."""
    await connection.execute(update(THREADS).where(THREADS.c.place == channel).values(archived_at=now))


async def reopen(connection: AsyncConnection, channel: str) -> None:
    """Note that something is about to happen in a thread again; does nothing elsewhere."""
    conditions = (THREADS.c.place == channel, THREADS.c.archived_at.is_not(None))
    await connection.execute(update(THREADS).where(*conditions).values(archived_at=None))
