"""Matches that leave their channel, and the announcements that this concerns."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, exists, select, update

from storage.posting.outbox import IS_NO_COPY, OutboxRow
from storage.statements import fetch_rows, has_row, select_rows
from storage.tables import CHALLENGES, MATCHES, OUTBOX, THREADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

TRIED = (OUTBOX.c.sent_at.is_(None), OUTBOX.c.due_at > 0, OUTBOX.c.attempts > 0)
"""Not sent, and tried before. The condition on `due_at` makes SQLite read the index of unsent rows only."""


async def list_threads_in(connection: AsyncConnection, channel: str) -> list[str]:
    """Return the threads that were opened for matches in a channel."""
    return list(await connection.scalars(select(THREADS.c.place).where(THREADS.c.parent == channel)))


async def list_matches(
    connection: AsyncConnection, server: str, channels: Sequence[str] | None, over_state: str
) -> list[int]:
    """Return the matches in some channels, or with None in the whole server, that have to leave them.

    Those are the matches that are not over, and those with a public announcement that is not sent.
    """
    unsent = exists().where(OUTBOX.c.match == MATCHES.c.id, OUTBOX.c.sent_at.is_(None), OUTBOX.c.to.is_(None))
    here = MATCHES.c.server == server if channels is None else MATCHES.c.place.in_(channels)
    where = (here, MATCHES.c.direct_since.is_(None), (MATCHES.c.state != over_state) | unsent)
    return list(
        (await connection.execute(select(MATCHES.c.id).where(*where).order_by(MATCHES.c.id))).scalars()
    )


async def list_challenges(
    connection: AsyncConnection, server: str, channels: Sequence[str] | None
) -> list[int]:
    """Return the challenges in some channels, or in the whole server, with a public announcement to send."""
    unsent = exists().where(
        OUTBOX.c.challenge == CHALLENGES.c.id, OUTBOX.c.sent_at.is_(None), OUTBOX.c.to.is_(None)
    )
    here = CHALLENGES.c.server == server if channels is None else CHALLENGES.c.place.in_(channels)
    statement = select(CHALLENGES.c.id).where(here, unsent).order_by(CHALLENGES.c.id)
    return list(await connection.scalars(statement))


async def list_open_challenges(
    connection: AsyncConnection, server: str, channels: Sequence[str] | None, open_state: str, now: int
) -> list[int]:
    """Return the unexpired challenges in `open_state` in some channels, or in the whole server."""
    here = CHALLENGES.c.server == server if channels is None else CHALLENGES.c.place.in_(channels)
    where = (here, CHALLENGES.c.state == open_state, CHALLENGES.c.expires_at > now)
    statement = select(CHALLENGES.c.id).where(*where).order_by(CHALLENGES.c.id)
    return list(await connection.scalars(statement))


async def list_used(
    connection: AsyncConnection, prefix: str, states: Sequence[str], server: str | None = None
) -> list[tuple[str, str, str | None]]:
    """Return server, channel and, of a match's own thread, the parent, where matches in `states` are played.

    `prefix` is how the channels begin, `server` the only one to look at. A place in which something is still
    to be posted is left out: it may not be open yet.
    """
    unsent = exists().where(OUTBOX.c.match == MATCHES.c.id, OUTBOX.c.sent_at.is_(None), OUTBOX.c.to.is_(None))
    in_use = [MATCHES.c.state.in_(states), MATCHES.c.direct_since.is_(None), ~unsent]
    in_use += [] if server is None else [MATCHES.c.server == server]
    statement = (
        select(MATCHES.c.server, MATCHES.c.place, THREADS.c.parent)
        .select_from(MATCHES.outerjoin(THREADS, THREADS.c.place == MATCHES.c.place))
        .where(*in_use, MATCHES.c.place.like(f"{prefix}%"))
        .distinct()
    )
    return [(row.server, row.place, row.parent) for row in await connection.execute(statement)]


async def list_direct(
    connection: AsyncConnection, server: str, states: Sequence[str], kind: str
) -> dict[int, tuple[str, tuple[str, str], str]]:
    """Return the matches of a server in `states` that are played in direct messages, with why they are.

    That is the channel, the players, and the details of the announcement of `kind` written at that time.
    """
    statement = (
        select(MATCHES.c.id, MATCHES.c.place, MATCHES.c.first, MATCHES.c.second, OUTBOX.c.details)
        .join(OUTBOX, (OUTBOX.c.match == MATCHES.c.id) & (OUTBOX.c.made_at == MATCHES.c.direct_since))
        .where(MATCHES.c.server == server, MATCHES.c.state.in_(states), OUTBOX.c.kind == kind)
        .order_by(MATCHES.c.id)
    )
    rows = await connection.execute(statement)
    return {row.id: (row.place, (row.first, row.second), row.details) for row in rows}


async def list_unsent(
    connection: AsyncConnection, *, match: int | None = None, challenge: int | None = None
) -> list[OutboxRow]:
    """Return the public announcements of a match or a challenge that are not sent, in order."""
    subject = OUTBOX.c.challenge == challenge if match is None else OUTBOX.c.match == match
    statement = (
        select_rows(OutboxRow, OUTBOX)
        .where(subject, OUTBOX.c.sent_at.is_(None), OUTBOX.c.to.is_(None))
        .order_by(OUTBOX.c.id)
    )
    return await fetch_rows(connection, OutboxRow, statement)


async def list_undelivered(connection: AsyncConnection, match: int) -> list[OutboxRow]:
    """Return the announcements of a match that were tried in vain, and all private ones to send, in order.

    Copies for other platforms than those of players and places are left out.
    """
    statement = (
        select_rows(OutboxRow, OUTBOX)
        .where(
            OUTBOX.c.match == match,
            OUTBOX.c.sent_at.is_(None),
            (OUTBOX.c.attempts > 0) | OUTBOX.c.to.is_not(None),
            IS_NO_COPY,
        )
        .order_by(OUTBOX.c.id)
    )
    return await fetch_rows(connection, OutboxRow, statement)


async def list_failed_to(connection: AsyncConnection, account: str, platform: str) -> list[OutboxRow]:
    """Return the announcements to one account on a platform that were tried in vain."""
    values = {"account": account, "platform": platform}
    return await fetch_rows(connection, OutboxRow, _select_failed_to(), values)


async def list_untold(connection: AsyncConnection, platform: str) -> list[str]:
    """Return the accounts to which an announcement was tried in vain on a platform."""
    where = (*TRIED, OUTBOX.c.to.is_not(None), OUTBOX.c.platform == platform)
    return list(await connection.scalars(select(OUTBOX.c.to).where(*where).distinct()))


async def discard_private(
    connection: AsyncConnection,
    match: int,
    kinds_kept: Sequence[str],
    now: int,
    *,
    to: str | None = None,
    platform: str | None = None,
) -> None:
    """Mark unsent private announcements of a match as never to be sent: to one account, or on a platform."""
    where = [
        OUTBOX.c.match == match,
        OUTBOX.c.sent_at.is_(None),
        OUTBOX.c.to.is_not(None) if to is None else OUTBOX.c.to == to,
        OUTBOX.c.kind.not_in(kinds_kept),
        *(() if platform is None else (OUTBOX.c.platform == platform,)),
    ]
    await connection.execute(update(OUTBOX).where(*where).values(sent_at=now))


async def discard_to(connection: AsyncConnection, match: int, kind: str, by: str, to: str, now: int) -> None:
    """Mark the unsent announcements of a kind by one player to the other as never to be sent."""
    unsent = (OUTBOX.c.match == match, OUTBOX.c.sent_at.is_(None), OUTBOX.c.to == to)
    statement = update(OUTBOX).where(*unsent, OUTBOX.c.kind == kind, OUTBOX.c.by == by)
    await connection.execute(statement.values(sent_at=now))


async def make_due(connection: AsyncConnection, platform: str, now: int) -> None:
    """Make the private announcements of a platform due that were tried in vain."""
    where = (*TRIED, OUTBOX.c.to.is_not(None), OUTBOX.c.platform == platform)
    await connection.execute(update(OUTBOX).where(*where).values(due_at=now))


async def has_private(connection: AsyncConnection, challenge: int, platform: str) -> bool:
    """Return whether a challenge was announced privately on a platform because its place was lost."""
    is_told_why = OUTBOX.c.details.contains('"reason"')
    of_challenge = (OUTBOX.c.challenge == challenge, OUTBOX.c.to.is_not(None))
    where = (*of_challenge, OUTBOX.c.platform == platform, is_told_why)
    return await has_row(connection, select(OUTBOX.c.id).where(*where).limit(1))


@cache
def _select_failed_to() -> Select[Any]:
    where = (*TRIED, OUTBOX.c.to == bindparam("account"), OUTBOX.c.platform == bindparam("platform"))
    return select_rows(OutboxRow, OUTBOX).where(*where)
