"""Persons excluded from the matches of a server, and persons blocked by others."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from sqlalchemy import and_, case, delete, literal, or_, select

from storage.statements import insert_if_new
from storage.tables import BLOCKS, EXCLUSIONS, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

AccountAndName = tuple[str, str]


class Bar(IntEnum):
    """Why a person can start nothing, the strongest last."""

    EXCLUDED = 1  # from the server, by its moderators
    OFF_WEBSITE = 2  # from the website, by its moderators
    CLOSED = 3  # the account is closed


async def exclude(connection: AsyncConnection, server: str, person: str, by: str, now: int) -> bool:
    """Exclude a person from a server; return whether that is new."""
    return await insert_if_new(connection, EXCLUSIONS, server=server, person=person, by=by, made_at=now)


async def readmit(connection: AsyncConnection, server: str, person: str) -> bool:
    """Readmit a person to a server; return whether they were excluded."""
    deletion = delete(EXCLUSIONS).where(EXCLUSIONS.c.server == server, EXCLUSIONS.c.person == person)
    return (await connection.execute(deletion)).rowcount == 1


async def list_barred(
    connection: AsyncConnection, server: str, website: str, website_prefix: str, persons: Sequence[str]
) -> dict[str, Bar]:
    """Return those of `persons` who can start nothing on a server, with the strongest reason.

    An account that begins with `website_prefix` is nowhere else than on the server `website`.
    """
    is_of_website = EXCLUSIONS.c.person.startswith(website_prefix, autoescape=True)
    is_here = (EXCLUSIONS.c.server == server) | ((EXCLUSIONS.c.server == website) & is_of_website)
    bar = case((EXCLUSIONS.c.server == website, Bar.OFF_WEBSITE.value), else_=Bar.EXCLUDED.value)
    found = select(EXCLUSIONS.c.person, bar).where(EXCLUSIONS.c.person.in_(persons), is_here)
    closed = select(PEOPLE.c.account, literal(Bar.CLOSED.value)).where(
        PEOPLE.c.account.in_(persons), PEOPLE.c.closed_at.is_not(None)
    )
    rows = [(account, Bar(why)) for account, why in await connection.execute(found.union_all(closed))]
    return dict(sorted(rows, key=lambda row: row[1]))


async def list_excluded(connection: AsyncConnection, server: str) -> list[AccountAndName]:
    """Return everybody who is excluded from a server, sorted by name."""
    return await _list_people(connection, EXCLUSIONS.c.person, EXCLUSIONS.c.server == server)


async def block(connection: AsyncConnection, person: str, blocked: str, now: int) -> bool:
    """Make `person` block `blocked`; return whether that is new."""
    return await insert_if_new(connection, BLOCKS, person=person, blocked=blocked, made_at=now)


async def unblock(connection: AsyncConnection, person: str, blocked: str) -> bool:
    """Remove a block; return whether there was one."""
    deletion = delete(BLOCKS).where(BLOCKS.c.person == person, BLOCKS.c.blocked == blocked)
    return (await connection.execute(deletion)).rowcount == 1


async def list_blocked(connection: AsyncConnection, person: str) -> list[AccountAndName]:
    """Return the persons that `person` blocks, sorted by name."""
    return await _list_people(connection, BLOCKS.c.blocked, BLOCKS.c.person == person)


async def list_blocked_by(connection: AsyncConnection, persons: Collection[str]) -> set[str]:
    """Return the accounts that any of `persons` blocks."""
    statement = select(BLOCKS.c.blocked).where(BLOCKS.c.person.in_(sorted(persons)))
    return set(await connection.scalars(statement))


async def find_blockers_between(connection: AsyncConnection, person: str, opponent: str) -> set[str]:
    """Return which of two persons blocks the other: none, one or both."""
    pairs = (
        and_(BLOCKS.c.person == one, BLOCKS.c.blocked == other)
        for one, other in ((person, opponent), (opponent, person))
    )
    return set(await connection.scalars(select(BLOCKS.c.person).where(or_(*pairs))))


async def _list_people(
    connection: AsyncConnection, account: ColumnElement[str], condition: ColumnElement[bool]
) -> list[AccountAndName]:
    query = select(PEOPLE.c.account, PEOPLE.c.name).where(PEOPLE.c.account == account, condition)
    rows = await connection.execute(query.order_by(PEOPLE.c.name, PEOPLE.c.account))
    return [(account, name) for account, name in rows]
