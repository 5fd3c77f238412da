"""Invitations by mail: what limits them."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import Text, cast, exists, func, literal, select

from storage.statements import dialect_insert, has_row
from storage.tables import CHALLENGES, IDENTITIES, LETTERS, STOPPED_ADDRESSES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def count_by(connection: AsyncConnection, by: str, kind: str, since: int) -> int:
    """Count the letters of a kind about challenges of `by`, written since a time in milliseconds."""
    details = literal('{"challenge": ') + cast(CHALLENGES.c.id, Text) + literal("}")
    is_theirs = exists().where(
        CHALLENGES.c.by == by,
        CHALLENGES.c.made_at > since,
        CHALLENGES.c.by_link,
        LETTERS.c.details == details,
    )
    where = (LETTERS.c.kind == kind, LETTERS.c.made_at > since, is_theirs)
    return int(await connection.scalar(select(func.count()).select_from(LETTERS).where(*where)) or 0)


async def find_reader(connection: AsyncConnection, platform: str, address: str) -> tuple[str | None, bool]:
    """Return the account that has confirmed an address, if any, and whether nothing may be sent there."""
    table = IDENTITIES.c
    where = (table.platform == platform, table.address == address)
    row = (
        await connection.execute(select(table.account, table.confirmed_at, table.stopped_at).where(*where))
    ).first()
    if row is None:
        stopped = select(literal(1)).where(STOPPED_ADDRESSES.c.digest == _digest(address))
        return None, await has_row(connection, stopped)
    return (None if row.confirmed_at is None else row.account), row.stopped_at is not None


async def stop(connection: AsyncConnection, address: str, now: int) -> None:
    """Let no invitation be sent to an address without an account."""
    values = {"digest": _digest(address), "stopped_at": now}
    await connection.execute(
        dialect_insert(connection, STOPPED_ADDRESSES).values(values).on_conflict_do_nothing()
    )


def _digest(address: str) -> str:
    return sha256(address.encode()).hexdigest()
