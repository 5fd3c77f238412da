"""Invitations by mail: what limits them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Text, and_, cast, delete, exists, func, literal, select

from storage.statements import dialect_insert
from storage.tables import CHALLENGES, IDENTITIES, INVITED_ADDRESSES, LETTERS

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


async def claim_address(connection: AsyncConnection, digest: str, now: int, before: int) -> bool:
    """Record an invitation to an address; return False if it refuses them or had one since `before`.

    Of several who invite one address at the same time one gets True: the others wait for its transaction.
    """
    table, insertion = INVITED_ADDRESSES.c, dialect_insert(connection, INVITED_ADDRESSES)
    statement = (
        insertion.values(digest=digest, invited_at=now)
        .on_conflict_do_update(
            index_elements=["digest"],
            set_={"invited_at": now},
            where=and_(table.refused_at.is_(None), table.invited_at <= before),
        )
        .returning(table.digest)
    )
    return (await connection.execute(statement)).first() is not None


async def refuse(connection: AsyncConnection, digest: str, now: int) -> None:
    """Record that an address refuses all invitations from now on."""
    table, insertion = INVITED_ADDRESSES.c, dialect_insert(connection, INVITED_ADDRESSES)
    await connection.execute(
        insertion.values(digest=digest, invited_at=now, refused_at=now).on_conflict_do_update(
            index_elements=["digest"], set_={"refused_at": now}, where=table.refused_at.is_(None)
        )
    )


async def delete_old(connection: AsyncConnection, before: int) -> None:
    """Forget the addresses that refuse nothing and were invited before a time."""
    table = INVITED_ADDRESSES.c
    where = (table.refused_at.is_(None), table.invited_at < before)
    await connection.execute(delete(INVITED_ADDRESSES).where(*where))
