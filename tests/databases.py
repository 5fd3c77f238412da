"""Databases for tests: an SQLite file always, and PostgreSQL wherever a server answers."""

import asyncio
import functools
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]  # it has no annotations
import pytest
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from storage import Database
from storage.sqlalchemy_engines import make_engine
from storage.tables import METADATA
from storage.url import parse_url

POSTGRES_SERVER = make_url(
    os.environ.get("RAYUELA_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
)
BACKENDS = ("sqlite", "postgresql")
DELETE_ALL_ROWS = ";".join(str(table.delete()) for table in reversed(METADATA.sorted_tables))
RETURN_TIMEOUT = 10.0  # seconds
SAVED_SCHEMA = "saved"  # a schema for the rows of `save_rows_sql`
RECREATE_SCHEMA = (f"DROP SCHEMA IF EXISTS public, {SAVED_SCHEMA} CASCADE", "CREATE SCHEMA public")


async def execute_statements(address: URL | str, *statements: str) -> None:
    """Run statements on a PostgreSQL database over a connection of its own, each committed by itself."""
    plain = make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def save_rows_sql() -> str:
    """Return the statements that keep a database's rows beside its tables, for `restore_rows_sql`."""
    tables = [table.name for table in METADATA.sorted_tables]
    copies = [f'CREATE TABLE {SAVED_SCHEMA}."{name}" AS TABLE public."{name}"' for name in tables]
    return ";".join([f"CREATE SCHEMA {SAVED_SCHEMA}", *copies])


def restore_rows_sql() -> str:
    """Return the statements that bring back the rows kept, and no others."""
    tables = [table.name for table in METADATA.sorted_tables]
    rows = [
        f'INSERT INTO public."{name}" OVERRIDING SYSTEM VALUE SELECT * FROM {SAVED_SCHEMA}."{name}"'  # noqa: S608 - our own names
        for name in tables
    ]
    return ";".join([DELETE_ALL_ROWS, *rows])


@contextmanager
def temporary_postgres(postgres_server: URL) -> Iterator[str]:
    """Return the URL of a new database on a PostgreSQL server, which is dropped in the end.

    What it commits is not waited for: no test pulls the server's plug. To make one and to drop it takes
    seconds, so a process of tests has one and empties it, with `DELETE_ALL_ROWS` or with `RECREATE_SCHEMA`.
    """
    name = f"rayuela_test_{uuid4().hex}"
    lazy = f"ALTER DATABASE {name} SET synchronous_commit = off"
    asyncio.run(execute_statements(postgres_server, f"CREATE DATABASE {name}", lazy))
    try:
        yield postgres_server.set(database=name).render_as_string(hide_password=False)
    finally:
        asyncio.run(execute_statements(postgres_server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def postgres_server() -> URL:
    """Return the server for tests; without one the test is skipped, or fails where that is asked for."""
    try:
        asyncio.run(execute_statements(POSTGRES_SERVER, "SELECT 1"))
    except (OSError, asyncpg.PostgresError) as error:
        where = f"{POSTGRES_SERVER.host}:{POSTGRES_SERVER.port}"
        if os.environ.get("RAYUELA_REQUIRE_POSTGRES") == "1":
            pytest.fail(f"PostgreSQL is required and none answers at {where}: {error}")
        pytest.skip(f"no PostgreSQL answers at {where}, so its half of the tests is left out")
    return POSTGRES_SERVER


@pytest.fixture(scope="session")
def spare_postgres_url(postgres_server: URL) -> Iterator[str]:
    """Return a PostgreSQL database to empty and fill, for one process of tests."""
    with temporary_postgres(postgres_server) as address:
        yield address


@pytest.fixture
def empty_postgres_url(spare_postgres_url: str) -> str:
    """Return the URL of a PostgreSQL database with nothing in it."""
    asyncio.run(execute_statements(spare_postgres_url, *RECREATE_SCHEMA))
    return spare_postgres_url


@pytest.fixture(params=BACKENDS)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database with nothing in it, of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("empty_postgres_url"))
    return f"sqlite:///{tmp_path / 'new.db'}"


@functools.cache
def cached_engine(address: str) -> AsyncEngine:
    """Return an engine that outlives a test."""
    return make_engine(parse_url(address))


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[Database]:
    """Open a store over a database that is migrated; whoever borrowed a connection must have given it back.

    Its engine is used again over the next database at that address, so that the statements which it has
    compiled are not compiled for each test: that takes longer than most tests.
    """
    async with Database(cached_engine(address)) as database:
        yield database
        async with asyncio.timeout(
            RETURN_TIMEOUT
        ):  # what was cancelled a moment ago gives back in its own time
            while "Current Checked out connections: 0" not in cached_engine(address).pool.status():  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def migrate_database(address: str) -> None:
    """Bring a database to the newest revision."""
    async with await Database.open(address):
        pass


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite file with all tables and no row, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "empty.db"
    asyncio.run(migrate_database(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def migrated_postgres_url(postgres_server: URL) -> Iterator[str]:
    """Return a PostgreSQL database with all tables, for one process of tests."""
    with temporary_postgres(postgres_server) as address:
        asyncio.run(migrate_database(address))
        yield address


def replace_file(file: Path, to: Path) -> Path:
    """Copy an SQLite file in the place of another, of which nothing stays."""
    for leftover in to.parent.glob(f"{to.name}*"):
        leftover.unlink()
    return Path(shutil.copy(file, to))


@pytest.fixture
def sqlite_file(migrated_file: Path) -> Path:
    """Return a migrated SQLite file without a row, at the same place for each test of a process."""
    return replace_file(migrated_file, migrated_file.with_name("rayuela.db"))


@pytest.fixture
def sqlite_url(sqlite_file: Path) -> str:
    """Return the URL of that file."""
    return f"sqlite:///{sqlite_file}"


@pytest.fixture
def postgres_url(migrated_postgres_url: str) -> str:
    """Return the URL of a migrated PostgreSQL database without a row."""
    asyncio.run(execute_statements(migrated_postgres_url, DELETE_ALL_ROWS))
    return migrated_postgres_url


@pytest.fixture(params=BACKENDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a migrated database without a row, of each kind."""
    name = "postgres_url" if request.param == "postgresql" else "sqlite_url"
    return str(request.getfixturevalue(name))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """Return a store over a database of each kind."""
    async with open_database(database_url) as database:
        yield database
