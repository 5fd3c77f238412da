"""Browsers that show notifications for a person who is signed in there: one row for each session."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, select, update

from storage.statements import columns_for, fetch_rows, has_row, insert_or_update
from storage.tables import PUSH_SUBSCRIPTIONS, WEB_SESSIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class PushSubscriptionRow:
    """Where a browser is reached; `keys` is JSON, times are milliseconds since 1970 UTC."""

    id: int
    session: str
    endpoint: str
    keys: str
    device: str
    made_at: int
    used_at: int | None


async def lock_session(connection: AsyncConnection, session: str, account: str, now: int) -> bool:
    """Keep a session from ending until the commit; return whether the account has it."""
    conditions = (WEB_SESSIONS.c.id == session, WEB_SESSIONS.c.account == account)
    found = select(WEB_SESSIONS.c.id).where(*conditions, WEB_SESSIONS.c.expires_at > now)
    return await has_row(connection, found.with_for_update())


async def save(
    connection: AsyncConnection,
    account: str,
    session: str,
    endpoint: str,
    *,
    keys: str,
    device: str,
    now: int,
) -> None:
    """Have a browser be that of a session, which then has no other, whoever had it before."""
    others = (PUSH_SUBSCRIPTIONS.c.session == session, PUSH_SUBSCRIPTIONS.c.endpoint != endpoint)
    await connection.execute(delete(PUSH_SUBSCRIPTIONS).where(*others))
    values = {"account": account, "session": session, "keys": keys, "device": device, "made_at": now}
    await insert_or_update(connection, PUSH_SUBSCRIPTIONS, {"endpoint": endpoint}, **values, used_at=None)


async def list_for(connection: AsyncConnection, account: str, now: int) -> list[PushSubscriptionRow]:
    """Return the browsers of an account whose sessions have not ended, the newest first."""
    return await fetch_rows(
        connection, PushSubscriptionRow, _select_current(), {"account": account, "now": now}
    )


@cache
def _select_current() -> Select[Any]:
    table = PUSH_SUBSCRIPTIONS.c
    source = PUSH_SUBSCRIPTIONS.join(WEB_SESSIONS, WEB_SESSIONS.c.id == table.session)
    return (
        select(*columns_for(PushSubscriptionRow, dict(table)))
        .select_from(source)
        .where(table.account == bindparam("account"), WEB_SESSIONS.c.expires_at > bindparam("now"))
        .order_by(table.made_at.desc(), table.id.desc())
    )


async def mark_used(connection: AsyncConnection, ids: Sequence[int], now: int) -> None:
    """Store when notifications were sent to these browsers."""
    where = PUSH_SUBSCRIPTIONS.c.id.in_(ids)
    await connection.execute(update(PUSH_SUBSCRIPTIONS).where(where).values(used_at=now))


async def remove(connection: AsyncConnection, account: str, ids: Sequence[int]) -> None:
    """Delete browsers of an account."""
    where = (PUSH_SUBSCRIPTIONS.c.account == account, PUSH_SUBSCRIPTIONS.c.id.in_(ids))
    await connection.execute(delete(PUSH_SUBSCRIPTIONS).where(*where))
