"""SQLAlchemy engines for SQLite and PostgreSQL, configured for durable commits and short waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from storage.connections.sqlite import BEGIN_WRITING, DatabaseFile, SingleHopConnection
from storage.connections.url import parse_write_timeout
from storage.errors import StorageUrlError

if TYPE_CHECKING:
    from sqlalchemy.engine import URL
    from sqlalchemy.ext.asyncio import AsyncConnection

SERVER_TIMEOUT_SECONDS = 2  # for a connection or a lock of PostgreSQL
ANSWER_TIMEOUT_SECONDS = 10  # for a PostgreSQL server that does not respond; it ends statements after two
COMMAND_TIMEOUT_SECONDS = 60  # the same when migrating, and for commands without time limits of the server
IDLE_TRANSACTION_SECONDS = 20  # until the server ends a transaction whose client says nothing


def make_engine(url: URL, *, command_timeout: float = COMMAND_TIMEOUT_SECONDS) -> AsyncEngine:
    """Return an engine whose errors never show values. Raises StorageUrlError if the driver is missing.

    `command_timeout` is for how many seconds a PostgreSQL server may not respond.
    """
    if url.get_backend_name() != "sqlite":
        return _make_postgresql_engine(url, command_timeout)
    file, seconds = DatabaseFile(str(url.database)), parse_write_timeout(url)

    async def connect() -> SingleHopConnection:
        return await SingleHopConnection.open(file, seconds)

    return create_async_engine(
        url, async_creator=connect, hide_parameters=True, pool_timeout=SERVER_TIMEOUT_SECONDS
    )


def as_read_engine(engine: AsyncEngine) -> AsyncEngine:
    """Return `engine` in autocommit mode: every statement on its own."""
    if engine.dialect.name == "sqlite":
        return engine  # SQLite is in autocommit mode unless BEGIN is sent
    return engine.execution_options(isolation_level="AUTOCOMMIT")


async def begin_writing(connection: AsyncConnection, seconds: float, *, short: bool) -> None:
    """Begin a transaction; on SQLite take the write lock, for which this waits at most `seconds`.

    `short` is as for :func:`set_short`. This is no listener to SQLAlchemy's event: with a listener to any
    event it prepares all events of every statement.
    """
    driver = set_short(connection, short=short)
    if driver is not None:
        driver.write_timeout = seconds
        if driver.begin_now():
            return
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql(BEGIN_WRITING)


def set_short(connection: AsyncConnection, *, short: bool) -> SingleHopConnection | None:
    """Say whether the next statements find a few rows by their keys: SQLite executes them at once.

    Returns the driver's connection, None if it is not to SQLite.
    """
    pooled = connection.sync_connection
    driver = None if pooled is None else pooled.connection.driver_connection
    if not isinstance(driver, SingleHopConnection):
        return None
    driver.is_short = short
    return driver


def _make_postgresql_engine(url: URL, command_timeout: float) -> AsyncEngine:
    timeout_ms = str(SERVER_TIMEOUT_SECONDS * 1000)
    # A client that vanishes with its machine or network would else keep locks and connections for hours.
    settings = {
        "application_name": "rayuela",
        "lock_timeout": timeout_ms,
        "statement_timeout": timeout_ms,
        "idle_in_transaction_session_timeout": str(int(IDLE_TRANSACTION_SECONDS * 1000)),
        "tcp_keepalives_idle": "30",  # seconds, and then three questions
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
        "jit": "off",  # compiling takes longer than any query here
    }
    try:
        return create_async_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_timeout=SERVER_TIMEOUT_SECONDS,
            connect_args={
                "timeout": SERVER_TIMEOUT_SECONDS,
                "command_timeout": command_timeout,
                "server_settings": settings,
            },
        )
    except ModuleNotFoundError as error:
        raise StorageUrlError("PostgreSQL needs the extra: pip install rayuela[postgres]") from error
