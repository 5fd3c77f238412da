"""Persons and servers that have been met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.statements import dialect_insert
from storage.tables import PEOPLE, SERVERS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


DELETED_PREFIX = "deleted:"
"""The accounts that stand for persons whose data were erased begin with this."""


async def save(connection: AsyncConnection, account: str, name: str, now: int) -> None:
    """Insert a person or update their name. The row is locked until the commit even if nothing changes."""
    insertion = dialect_insert(connection, PEOPLE).values(account=account, name=name, met_at=now)
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=["account"], set_={"name": insertion.excluded.name})
    )


async def ensure_server(connection: AsyncConnection, server: str, now: int) -> None:
    """Insert a server unless it exists."""
    insertion = dialect_insert(connection, SERVERS).values(server=server, met_at=now)
    await connection.execute(insertion.on_conflict_do_nothing(index_elements=["server"]))
