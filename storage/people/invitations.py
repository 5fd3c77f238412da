"""Invitations by mail: what limits them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Text, cast, exists, func, literal, select

from storage.tables import CHALLENGES, IDENTITIES, LETTERS

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
        return None, False
    return (None if row.confirmed_at is None else row.account), row.stopped_at is not None
