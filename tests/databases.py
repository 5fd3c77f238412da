"""Databases for tests: an SQLite file always, and PostgreSQL wherever a server answers."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from storage import Store
from storage.tables import METADATA

SERVER = make_url(os.environ.get("RAYUELA_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres"))
KINDS = ("sqlite", "postgresql")
EMPTYING = (
    "SET synchronous_commit = off",
    *(str(table.delete()) for table in reversed(METADATA.sorted_tables)),
)


async def run(address: URL | str, *statements: str) -> None:
    """Run statements on a PostgreSQL database over a connection of its own, each committed by itself."""
    url = make_url(address).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)


@pytest.fixture(scope="session")
def server() -> URL:
    """Give the server for tests; without one the test is skipped, or fails where that is asked for."""
    try:
        asyncio.run(run(SERVER, "SELECT 1"))
    except (OSError, DBAPIError) as error:
        where = f"{SERVER.host}:{SERVER.port}"
        if os.environ.get("RAYUELA_REQUIRE_POSTGRES") == "1":
            pytest.fail(f"PostgreSQL is required and none answers at {where}: {error}")
        pytest.skip(f"no PostgreSQL answers at {where}, so its half of the tests is left out")
    return SERVER


@pytest.fixture
def new_postgres(server: URL) -> Iterator[str]:
    """Give the URL of a PostgreSQL database with nothing in it."""
    name = f"rayuela_test_{uuid4().hex}"
    asyncio.run(run(server, f"CREATE DATABASE {name}"))
    yield server.set(database=name).render_as_string(hide_password=False)
    asyncio.run(run(server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(params=KINDS)
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of a database with nothing in it, of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("new_postgres"))
    return f"sqlite:///{tmp_path / 'new.db'}"


async def _migrate(address: str) -> None:
    async with await Store.open(address):
        pass


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SQLite file with all tables and no row, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "empty.db"
    asyncio.run(_migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def migrated_postgres(server: URL) -> Iterator[str]:
    """Give a PostgreSQL database with all tables, for one process of tests."""
    name = f"rayuela_test_{uuid4().hex}"
    asyncio.run(run(server, f"CREATE DATABASE {name}"))
    address = server.set(database=name).render_as_string(hide_password=False)
    asyncio.run(_migrate(address))
    yield address
    asyncio.run(run(server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def sqlite_database(migrated_file: Path, tmp_path: Path) -> str:
    """Give the URL of a migrated SQLite file without a row."""
    path = tmp_path / "rayuela.db"
    shutil.copy(migrated_file, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_database(migrated_postgres: str) -> str:
    """Give the URL of a migrated PostgreSQL database without a row."""
    asyncio.run(run(migrated_postgres, *EMPTYING))
    return migrated_postgres


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> str:
    """Give the URL of a migrated database without a row, of each kind."""
    name = "postgres_database" if request.param == "postgresql" else "sqlite_database"
    return str(request.getfixturevalue(name))


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """Give a store over a database of each kind."""
    async with await Store.open(database) as opened:
        yield opened
