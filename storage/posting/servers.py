"""Settings of servers. The format of the text is defined in `matches.servers.settings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from storage.statements import insert_if_new
from storage.tables import SERVER_SETTINGS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, server: str, *, lock: bool = False) -> str | None:
    """Return the settings of a server, None if they were never changed.

    With `lock` nobody changes them before the end of the transaction.
    """
    statement = select(SERVER_SETTINGS.c.text).where(SERVER_SETTINGS.c.server == server)
    if lock:
        statement = statement.with_for_update(read=True)
    return await connection.scalar(statement)


async def get_for_update(connection: AsyncConnection, server: str, default: str, by: str, now: int) -> str:
    """Return and lock the settings of a server, inserting `default` if there are none."""
    await insert_if_new(connection, SERVER_SETTINGS, server=server, text=default, by=by, changed_at=now)
    query = select(SERVER_SETTINGS.c.text).where(SERVER_SETTINGS.c.server == server).with_for_update()
    text: str = (await connection.execute(query)).scalar_one()
    return text


async def save(connection: AsyncConnection, server: str, text: str, by: str, now: int) -> None:
    """Replace the settings of a server and record who changed them."""
    statement = update(SERVER_SETTINGS).where(SERVER_SETTINGS.c.server == server)
    await connection.execute(statement.values(text=text, by=by, changed_at=now))
