from collections.abc import AsyncIterator

import pytest

from matches import Matches
from storage import Database
from tests.databases import open_database
from tests.games import GAMES


@pytest.fixture
def matches(database: Database) -> Matches:
    """Return the matches of a database of each kind."""
    return Matches(database, games=GAMES)


@pytest.fixture
async def other_matches(database_url: str) -> AsyncIterator[Matches]:
    """Return the matches of the same database as another process has them."""
    async with open_database(database_url, 2) as second:
        yield Matches(second, games=GAMES)
