"""Databases of PostgreSQL as a whole, through its own programs pg_dump and pg_restore.

The programs get the address from the environment, so that no password is on a command line or in a message.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from storage.connections.sqlalchemy_engines import make_engine
from storage.copies.sqlite_files import REPLACED, make_private_file, synchronize
from storage.errors import StorageDamaged, StorageInUse, StorageNotEmpty, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from sqlalchemy.engine import URL
    from sqlalchemy.ext.asyncio import AsyncConnection

DUMP_HEADER = b"PGDMP"
MAX_NAME_BYTES = 63  # of a database; PostgreSQL cuts off the rest
MAINTENANCE_DATABASES = ("postgres", "template1")  # one of them is on every server
_LOCKS = 0x526178  # arbitrary, the same for all processes; the second number of a lock stands for a database
_NAMES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "username": "PGUSER",
    "password": "PGPASSWORD",
    "ssl": "PGSSLMODE",
}
_EXISTS = text("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = :name)")
HAS_TABLES = text("SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema())")
_IS_USED = text("SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = :name)")


async def dump(url: URL, file: Path) -> None:
    """Write a dump of the database at a URL, which may be in use, into a new file for this user only.

    Raises StorageUnavailable, OSError.
    """
    make_private_file(file)
    options = ("--format=custom", "--no-owner", "--no-privileges", "--schema=public", f"--file={file}")
    message = await _run_program("pg_dump", *options, url=url)
    if message:
        raise StorageUnavailable(f"The database cannot be backed up: {message}")
    synchronize(file)


async def load_dump(file: Path, url: URL) -> None:
    """Put all of a dump into a new database at a URL. Raises StorageDamaged, StorageUnavailable."""
    async with connected(url) as connection:
        await connection.execute(text("DROP SCHEMA IF EXISTS public CASCADE"))
    options = ("--no-owner", "--no-privileges", "--exit-on-error", f"--dbname={url.database}", str(file))
    message = await _run_program("pg_restore", *options, url=url)
    if message:
        raise StorageDamaged(f"The backup {file} cannot be read: {message}")


@asynccontextmanager
async def connected(url: URL) -> AsyncIterator[AsyncConnection]:
    """Return a connection without time limits whose statements are committed one by one.

    Raises StorageUnavailable.
    """
    engine = make_engine(url).execution_options(isolation_level="AUTOCOMMIT")
    try:
        with reporting_errors():
            async with engine.connect() as connection:
                await connection.execute(text("SET statement_timeout = 0"))
                yield connection
    finally:
        await engine.dispose()


@contextmanager
def reporting_errors() -> Iterator[None]:
    """Raise StorageUnavailable with the server's own words for errors of the driver, server and sockets."""
    try:
        yield
    except DBAPIError as error:
        raise StorageUnavailable(f"PostgreSQL refuses: {_describe(error)}.") from error
    except OSError as error:
        raise StorageUnavailable(f"The database cannot be reached: {error}") from error


async def try_lock(connection: AsyncConnection, url: URL) -> bool:
    """Return whether no other process that asks over the same database backs up or restores the one at `url`.

    None can while the connection is open.
    """
    query = text("SELECT pg_try_advisory_lock(:locks, hashtext(:name))")
    parameters = {"locks": _LOCKS, "name": url.database}
    return bool((await connection.execute(query, parameters)).scalar_one())


def name_scratch(url: URL, purpose: str) -> URL:
    """Return the URL of the scratch database for a purpose that belongs to the database at `url`."""
    digest = hashlib.sha256(str(url.database).encode()).hexdigest()[:16]
    return url.set(database=f"rayuela_{purpose}_{digest}")


@asynccontextmanager
async def scratch_database(connection: AsyncConnection, url: URL, purpose: str) -> AsyncIterator[URL]:
    """Make an empty database on the same server, and drop it in the end unless it was renamed.

    `connection` is one to any database there. One that a killed process left for the same purpose is
    dropped first, so only one process may have it at a time. Raises StorageUnavailable.
    """
    scratch = name_scratch(url, purpose)
    drop = text(f"DROP DATABASE IF EXISTS {quote(connection, scratch)} WITH (FORCE)")
    await connection.execute(drop)
    await connection.execute(text(f"CREATE DATABASE {quote(connection, scratch)} TEMPLATE template0"))
    try:
        yield scratch
    finally:
        await connection.execute(drop)


@asynccontextmanager
async def connected_beside(url: URL) -> AsyncIterator[AsyncConnection]:
    """Return a connection as :func:`connected` to another database of the same server."""
    *first, last = [name for name in MAINTENANCE_DATABASES if name != url.database]
    for name in first:
        try:
            async with connected(url.set(database=name)):
                last = name
        except StorageUnavailable:
            continue
        break
    async with connected(url.set(database=last)) as connection:
        yield connection


async def check_replaceable(connection: AsyncConnection, url: URL, *, replace: bool) -> None:
    """Check that `replace_database` may put another database in place of the one at a URL.

    Raises StorageNotEmpty if it has tables and is not to be replaced, or if an earlier one was replaced and
    is still there; StorageInUse.
    """
    if not await exists(connection, url):
        return
    if not replace:
        async with connected(url) as own:
            if (await own.execute(HAS_TABLES)).scalar_one():
                raise StorageNotEmpty(
                    f"There is a database {url.database}: add --replace to put the backup in its place."
                )
    old = _name_replaced(url)
    if await exists(connection, old):
        raise StorageNotEmpty(
            f"The database {old.database} is left from an earlier restore: rename or drop it first."
        )
    if (await connection.execute(_IS_USED, {"name": url.database})).scalar_one():
        raise in_use(url)


async def replace_database(connection: AsyncConnection, new: URL, url: URL) -> None:
    """Give a database the name of another one that nothing uses; that one stays under a name with _replaced.

    Both happen, or neither. Raises StorageInUse, StorageUnavailable.
    """
    statements = [f"ALTER DATABASE {quote(connection, new)} RENAME TO {quote(connection, url)}"]
    if await exists(connection, url):
        old = quote(connection, _name_replaced(url))
        statements.insert(0, f"ALTER DATABASE {quote(connection, url)} RENAME TO {old}")
    try:
        await connection.execute(text("BEGIN"))
        for statement in statements:
            await connection.execute(text(statement))
        await connection.execute(text("COMMIT"))
    except DBAPIError as error:
        await connection.execute(text("ROLLBACK"))
        if "being accessed by other users" in str(error):
            raise in_use(url) from error
        raise


def quote(connection: AsyncConnection, url: URL) -> str:
    """Return the name of a database as an identifier for `text`."""
    name = connection.dialect.identifier_preparer.quote_identifier(str(url.database))
    return name.replace(":", r"\:")


async def exists(connection: AsyncConnection, url: URL) -> bool:
    """Return whether the server has the database that a URL names."""
    return bool((await connection.execute(_EXISTS, {"name": url.database})).scalar_one())


def _name_replaced(url: URL) -> URL:
    name = f"{url.database}{REPLACED.replace('.', '_')}"
    if len(name.encode()) > MAX_NAME_BYTES:
        raise StorageNotEmpty(
            f"The name {name} is too long for PostgreSQL: rename the database {url.database}."
        )
    return url.set(database=name)


def in_use(url: URL) -> StorageInUse:
    """Return the error for a database that others use."""
    return StorageInUse(f"The database {url.database} is in use: stop the bot and the website first.")


async def _run_program(program: str, *arguments: str, url: URL) -> str:
    """Run a program of PostgreSQL; return what it says if it fails, else "". Raises StorageUnavailable."""
    path = shutil.which(program)
    if path is None:
        raise StorageUnavailable(
            f"{program} is not installed: install the client programs of PostgreSQL (in Debian the package "
            "postgresql-client), in the version of the server or a newer one."
        )
    process = await asyncio.create_subprocess_exec(
        path,
        *arguments,
        env=_program_environment(url),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, output = await process.communicate()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    lines = [line for line in output.decode(errors="replace").splitlines() if line.strip()]
    return "" if process.returncode == 0 else (lines[0] if lines else f"{program} was killed.")


def _program_environment(url: URL) -> dict[str, str]:
    """Return the environment in which a program of PostgreSQL uses a URL. Raises StorageUnavailable."""
    query = {name: value if isinstance(value, str) else value[0] for name, value in url.query.items()}
    address = {"host": url.host, "port": url.port, "username": url.username, "password": url.password}
    values = {name: query.get(name) if address.get(name) is None else str(address[name]) for name in _NAMES}
    variables = {_NAMES[name]: value for name, value in values.items() if value is not None}
    return {**os.environ, **variables, "PGDATABASE": str(url.database), "LC_ALL": "C"}


def _describe(error: DBAPIError) -> str:
    """Return the server's own words, without the lines that may quote a row."""
    cause = error.orig.__cause__ if error.orig is not None else None
    return first_line(cause or error)


def first_line(error: BaseException) -> str:
    """Return the first line of a message, without a full stop."""
    lines = str(error).splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
