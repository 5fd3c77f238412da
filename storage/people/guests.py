"""Guests of the website: persons without a name of their own, known by their sessions alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import exists, insert, select

from storage.statements import count_where, has_row
from storage.tables import PEOPLE, WEB_SESSIONS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


async def add(connection: AsyncConnection, account: str, name: str, now: int) -> None:
    """Insert a guest, whose account is new."""
    values = {"account": account, "name": name, "met_at": now, "is_guest": True}
    await connection.execute(insert(PEOPLE).values(values))


async def count_sessions(connection: AsyncConnection, account: str) -> int:
    """Return how many sessions an account has, expired or not."""
    return await count_where(connection, WEB_SESSIONS, WEB_SESSIONS.c.account == account)


async def list_gone(connection: AsyncConnection, now: int, limit: int) -> list[str]:
    """Return at most `limit` guests without a session that is valid at `now`, the oldest first."""
    statement = select(PEOPLE.c.account).where(_is_gone(now)).order_by(PEOPLE.c.met_at).limit(limit)
    return list(await connection.scalars(statement))


async def is_gone(connection: AsyncConnection, account: str, now: int) -> bool:
    """Return whether an account is that of a guest without a session that is valid at `now`."""
    return await has_row(
        connection, select(PEOPLE.c.account).where(PEOPLE.c.account == account, _is_gone(now))
    )


def _is_gone(now: int) -> ColumnElement[bool]:
    valid = exists().where(WEB_SESSIONS.c.account == PEOPLE.c.account, WEB_SESSIONS.c.expires_at > now)
    return PEOPLE.c.is_guest.is_(True) & ~valid
