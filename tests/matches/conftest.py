from collections.abc import AsyncIterator

import pytest

from matches import Matches
from storage import Database
from tests.databases import (
    database,
    database_url,
    empty_database_url,
    empty_postgres_url,
    migrated_file,
    migrated_postgres_url,
    postgres_server,
    postgres_url,
    spare_postgres_url,
    sqlite_file,
    sqlite_url,
)
from tests.games import GAMES

__all__ = [
    "database",
    "database_url",
    "empty_database_url",
    "empty_postgres_url",
    "matches",
    "migrated_file",
    "migrated_postgres_url",
    "other_matches",
    "postgres_server",
    "postgres_url",
    "spare_postgres_url",
    "sqlite_file",
    "sqlite_url",
]


@pytest.fixture
def matches(database: Database) -> Matches:
    """Return the matches of a database of each kind."""
    return Matches(database, games=GAMES)


@pytest.fixture
async def other_matches(database_url: str) -> AsyncIterator[Matches]:
    """Return the matches of the same database as another process has them."""
    async with await Database.open(database_url) as second:
        yield Matches(second, games=GAMES)
