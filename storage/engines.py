"""SQLAlchemy engines for the two kinds of database, set to be durable and never to wait long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from storage.address import busy_seconds
from storage.errors import StorageAddressError
from storage.sqlite import OneTripConnection

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.engine import URL

SERVER_SECONDS = 2  # how long a PostgreSQL server may keep us waiting for a connection or a lock
SILENCE_SECONDS = 60  # after which a server that says nothing at all is given up, migrating or not
_BEGIN = "rayuela_begin"  # execution option: the statement that begins a transaction on SQLite


def make_engine(url: URL) -> AsyncEngine:
    """Make an engine whose errors never show values. Raises StorageAddressError without the driver."""
    return _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)


def reader(engine: AsyncEngine) -> AsyncEngine:
    """Give `engine` as it reads: every statement on its own, with no transaction around it."""
    if engine.dialect.name == "sqlite":
        return engine  # no BEGIN is sent unless asked for, so this is so already
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def writer(engine: AsyncEngine) -> AsyncEngine:
    """Give `engine` as it writes: in a transaction that on SQLite takes the write lock at once."""
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def _sqlite(url: URL) -> AsyncEngine:
    path, seconds = str(url.database), busy_seconds(url)

    async def connect() -> OneTripConnection:
        return await OneTripConnection.open(path, seconds)

    engine = create_async_engine(
        url, async_creator=connect, hide_parameters=True, pool_timeout=SERVER_SECONDS
    )
    event.listen(engine.sync_engine, "begin", begin_as_asked)
    return engine


def begin_as_asked(connection: Connection) -> None:
    """Begin a transaction as the engine's options say: the driver itself is told to begin nothing."""
    statement = connection.get_execution_options().get(_BEGIN)
    if statement is not None:
        connection.exec_driver_sql(statement)


def _postgresql(url: URL) -> AsyncEngine:
    limit = str(SERVER_SECONDS * 1000)
    settings = {"application_name": "rayuela", "lock_timeout": limit, "statement_timeout": limit}
    try:
        return create_async_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_timeout=SERVER_SECONDS,
            connect_args={
                "timeout": SERVER_SECONDS,
                "command_timeout": SILENCE_SECONDS,
                "server_settings": settings,
            },
        )
    except ModuleNotFoundError as error:
        raise StorageAddressError("PostgreSQL needs the extra: pip install rayuela[postgres]") from error
