"""Databases for tests: always SQLite, and PostgreSQL if a server is available."""

import asyncio
import functools
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from storage import Database
from storage.connections.sqlalchemy_engines import make_engine
from storage.connections.url import parse_url
from storage.tables import METADATA
from tests.discord_server.waiting import PATIENCE

POSTGRES_SERVER = make_url(
    os.environ.get("RAYUELA_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
)
BACKENDS = ("sqlite", "postgresql")
DELETE_ALL_ROWS = ";".join(str(table.delete()) for table in reversed(METADATA.sorted_tables))
SAVED_SCHEMA = "saved"  # a schema for the rows of `save_rows_sql`
RECREATE_SCHEMA = (f"DROP SCHEMA IF EXISTS public, {SAVED_SCHEMA} CASCADE", "CREATE SCHEMA public")


async def execute_statements(address: URL | str, *statements: str) -> None:
    """Execute statements on a PostgreSQL database, in a connection of its own with autocommit."""
    plain = make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def save_rows_sql() -> str:
    """Return the statements that copy all rows of a database into another schema."""
    tables = [table.name for table in METADATA.sorted_tables]
    copies = [f'CREATE TABLE {SAVED_SCHEMA}."{name}" AS TABLE public."{name}"' for name in tables]
    return ";".join([f"CREATE SCHEMA {SAVED_SCHEMA}", *copies])


def restore_rows_sql() -> str:
    """Return the statements that replace all rows by those that `save_rows_sql` copied."""
    tables = [table.name for table in METADATA.sorted_tables]
    rows = [
        f'INSERT INTO public."{name}" OVERRIDING SYSTEM VALUE SELECT * FROM {SAVED_SCHEMA}."{name}"'  # noqa: S608 - our own names
        for name in tables
    ]
    return ";".join([DELETE_ALL_ROWS, *rows])


@contextmanager
def temporary_postgres(postgres_server: URL, *, durable: bool = False) -> Iterator[str]:
    """Return the URL of a new database on a PostgreSQL server; it is dropped at the end.

    Commits are not synchronous unless `durable`, since no test cuts the server's power. Creating and dropping
    a database takes seconds, so each test process has one and empties it with `DELETE_ALL_ROWS` or
    `RECREATE_SCHEMA`.
    """
    name = f"rayuela_test_{uuid4().hex}"
    commit = f"ALTER DATABASE {name} SET synchronous_commit = {'on' if durable else 'off'}"
    asyncio.run(execute_statements(postgres_server, f"CREATE DATABASE {name}", commit))
    try:
        yield postgres_server.set(database=name).render_as_string(hide_password=False)
    finally:
        asyncio.run(execute_statements(postgres_server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def postgres_server() -> URL:
    """Return the PostgreSQL server; without one skip the test, or fail if a server is required."""
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
    """Return a PostgreSQL database for tests that fill it themselves, one a test process."""
    with temporary_postgres(postgres_server) as address:
        yield address


@pytest.fixture
def empty_postgres_url(spare_postgres_url: str) -> str:
    """Return the URL of an empty PostgreSQL database."""
    asyncio.run(execute_statements(spare_postgres_url, *RECREATE_SCHEMA))
    return spare_postgres_url


@pytest.fixture(params=BACKENDS)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database, of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("empty_postgres_url"))
    return f"sqlite:///{tmp_path / 'new.db'}"


@functools.cache
def cached_engine(address: str, number: int = 1) -> AsyncEngine:  # noqa: ARG001 - a part of the key
    """Return an engine that is reused by later tests; each `number` has its own connections."""
    return make_engine(parse_url(address))


@asynccontextmanager
async def open_database(address: str, number: int = 1) -> AsyncIterator[Database]:
    """Open a migrated database; every borrowed connection must have been returned at the end.

    Another `number` is as another process would open it.

    The engine is reused for the next database at this URL, so that SQLAlchemy's compiled statements are kept:
    compiling them takes longer than most tests.
    """
    engine = cached_engine(address, number)
    async with Database(engine) as database:
        yield database
        async with asyncio.timeout(PATIENCE):  # a cancelled task may return its connection a moment later
            while "Current Checked out connections: 0" not in engine.pool.status():  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def migrate_database(address: str) -> None:
    """Migrate a database to the newest schema revision."""
    async with await Database.open(address):
        pass


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated SQLite file without rows, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "empty.db"
    asyncio.run(migrate_database(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def migrated_postgres_url(postgres_server: URL) -> Iterator[str]:
    """Return a migrated PostgreSQL database, one a test process."""
    with temporary_postgres(postgres_server) as address:
        asyncio.run(migrate_database(address))
        yield address


def delete_file(file: Path) -> None:
    """Delete an SQLite file, including its journal files."""
    for part in file.parent.glob(f"{file.name}*"):
        part.unlink()


def replace_file(file: Path, to: Path) -> Path:
    """Replace an SQLite file, including its journal files, by a copy of another."""
    delete_file(to)
    return Path(shutil.copy(file, to))


@pytest.fixture
def sqlite_file(migrated_file: Path) -> Path:
    """Return a migrated SQLite file without rows, at the same path for all tests of a process."""
    return replace_file(migrated_file, migrated_file.with_name("rayuela.db"))


@pytest.fixture
def sqlite_url(sqlite_file: Path) -> str:
    """Return the URL of `sqlite_file`."""
    return f"sqlite:///{sqlite_file}"


@pytest.fixture
def postgres_url(migrated_postgres_url: str) -> str:
    """Return the URL of a migrated PostgreSQL database without rows."""
    asyncio.run(execute_statements(migrated_postgres_url, DELETE_ALL_ROWS))
    return migrated_postgres_url


@pytest.fixture(params=BACKENDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a migrated database without rows, of each kind."""
    name = "postgres_url" if request.param == "postgresql" else "sqlite_url"
    return str(request.getfixturevalue(name))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """Return an open database of each kind."""
    async with open_database(database_url) as database:
        yield database
