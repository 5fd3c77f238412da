"""Changes of matches that PostgreSQL announces to all processes that listen.

A notification is sent in the transaction of the change, so it arrives after the commit and never without one.
It holds the id of the match only. SQLite has none.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import Text, cast, func

from storage.errors import StorageUnavailable
from storage.tables import MATCHES

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Update
    from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL = "match_changed"
APPLICATION_NAME = "rayuela listener"  # in pg_stat_activity
CHECK_SECONDS = 10.0  # between two checks of a connection on which nothing arrives
CHECK_TIMEOUT = 2.0  # seconds for the answer


def with_notification(statement: Update, dialect: str) -> Update:
    """Return an UPDATE of matches that also notifies, with a row for each match; the same on SQLite."""
    if dialect != "postgresql":
        return statement
    notified = statement.returning(func.pg_notify(CHANNEL, cast(MATCHES.c.id, Text)))
    assert isinstance(notified, type(statement))  # noqa: S101 - a returning statement is of the same class
    return notified


async def listen(
    connection: AsyncConnection, on_start: Callable[[], None], on_change: Callable[[int], None]
) -> None:
    """Call `on_change` with the match of each change that any process commits, until cancelled.

    `on_start` is called when that begins. The connection is taken from its pool for good. Raises
    StorageUnavailable when it is lost.
    """
    import asyncpg  # type: ignore[import-untyped]  # noqa: PLC0415 - only PostgreSQL needs it

    driver = (await connection.get_raw_connection()).driver_connection
    assert driver is not None  # noqa: S101 - the connection is open
    await connection.run_sync(lambda one: one.detach())
    lost = asyncio.Event()

    def receive(_connection: object, _process: int, _channel: str, payload: object) -> None:
        if isinstance(payload, str) and payload.isdecimal():
            on_change(int(payload))

    try:
        driver.add_termination_listener(lambda _: lost.set())
        await driver.execute(f"SET application_name = '{APPLICATION_NAME}'")
        await driver.add_listener(CHANNEL, receive)
        on_start()
        while not await _is_set_within(lost, CHECK_SECONDS):
            await driver.execute("SELECT 1", timeout=CHECK_TIMEOUT)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise StorageUnavailable(f"The connection that listens was lost: {error}") from error
    finally:
        driver.terminate()
    raise StorageUnavailable("The connection that listens was lost.")


async def _is_set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
