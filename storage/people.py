"""People and servers: who was met, and what to call them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.statements import insert
from storage.tables import PEOPLE, SERVERS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def remember(connection: AsyncConnection, account: str, name: str, now: int) -> None:
    """Note a person, or their new name. The row is locked until the commit, even where nothing changes."""
    fresh = insert(connection, PEOPLE).values(account=account, name=name, met_at=now)
    await connection.execute(
        fresh.on_conflict_do_update(index_elements=["account"], set_={"name": fresh.excluded.name})
    )


async def remember_server(connection: AsyncConnection, server: str, now: int) -> None:
    """Note a server."""
    fresh = insert(connection, SERVERS).values(server=server, met_at=now)
    await connection.execute(fresh.on_conflict_do_nothing(index_elements=["server"]))
