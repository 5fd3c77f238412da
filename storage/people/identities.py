"""Addresses of persons besides those that their accounts are themselves."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, or_

from storage.people.mail_addresses import FORGOTTEN_BOUNCES
from storage.statements import dialect_insert, fetch_rows, select_rows
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
    statement = select_rows(IdentityRow, IDENTITIES).where(*conditions)
    return await fetch_rows(
        connection, IdentityRow, statement.order_by(IDENTITIES.c.platform, IDENTITIES.c.address)
    )


async def save(connection: AsyncConnection, identity: IdentityRow) -> bool:
    """Insert or replace an identity, and send mails there again.

    Return False if the address is confirmed for somebody else meanwhile.
    """
    is_free = or_(IDENTITIES.c.confirmed_at.is_(None), IDENTITIES.c.account == identity.account)
    statement = (
        dialect_insert(connection, IDENTITIES)
        .values(asdict(identity))
        .on_conflict_do_update(
            index_elements=["platform", "address"],
            set_={
                **{name: getattr(identity, name) for name in ("account", "made_at", "confirmed_at")},
                **FORGOTTEN_BOUNCES,
            },
            where=is_free,
        )
    )
    return (await connection.execute(statement)).rowcount == 1


async def remove(connection: AsyncConnection, identity: IdentityRow) -> None:
    """Delete an identity."""
    key = (IDENTITIES.c.platform == identity.platform, IDENTITIES.c.address == identity.address)
    await connection.execute(delete(IDENTITIES).where(*key))
