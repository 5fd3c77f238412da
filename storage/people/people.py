"""Persons and servers that have been met."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import case, func, literal, or_, select, union, update

from storage.statements import dialect_insert, has_row, insert_if_new
from storage.tables import MATCHES, PEOPLE, SERVERS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy.dialects import postgresql, sqlite
    from sqlalchemy.ext.asyncio import AsyncConnection


DELETED_PREFIX = "deleted:"
"""The accounts that stand for persons whose data were erased begin with this."""

WEBSITE_PREFIX = "web:"
"""The accounts of the website begin with this."""


async def save(connection: AsyncConnection, account: str, name: str, now: int) -> None:
    """Insert a person or update their name. The row is locked until the commit even if nothing changes."""
    statement = _save_statement(connection.dialect.name)
    await connection.execute(statement, {"account": account, "name": name, "met_at": now})


async def save_all(connection: AsyncConnection, names: Mapping[str, str], now: int) -> None:
    """Save persons, given as names by account, in a fixed order to avoid deadlocks."""
    for account in sorted(names):
        await save(connection, account, names[account], now)


async def ensure(connection: AsyncConnection, account: str, name: str, now: int) -> None:
    """Insert a person unless the account is known, whose name then stays. Locked as by :func:`save`."""
    insertion = dialect_insert(connection, PEOPLE).values(account=account, name=name, met_at=now)
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=["account"], set_={"name": PEOPLE.c.name})
    )


async def is_closed(connection: AsyncConnection, account: str) -> bool:
    """Return whether moderators have closed an account."""
    where = (PEOPLE.c.account == account, PEOPLE.c.closed_at.is_not(None))
    return await has_row(connection, select(literal(1)).where(*where))


async def is_guest(connection: AsyncConnection, account: str, *, lock: bool = False) -> bool:
    """Return whether an account is a guest's; with `lock` nobody changes or erases it until the commit."""
    statement = select(literal(1)).where(PEOPLE.c.account == account, PEOPLE.c.is_guest.is_(True))
    return await has_row(connection, statement.with_for_update(key_share=True) if lock else statement)


async def end_guest(connection: AsyncConnection, account: str) -> None:
    """Record that a guest is a member now."""
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(is_guest=False))


async def has_name(
    connection: AsyncConnection, spellings: Collection[str], account: str, *, only_aliases: bool = False
) -> bool:
    """Return whether anybody but `account` has one of these names or aliases, in any case of ASCII."""
    lowered = sorted({one.lower() for one in spellings})
    columns = (PEOPLE.c.alias,) if only_aliases else (PEOPLE.c.name, PEOPLE.c.alias)
    is_equal = or_(*(column.in_(sorted(spellings)) | func.lower(column).in_(lowered) for column in columns))
    return await has_row(connection, select(literal(1)).where(is_equal, PEOPLE.c.account != account))


async def list_names_of_opponents(connection: AsyncConnection, account: str) -> set[str]:
    """Return the names and aliases of everybody with whom a person has played."""
    opponents = union(
        select(MATCHES.c.second).where(MATCHES.c.first == account),
        select(MATCHES.c.first).where(MATCHES.c.second == account),
    )
    rows = await connection.execute(
        select(PEOPLE.c.name, PEOPLE.c.alias).where(PEOPLE.c.account.in_(opponents))
    )
    return {name for row in rows for name in row if name}


async def ensure_server(connection: AsyncConnection, server: str, now: int) -> None:
    """Insert a server unless it exists."""
    await insert_if_new(connection, SERVERS, server=server, met_at=now)


@cache
def _save_statement(dialect: str) -> sqlite.Insert | postgresql.Insert:
    insertion = dialect_insert(dialect, PEOPLE)
    # Names of accounts of the website are chosen there; a late request must not bring back an old one.
    is_chosen = PEOPLE.c.handle.is_not(None) & PEOPLE.c.account.startswith(WEBSITE_PREFIX)
    name = case((is_chosen, PEOPLE.c.handle), else_=insertion.excluded.name)
    return insertion.on_conflict_do_update(index_elements=["account"], set_={"name": name})
