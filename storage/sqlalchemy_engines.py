"""SQLAlchemy engines for the two kinds of database, set to be durable and never to wait long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from storage.errors import StorageUrlError
from storage.sqlite import SingleHopConnection
from storage.url import parse_busy_seconds

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.engine import URL

SERVER_TIMEOUT_SECONDS = 2  # how long a PostgreSQL server may keep us waiting for a connection or a lock
COMMAND_TIMEOUT_SECONDS = 60  # after which a server that says nothing at all is given up, migrating or not
_BEGIN_OPTION = "rayuela_begin"  # execution option: the statement that begins a transaction on SQLite


def make_engine(url: URL) -> AsyncEngine:
    """Make an engine whose errors never show values. Raises StorageUrlError without the driver."""
    return _make_sqlite_engine(url) if url.get_backend_name() == "sqlite" else _make_postgresql_engine(url)


def as_read_engine(engine: AsyncEngine) -> AsyncEngine:
    """Return `engine` as it reads: every statement on its own, with no transaction around it."""
    if engine.dialect.name == "sqlite":
        return engine  # no BEGIN is sent unless asked for, so this is so already
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def as_write_engine(engine: AsyncEngine) -> AsyncEngine:
    """Return `engine` as it writes: in a transaction that on SQLite takes the write lock at once."""
    return engine.execution_options(**{_BEGIN_OPTION: "BEGIN IMMEDIATE"})


def _make_sqlite_engine(url: URL) -> AsyncEngine:
    path, seconds = str(url.database), parse_busy_seconds(url)

    async def connect() -> SingleHopConnection:
        return await SingleHopConnection.open(path, seconds)

    engine = create_async_engine(
        url, async_creator=connect, hide_parameters=True, pool_timeout=SERVER_TIMEOUT_SECONDS
    )
    event.listen(engine.sync_engine, "begin", begin_with_option)
    return engine


def begin_with_option(connection: Connection) -> None:
    """Begin a transaction as the engine's options say: the driver itself is told to begin nothing."""
    statement = connection.get_execution_options().get(_BEGIN_OPTION)
    if statement is not None:
        connection.exec_driver_sql(statement)


def _make_postgresql_engine(url: URL) -> AsyncEngine:
    timeout_ms = str(SERVER_TIMEOUT_SECONDS * 1000)
    settings = {"application_name": "rayuela", "lock_timeout": timeout_ms, "statement_timeout": timeout_ms}
    try:
        return create_async_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_timeout=SERVER_TIMEOUT_SECONDS,
            connect_args={
                "timeout": SERVER_TIMEOUT_SECONDS,
                "command_timeout": COMMAND_TIMEOUT_SECONDS,
                "server_settings": settings,
            },
        )
    except ModuleNotFoundError as error:
        raise StorageUrlError("PostgreSQL needs the extra: pip install rayuela[postgres]") from error
