"""Passkeys: the public keys with which people sign in again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, update

from storage.statements import fetch_row, fetch_rows, insert_if_new, select_rows
from storage.tables import PASSKEYS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """A passkey; `id` and `public_key` are in base64url, times in milliseconds since 1970 UTC.

    `uses` is the counter of the device when the passkey was used last; many devices count nothing and say 0.
    """

    id: str
    account: str
    public_key: str
    uses: int
    device: str
    made_at: int
    used_at: int | None


async def add(connection: AsyncConnection, row: PasskeyRow) -> bool:
    """Insert a passkey; return False if there is one with the same id."""
    values = {name: getattr(row, name) for name in PasskeyRow.__slots__}
    return await insert_if_new(connection, PASSKEYS, **values)


async def load(connection: AsyncConnection, key: str, *, lock: bool = False) -> PasskeyRow | None:
    """Return a passkey; with `lock` nobody else uses or removes it until the commit."""
    statement = select_rows(PasskeyRow, PASSKEYS).where(PASSKEYS.c.id == key)
    return await fetch_row(connection, PasskeyRow, statement.with_for_update() if lock else statement)


async def list_for(connection: AsyncConnection, account: str) -> list[PasskeyRow]:
    """Return the passkeys of an account, the newest first."""
    statement = select_rows(PasskeyRow, PASSKEYS).where(PASSKEYS.c.account == account)
    return await fetch_rows(
        connection, PasskeyRow, statement.order_by(PASSKEYS.c.made_at.desc(), PASSKEYS.c.id)
    )


async def mark_used(connection: AsyncConnection, key: str, uses: int, used_at: int) -> None:
    """Store the counter of a passkey that was used."""
    statement = update(PASSKEYS).where(PASSKEYS.c.id == key)
    await connection.execute(statement.values(uses=uses, used_at=used_at))


async def remove(connection: AsyncConnection, account: str, key: str) -> None:
    """Delete a passkey of an account."""
    await connection.execute(delete(PASSKEYS).where(PASSKEYS.c.account == account, PASSKEYS.c.id == key))
