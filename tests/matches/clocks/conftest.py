from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from matches import Matches
from storage import Database
from tests.databases import open_database

NO_OUTAGE = timedelta(days=10_000)  # tests jump in time, which must not count as downtime


@pytest.fixture
def matches(database: Database) -> Matches:
    return Matches(database, outage=NO_OUTAGE)


@pytest.fixture
async def other_matches(database_url: str) -> AsyncIterator[Matches]:
    async with open_database(database_url, 2) as second:
        yield Matches(second, outage=NO_OUTAGE)
