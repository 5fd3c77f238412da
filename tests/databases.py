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

from storage import Store
from storage.address import read_address
from storage.engines import make_engine
from storage.tables import METADATA

SERVER = make_url(os.environ.get("RAYUELA_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres"))
KINDS = ("sqlite", "postgresql")
EMPTYING = ";".join(str(table.delete()) for table in reversed(METADATA.sorted_tables))
GIVING_BACK = 10.0  # seconds
SAVED = "saved"  # a schema for the rows of `saving`
BARE = (f"DROP SCHEMA IF EXISTS public, {SAVED} CASCADE", "CREATE SCHEMA public")


async def run(address: URL | str, *statements: str) -> None:
    """Run statements on a PostgreSQL database over a connection of its own, each committed by itself."""
    plain = make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def saving() -> str:
    """Give the statements that keep a database's rows beside its tables, for `restoring`."""
    tables = [table.name for table in METADATA.sorted_tables]
    kept = [f'CREATE TABLE {SAVED}."{name}" AS TABLE public."{name}"' for name in tables]
    return ";".join([f"CREATE SCHEMA {SAVED}", *kept])


def restoring() -> str:
    """Give the statements that bring back the rows kept, and no others."""
    tables = [table.name for table in METADATA.sorted_tables]
    rows = [
        f'INSERT INTO public."{name}" OVERRIDING SYSTEM VALUE SELECT * FROM {SAVED}."{name}"'  # noqa: S608 - our own names
        for name in tables
    ]
    return ";".join([EMPTYING, *rows])


@contextmanager
def new_on(server: URL) -> Iterator[str]:
    """Give the URL of a new database on a PostgreSQL server, which is dropped in the end.

    What it commits is not waited for: no test pulls the server's plug. To make one and to drop it takes
    seconds, so a process of tests has one and empties it, with `EMPTYING` or with `BARE`.
    """
    name = f"rayuela_test_{uuid4().hex}"
    lazy = f"ALTER DATABASE {name} SET synchronous_commit = off"
    asyncio.run(run(server, f"CREATE DATABASE {name}", lazy))
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        asyncio.run(run(server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def server() -> URL:
    """Give the server for tests; without one the test is skipped, or fails where that is asked for."""
    try:
        asyncio.run(run(SERVER, "SELECT 1"))
    except (OSError, asyncpg.PostgresError) as error:
        where = f"{SERVER.host}:{SERVER.port}"
        if os.environ.get("RAYUELA_REQUIRE_POSTGRES") == "1":
            pytest.fail(f"PostgreSQL is required and none answers at {where}: {error}")
        pytest.skip(f"no PostgreSQL answers at {where}, so its half of the tests is left out")
    return SERVER


@pytest.fixture(scope="session")
def spare_postgres(server: URL) -> Iterator[str]:
    """Give a PostgreSQL database to empty and fill, for one process of tests."""
    with new_on(server) as address:
        yield address


@pytest.fixture
def new_postgres(spare_postgres: str) -> str:
    """Give the URL of a PostgreSQL database with nothing in it."""
    asyncio.run(run(spare_postgres, *BARE))
    return spare_postgres


@pytest.fixture(params=KINDS)
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of a database with nothing in it, of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("new_postgres"))
    return f"sqlite:///{tmp_path / 'new.db'}"


@functools.cache
def engine(address: str) -> AsyncEngine:
    """Give an engine that outlives a test."""
    return make_engine(read_address(address))


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """Open a store over a database that is migrated; whoever borrowed a connection must have given it back.

    Its engine is used again over the next database at that address, so that the statements which it has
    compiled are not compiled for each test: that takes longer than most tests.
    """
    async with Store(engine(address)) as store:
        yield store
        async with asyncio.timeout(GIVING_BACK):  # what was cancelled a moment ago gives back in its own time
            while "Current Checked out connections: 0" not in engine(address).pool.status():  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def migrate(address: str) -> None:
    """Bring a database to the newest revision."""
    async with await Store.open(address):
        pass


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SQLite file with all tables and no row, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "empty.db"
    asyncio.run(migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def migrated_postgres(server: URL) -> Iterator[str]:
    """Give a PostgreSQL database with all tables, for one process of tests."""
    with new_on(server) as address:
        asyncio.run(migrate(address))
        yield address


def copied(file: Path, to: Path) -> Path:
    """Copy an SQLite file in the place of another, of which nothing stays."""
    for left in to.parent.glob(f"{to.name}*"):
        left.unlink()
    return Path(shutil.copy(file, to))


@pytest.fixture
def sqlite_file(migrated_file: Path) -> Path:
    """Give a migrated SQLite file without a row, at the same place for each test of a process."""
    return copied(migrated_file, migrated_file.with_name("rayuela.db"))


@pytest.fixture
def sqlite_database(sqlite_file: Path) -> str:
    """Give the URL of that file."""
    return f"sqlite:///{sqlite_file}"


@pytest.fixture
def postgres_database(migrated_postgres: str) -> str:
    """Give the URL of a migrated PostgreSQL database without a row."""
    asyncio.run(run(migrated_postgres, EMPTYING))
    return migrated_postgres


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> str:
    """Give the URL of a migrated database without a row, of each kind."""
    name = "postgres_database" if request.param == "postgresql" else "sqlite_database"
    return str(request.getfixturevalue(name))


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """Give a store over a database of each kind."""
    async with opened(database) as store:
        yield store
