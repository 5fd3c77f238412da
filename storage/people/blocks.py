"""Persons excluded from the matches of a server, and persons blocked by others."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, delete, or_, select

from storage.statements import dialect_insert
from storage.tables import BLOCKS, EXCLUSIONS, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import BindParameter, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

AccountAndName = tuple[str, str]


async def exclude(connection: AsyncConnection, server: str, person: str, by: str, now: int) -> bool:
    """Exclude a person from a server; return whether that is new."""
    insertion = dialect_insert(connection, EXCLUSIONS).values(
        server=server, person=person, by=by, made_at=now
    )
    return (await connection.execute(insertion.on_conflict_do_nothing())).rowcount == 1


async def readmit(connection: AsyncConnection, server: str, person: str) -> bool:
    """Readmit a person to a server; return whether they were excluded."""
    deletion = delete(EXCLUSIONS).where(EXCLUSIONS.c.server == server, EXCLUSIONS.c.person == person)
    return (await connection.execute(deletion)).rowcount == 1


async def list_excluded_among(connection: AsyncConnection, server: str, persons: Sequence[str]) -> set[str]:
    """Return those of `persons` who are excluded from a server."""
    values = {"server": server, "persons": list(persons)}
    return set((await connection.execute(_select_excluded_among(), values)).scalars())


async def list_excluded(connection: AsyncConnection, server: str) -> list[AccountAndName]:
    """Return everybody who is excluded from a server, sorted by name."""
    source = EXCLUSIONS.join(PEOPLE, PEOPLE.c.account == EXCLUSIONS.c.person)
    query = select(PEOPLE.c.account, PEOPLE.c.name).select_from(source).where(EXCLUSIONS.c.server == server)
    rows = await connection.execute(query.order_by(PEOPLE.c.name, PEOPLE.c.account))
    return [(account, name) for account, name in rows]


async def block(connection: AsyncConnection, person: str, blocked: str, now: int) -> bool:
    """Make `person` block `blocked`; return whether that is new."""
    insertion = dialect_insert(connection, BLOCKS).values(person=person, blocked=blocked, made_at=now)
    return (await connection.execute(insertion.on_conflict_do_nothing())).rowcount == 1


async def unblock(connection: AsyncConnection, person: str, blocked: str) -> bool:
    """Remove a block; return whether there was one."""
    deletion = delete(BLOCKS).where(BLOCKS.c.person == person, BLOCKS.c.blocked == blocked)
    return (await connection.execute(deletion)).rowcount == 1


async def list_blocked(connection: AsyncConnection, person: str) -> list[AccountAndName]:
    """Return the persons that `person` blocks, sorted by name."""
    source = BLOCKS.join(PEOPLE, PEOPLE.c.account == BLOCKS.c.blocked)
    query = select(PEOPLE.c.account, PEOPLE.c.name).select_from(source).where(BLOCKS.c.person == person)
    rows = await connection.execute(query.order_by(PEOPLE.c.name, PEOPLE.c.account))
    return [(account, name) for account, name in rows]


async def find_blockers_between(connection: AsyncConnection, person: str, opponent: str) -> set[str]:
    """Return which of two persons blocks the other: none, one or both."""
    values = {"one": person, "other": opponent}
    return set((await connection.execute(_select_blockers_between(), values)).scalars())


@cache
def _select_excluded_among() -> Select[Any]:
    among = EXCLUSIONS.c.person.in_(bindparam("persons", expanding=True))
    return select(EXCLUSIONS.c.person).where(EXCLUSIONS.c.server == bindparam("server"), among)


@cache
def _select_blockers_between() -> Select[Any]:
    one: BindParameter[str] = bindparam("one")
    other: BindParameter[str] = bindparam("other")
    pairs = (
        and_(BLOCKS.c.person == one, BLOCKS.c.blocked == other),
        and_(BLOCKS.c.person == other, BLOCKS.c.blocked == one),
    )
    return select(BLOCKS.c.person).where(or_(*pairs))
