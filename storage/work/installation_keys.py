"""Keys of the whole installation, by name, which all processes share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.statements import insert_if_new
from storage.tables import INSTALLATION_KEYS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, name: str) -> str | None:
    """Return the key with this name, or None."""
    return await connection.scalar(select(INSTALLATION_KEYS.c.value).where(INSTALLATION_KEYS.c.name == name))


async def add(connection: AsyncConnection, name: str, value: str, now: int) -> None:
    """Store a key, unless there is one with this name."""
    await insert_if_new(connection, INSTALLATION_KEYS, name=name, value=value, made_at=now)
