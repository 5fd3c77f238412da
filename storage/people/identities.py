"""Addresses of persons besides those that their accounts are themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from storage.statements import columns_for, convert_rows, dialect_insert
from storage.tables import IDENTITIES

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class IdentityRow:
    """An address on a platform and the account of the person; times in milliseconds since 1970 UTC."""

    platform: str
    address: str
    account: str
    made_at: int
    confirmed_at: int | None


async def get(connection: AsyncConnection, platform: str, address: str) -> IdentityRow | None:
    """Return an identity, or None."""
    return next(iter(await _fetch(connection, *_is(platform, address))), None)


async def list_for_account(connection: AsyncConnection, account: str) -> list[IdentityRow]:
    """Return the identities of an account, by platform and address."""
    return await _fetch(connection, IDENTITIES.c.account == account)


async def list_all(connection: AsyncConnection) -> list[IdentityRow]:
    """Return every identity."""
    return await _fetch(connection)


async def save(connection: AsyncConnection, identity: IdentityRow) -> None:
    """Insert or replace an identity."""
    values = {
        "account": identity.account,
        "made_at": identity.made_at,
        "confirmed_at": identity.confirmed_at,
    }
    insertion = dialect_insert(connection, IDENTITIES).values(
        platform=identity.platform, address=identity.address, **values
    )
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=["platform", "address"], set_=values)
    )


async def confirm(connection: AsyncConnection, account: str, platform: str, address: str, now: int) -> bool:
    """Mark an address of an account as confirmed; return whether it has that address."""
    own = (*_is(platform, address), IDENTITIES.c.account == account)
    changed = await connection.execute(update(IDENTITIES).where(*own).values(confirmed_at=now))
    return changed.rowcount == 1


async def remove(connection: AsyncConnection, account: str, platform: str, address: str) -> bool:
    """Delete an address of an account; return whether it had that address."""
    own = (*_is(platform, address), IDENTITIES.c.account == account)
    return (await connection.execute(delete(IDENTITIES).where(*own))).rowcount == 1


def _is(platform: str, address: str) -> tuple[ColumnElement[bool], ...]:
    return IDENTITIES.c.platform == platform, IDENTITIES.c.address == address


async def _fetch(connection: AsyncConnection, *where: ColumnElement[bool]) -> list[IdentityRow]:
    statement = select(*columns_for(IdentityRow, dict(IDENTITIES.c))).where(*where)
    rows = await connection.execute(statement.order_by(IDENTITIES.c.platform, IDENTITIES.c.address))
    return convert_rows(IdentityRow, rows.all())
