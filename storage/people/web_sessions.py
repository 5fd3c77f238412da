"""Sessions of people who signed in on the website, and the grants with which their servers are read again.

Only who signed in with Discord has a grant. Where it is revoked, the sessions of its account end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, exists, insert, select, update

from storage.statements import columns_for, fetch_row, fetch_rows, insert_or_update
from storage.tables import (
    MODERATION_LOG,
    PEOPLE,
    PUSH_SUBSCRIPTIONS,
    SERVERS,
    WEB_GRANTS,
    WEB_SESSIONS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session with the name and the servers of its account; times are milliseconds since 1970 UTC.

    `servers`, `read_at` and `next_read_at` are None for an account without a grant. `is_warned`: a
    warning of moderators is not confirmed yet.
    """

    id: str
    account: str
    name: str
    is_guest: bool
    device: str
    made_at: int
    used_at: int
    expires_at: int
    servers: str | None
    read_at: int | None
    next_read_at: int | None
    is_warned: bool


def _select() -> Select[Any]:
    is_warned = exists().where(
        MODERATION_LOG.c.about == WEB_SESSIONS.c.account,
        MODERATION_LOG.c.action == "warn",
        MODERATION_LOG.c.seen_at.is_(None),
    )
    sources = {**PEOPLE.c, **WEB_GRANTS.c, **WEB_SESSIONS.c, "is_warned": is_warned}
    source = WEB_SESSIONS.join(PEOPLE, PEOPLE.c.account == WEB_SESSIONS.c.account).outerjoin(
        WEB_GRANTS, WEB_GRANTS.c.account == WEB_SESSIONS.c.account
    )
    return select(*columns_for(SessionRow, sources)).select_from(source)


@cache
def select_valid() -> Select[Any]:
    """Select the session `session_id`, unless it has expired at `now` or its account is closed."""
    is_valid = (WEB_SESSIONS.c.expires_at > bindparam("now"), PEOPLE.c.closed_at.is_(None))
    return _select().where(WEB_SESSIONS.c.id == bindparam("session_id"), *is_valid)


async def load(connection: AsyncConnection, session_id: str, now: int) -> SessionRow | None:
    """Return a session that has not expired; None if there is none with this id."""
    return await fetch_row(connection, SessionRow, select_valid(), {"session_id": session_id, "now": now})


async def list_for(connection: AsyncConnection, account: str, now: int) -> list[SessionRow]:
    """Return the sessions of an account that have not expired, the last used first."""
    statement = _select().where(WEB_SESSIONS.c.account == account, WEB_SESSIONS.c.expires_at > now)
    ordered = statement.order_by(WEB_SESSIONS.c.used_at.desc(), WEB_SESSIONS.c.id)
    return await fetch_rows(connection, SessionRow, ordered)


async def save(
    connection: AsyncConnection, session_id: str, account: str, device: str, now: int, expires_at: int
) -> None:
    """Insert a session."""
    values = {"account": account, "device": device, "made_at": now, "used_at": now, "expires_at": expires_at}
    await connection.execute(insert(WEB_SESSIONS).values(id=session_id, **values))


async def mark_used(connection: AsyncConnection, session_id: str, now: int) -> None:
    """Store when a session was used last."""
    await connection.execute(update(WEB_SESSIONS).where(WEB_SESSIONS.c.id == session_id).values(used_at=now))


async def prolong(connection: AsyncConnection, session_id: str, expires_at: int) -> None:
    """Let a session last until `expires_at`."""
    statement = update(WEB_SESSIONS).where(WEB_SESSIONS.c.id == session_id).values(expires_at=expires_at)
    await connection.execute(statement)


async def remove(connection: AsyncConnection, account: str, session_id: str | None = None) -> None:
    """Delete a session of an account, or all of them, with their browsers that show notifications."""
    conditions = [WEB_SESSIONS.c.account == account]
    if session_id is not None:
        conditions.append(WEB_SESSIONS.c.id == session_id)
    await _delete(connection, *conditions)


async def list_expired_accounts(connection: AsyncConnection, now: int) -> list[str]:
    """Return the accounts of sessions that have expired, in order."""
    statement = select(WEB_SESSIONS.c.account).where(WEB_SESSIONS.c.expires_at <= now)
    return sorted(set(await connection.scalars(statement)))


async def remove_expired(connection: AsyncConnection, account: str, now: int) -> None:
    """Delete the sessions of an account that have expired, with their browsers that show notifications."""
    await _delete(connection, WEB_SESSIONS.c.account == account, WEB_SESSIONS.c.expires_at <= now)


async def _delete(connection: AsyncConnection, *conditions: ColumnElement[bool]) -> None:
    ended = select(WEB_SESSIONS.c.id).where(*conditions)
    await connection.execute(delete(PUSH_SUBSCRIPTIONS).where(PUSH_SUBSCRIPTIONS.c.session.in_(ended)))
    await connection.execute(delete(WEB_SESSIONS).where(*conditions))


async def lock_grant(connection: AsyncConnection, account: str) -> None:
    """Let nobody else change the grant of an account, or which sessions it has, until the commit."""
    await connection.execute(
        select(WEB_GRANTS.c.account).where(WEB_GRANTS.c.account == account).with_for_update()
    )


async def save_grant(
    connection: AsyncConnection, account: str, token: str, servers: str, now: int, next_read_at: int
) -> None:
    """Insert the grant of an account, or replace it."""
    values = {"token": token, "servers": servers, "read_at": now, "next_read_at": next_read_at}
    await insert_or_update(connection, WEB_GRANTS, {"account": account}, **values)


async def claim_grant(
    connection: AsyncConnection, account: str, due_at: int, next_read_at: int
) -> str | None:
    """Set when the servers are read next if that is still `due_at`, and return the token; else None.

    So only one of several requests, also in several processes, reads them.
    """
    statement = (
        update(WEB_GRANTS)
        .where(WEB_GRANTS.c.account == account, WEB_GRANTS.c.next_read_at == due_at)
        .values(next_read_at=next_read_at)
        .returning(WEB_GRANTS.c.token)
    )
    token: str | None = await connection.scalar(statement)
    return token


async def renew_token(connection: AsyncConnection, account: str, old_token: str, token: str) -> None:
    """Replace the token of a grant that still has `old_token`."""
    conditions = (WEB_GRANTS.c.account == account, WEB_GRANTS.c.token == old_token)
    await connection.execute(update(WEB_GRANTS).where(*conditions).values(token=token))


async def save_servers(
    connection: AsyncConnection, account: str, token: str, servers: str, now: int, next_read_at: int
) -> None:
    """Replace the servers of a grant that has this token."""
    conditions = (WEB_GRANTS.c.account == account, WEB_GRANTS.c.token == token)
    values = {"servers": servers, "read_at": now, "next_read_at": next_read_at}
    await connection.execute(update(WEB_GRANTS).where(*conditions).values(**values))


async def remove_grant(connection: AsyncConnection, account: str, token: str) -> bool:
    """Delete the grant of an account if it still has this token; return whether it had."""
    conditions = (WEB_GRANTS.c.account == account, WEB_GRANTS.c.token == token)
    return (await connection.execute(delete(WEB_GRANTS).where(*conditions))).rowcount == 1


async def remove_unused_grant(connection: AsyncConnection, account: str) -> str | None:
    """Delete the grant of an account that has no session, and return its token; else return None."""
    is_used = exists().where(WEB_SESSIONS.c.account == WEB_GRANTS.c.account)
    statement = delete(WEB_GRANTS).where(WEB_GRANTS.c.account == account, ~is_used)
    return await connection.scalar(statement.returning(WEB_GRANTS.c.token))


async def list_known_servers(connection: AsyncConnection, servers: Sequence[str]) -> list[str]:
    """Return those of these servers that have been met, in order."""
    statement = select(SERVERS.c.server).where(SERVERS.c.server.in_(servers)).order_by(SERVERS.c.server)
    return list(await connection.scalars(statement))
