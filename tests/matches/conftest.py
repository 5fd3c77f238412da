from collections.abc import AsyncIterator

import pytest

from matches import Matches
from storage import Store
from tests.databases import (
    database,
    migrated_file,
    migrated_postgres,
    new_database,
    new_postgres,
    postgres_database,
    server,
    spare_postgres,
    sqlite_database,
    sqlite_file,
    store,
)

__all__ = [
    "database",
    "elsewhere",
    "matches",
    "migrated_file",
    "migrated_postgres",
    "new_database",
    "new_postgres",
    "postgres_database",
    "server",
    "spare_postgres",
    "sqlite_database",
    "sqlite_file",
    "store",
]


@pytest.fixture
def matches(store: Store) -> Matches:
    """Give matches over a database of each kind."""
    return Matches(store)


@pytest.fixture
async def elsewhere(database: str) -> AsyncIterator[Matches]:
    """Give what a second process has: matches of its own over the same database."""
    async with await Store.open(database) as second:
        yield Matches(second)
