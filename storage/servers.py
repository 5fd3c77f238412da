"""What those who run a server have settled for it, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from storage.statements import insert
from storage.tables_servers import SERVER_SETTINGS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, server: str) -> str | None:
    """Give the settings of a server, None where nothing was ever changed."""
    statement = select(SERVER_SETTINGS.c.text).where(SERVER_SETTINGS.c.server == server)
    text: str | None = (await connection.execute(statement)).scalar()
    return text


async def hold(connection: AsyncConnection, server: str, first: str, by: str, now: int) -> str:
    """Give the settings of a server, or put `first`; nobody else changes them meanwhile."""
    fresh = insert(connection, SERVER_SETTINGS).values(server=server, text=first, by=by, changed_at=now)
    await connection.execute(fresh.on_conflict_do_nothing())
    held = select(SERVER_SETTINGS.c.text).where(SERVER_SETTINGS.c.server == server).with_for_update()
    text: str = (await connection.execute(held)).scalar_one()
    return text


async def put(connection: AsyncConnection, server: str, text: str, by: str, now: int) -> None:
    """Write the settings of a server, and who changed them last."""
    changed = update(SERVER_SETTINGS).where(SERVER_SETTINGS.c.server == server)
    await connection.execute(changed.values(text=text, by=by, changed_at=now))
