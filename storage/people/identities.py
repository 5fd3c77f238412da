"""Addresses of persons besides those that their accounts are themselves."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from storage.statements import columns_for, convert_rows, dialect_insert
from storage.tables import IDENTITIES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class IdentityRow:
    """An address on a platform and the account of the person; times in milliseconds since 1970 UTC."""

    platform: str
    address: str
    account: str
    made_at: int
    confirmed_at: int | None


async def find(connection: AsyncConnection, **where: str) -> list[IdentityRow]:
    """Return the identities with these values in these columns, by platform and address."""
    conditions = [IDENTITIES.c[name] == value for name, value in where.items()]
    statement = select(*columns_for(IdentityRow, dict(IDENTITIES.c))).where(*conditions)
    rows = await connection.execute(statement.order_by(IDENTITIES.c.platform, IDENTITIES.c.address))
    return convert_rows(IdentityRow, rows.all())


async def save(connection: AsyncConnection, identity: IdentityRow) -> None:
    """Insert or replace an identity."""
    values = asdict(identity)
    insertion = dialect_insert(connection, IDENTITIES).values(values)
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=["platform", "address"], set_=values)
    )


async def remove(connection: AsyncConnection, identity: IdentityRow) -> None:
    """Delete an identity."""
    key = (IDENTITIES.c.platform == identity.platform, IDENTITIES.c.address == identity.address)
    await connection.execute(delete(IDENTITIES).where(*key))
