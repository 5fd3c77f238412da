"""Threads that were opened for matches, as rows, and what is to be done about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, exists, func, select, update

from storage.outbox import OutboxRow
from storage.statements import columns, insert, records
from storage.tables import MATCHES, OUTBOX
from storage.tables_servers import THREADS, TIDIED

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, FromClause, Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread and the place that it was opened in."""

    place: str
    server: str
    parent: str


async def add(connection: AsyncConnection, place: str, server: str, parent: str, now: int) -> None:
    """Note a thread that was opened, unless it is noted already."""
    fresh = insert(connection, THREADS).values(place=place, server=server, parent=parent, opened_at=now)
    await connection.execute(fresh.on_conflict_do_nothing())


async def get(connection: AsyncConnection, place: str) -> ThreadRow | None:
    """Give a thread, None where `place` is none that was opened for a match."""
    found = select(*columns(ThreadRow, dict(THREADS.c))).where(THREADS.c.place == place)
    return next(iter(records(ThreadRow, (await connection.execute(found)).all())), None)


async def move(connection: AsyncConnection, match: int, place: str) -> None:
    """Have a match, and whatever is still to be told of it, in another place."""
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(place=place))
    unsent = (OUTBOX.c.match == match, OUTBOX.c.sent_at.is_(None))
    await connection.execute(update(OUTBOX).where(*unsent).values(place=place))


async def matches_in(connection: AsyncConnection, place: str) -> list[int]:
    """Give the numbers of the matches in a place, in order; nobody else changes them meanwhile."""
    found = select(MATCHES.c.id).where(MATCHES.c.place == place).order_by(MATCHES.c.id).with_for_update()
    return list((await connection.execute(found)).scalars())


async def superseded(
    connection: AsyncConnection, kinds: tuple[str, ...], over: str, limit: int
) -> list[OutboxRow]:
    """Give posted announcements of some `kinds` in open threads that are not the latest of their match.

    Where the match is in the state `over` the latest is given too. Those up to the one that is noted as
    tidied are left out; of one match the oldest come first.
    """
    untidy = (await connection.execute(_untidy(kinds, over), {"limit": limit})).scalars().all()
    if not untidy:
        return []
    found = await connection.execute(_posts(kinds, over), {"untidy": untidy, "limit": limit})
    return records(OutboxRow, found.all())


@cache
def _posts(kinds: tuple[str, ...], over: str) -> Select[Any]:
    source = OUTBOX.join(MATCHES, MATCHES.c.id == OUTBOX.c.match).outerjoin(
        TIDIED, TIDIED.c.match == OUTBOX.c.match
    )
    mine = OUTBOX.c.match.in_(bindparam("untidy", expanding=True))
    return (
        select(*columns(OutboxRow, dict(OUTBOX.c)))
        .select_from(source)
        .where(mine, _superseded(OUTBOX, kinds, over))
        .order_by(OUTBOX.c.match, OUTBOX.c.id)
        .limit(bindparam("limit"))
    )


@cache
def _untidy(kinds: tuple[str, ...], over: str) -> Select[Any]:
    """Select matches in open threads that have something to tidy.

    They are sought thread by thread: the outer join keeps SQLite from walking through all matches, and asking
    for matches keeps it from walking through all that was ever announced.
    """
    posted = OUTBOX.alias("posted")
    source = THREADS.outerjoin(MATCHES, MATCHES.c.place == THREADS.c.place).outerjoin(
        TIDIED, TIDIED.c.match == MATCHES.c.id
    )
    some = exists().where(posted.c.match == MATCHES.c.id, _superseded(posted, kinds, over))
    found = select(MATCHES.c.id).select_from(source).where(THREADS.c.archived_at.is_(None), some)
    return found.limit(bindparam("limit"))


def _superseded(posted: FromClause, kinds: tuple[str, ...], over: str) -> ColumnElement[bool]:
    """Say whether an announcement, joined with its match, has a post for all that is to be tidied."""
    later = OUTBOX.alias("later")
    another = exists().where(
        later.c.match == posted.c.match,
        later.c.id > posted.c.id,
        later.c.post.is_not(None),
        later.c.to.is_(None),
        later.c.kind.in_(kinds),
    )
    return and_(
        posted.c.id > func.coalesce(TIDIED.c.announcement, 0),
        posted.c.post.is_not(None),
        posted.c.place == MATCHES.c.place,
        posted.c.to.is_(None),
        posted.c.kind.in_(kinds),
        (MATCHES.c.state == over) | another,
    )


async def tidied(connection: AsyncConnection, match: int, announcement: int) -> None:
    """Note that all posts of a match up to this announcement's are tidy."""
    fresh = insert(connection, TIDIED).values(match=match, announcement=announcement)
    values = {"announcement": announcement}
    await connection.execute(fresh.on_conflict_do_update(index_elements=["match"], set_=values))


async def done(connection: AsyncConnection, over: str, limit: int) -> list[ThreadRow]:
    """Give open threads all of whose matches are in the state `over`, with nothing left to be told."""
    return records(ThreadRow, (await connection.execute(_done(over), {"limit": limit})).all())


@cache
def _done(over: str) -> Select[Any]:
    playing = exists().where(MATCHES.c.place == THREADS.c.place, MATCHES.c.state != over)
    untold = exists().where(
        MATCHES.c.place == THREADS.c.place, OUTBOX.c.match == MATCHES.c.id, OUTBOX.c.sent_at.is_(None)
    )
    return (
        select(*columns(ThreadRow, dict(THREADS.c)))
        .where(THREADS.c.archived_at.is_(None), ~playing, ~untold)
        .order_by(THREADS.c.place)
        .limit(bindparam("limit"))
    )


async def archive(connection: AsyncConnection, place: str, now: int) -> None:
    """Note that a thread was archived."""
    await connection.execute(update(THREADS).where(THREADS.c.place == place).values(archived_at=now))


async def reopen(connection: AsyncConnection, place: str) -> None:
    """Note that something is about to happen in a thread again; does nothing elsewhere."""
    shut = (THREADS.c.place == place, THREADS.c.archived_at.is_not(None))
    await connection.execute(update(THREADS).where(*shut).values(archived_at=None))
