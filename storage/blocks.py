"""Who is kept out of a server, and who has blocked whom, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, or_, select

from storage.statements import insert
from storage.tables import PEOPLE
from storage.tables_servers import BARS, BLOCKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

Named = tuple[str, str]  # account and name


async def bar(connection: AsyncConnection, server: str, person: str, by: str, now: int) -> bool:
    """Keep a person out of a server; say whether that is news."""
    fresh = insert(connection, BARS).values(server=server, person=person, by=by, made_at=now)
    return (await connection.execute(fresh.on_conflict_do_nothing())).rowcount == 1


async def unbar(connection: AsyncConnection, server: str, person: str) -> bool:
    """Let a person in again; say whether that is news."""
    gone = delete(BARS).where(BARS.c.server == server, BARS.c.person == person)
    return (await connection.execute(gone)).rowcount == 1


async def barred(connection: AsyncConnection, server: str, persons: Sequence[str]) -> set[str]:
    """Give those of `persons` who are kept out of a server."""
    kept = select(BARS.c.person).where(BARS.c.server == server, BARS.c.person.in_(persons))
    return set((await connection.execute(kept)).scalars())


async def all_barred(connection: AsyncConnection, server: str) -> list[Named]:
    """Give everybody who is kept out of a server, by name."""
    source = BARS.join(PEOPLE, PEOPLE.c.account == BARS.c.person)
    found = select(PEOPLE.c.account, PEOPLE.c.name).select_from(source).where(BARS.c.server == server)
    rows = await connection.execute(found.order_by(PEOPLE.c.name, PEOPLE.c.account))
    return [(account, name) for account, name in rows]


async def block(connection: AsyncConnection, person: str, blocked: str, now: int) -> bool:
    """Let a person block another; say whether that is news."""
    fresh = insert(connection, BLOCKS).values(person=person, blocked=blocked, made_at=now)
    return (await connection.execute(fresh.on_conflict_do_nothing())).rowcount == 1


async def unblock(connection: AsyncConnection, person: str, blocked: str) -> bool:
    """Let a person take a block back; say whether that is news."""
    gone = delete(BLOCKS).where(BLOCKS.c.person == person, BLOCKS.c.blocked == blocked)
    return (await connection.execute(gone)).rowcount == 1


async def blocked_by(connection: AsyncConnection, person: str) -> list[Named]:
    """Give everybody whom a person has blocked, by name."""
    source = BLOCKS.join(PEOPLE, PEOPLE.c.account == BLOCKS.c.blocked)
    found = select(PEOPLE.c.account, PEOPLE.c.name).select_from(source).where(BLOCKS.c.person == person)
    rows = await connection.execute(found.order_by(PEOPLE.c.name, PEOPLE.c.account))
    return [(account, name) for account, name in rows]


async def between(connection: AsyncConnection, one: str, other: str) -> set[str]:
    """Give which of two people has blocked the other; it may be both."""
    pairs = (
        and_(BLOCKS.c.person == one, BLOCKS.c.blocked == other),
        and_(BLOCKS.c.person == other, BLOCKS.c.blocked == one),
    )
    return set((await connection.execute(select(BLOCKS.c.person).where(or_(*pairs)))).scalars())
