from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from matches import Matches
from storage import Store

ALWAYS_UP = timedelta(days=10_000)  # in a test time leaps, and that is no outage unless the test says so


@pytest.fixture
def matches(store: Store) -> Matches:
    return Matches(store, outage=ALWAYS_UP)


@pytest.fixture
async def elsewhere(database: str) -> AsyncIterator[Matches]:
    async with await Store.open(database) as second:
        yield Matches(second, outage=ALWAYS_UP)
