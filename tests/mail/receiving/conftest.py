"""Fixtures of tests of receiving mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Matches
from storage import Database
from tests.games import GAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def other_matches(database_url: str) -> AsyncIterator[Matches]:
    """Return the matches of the same database as another process has them."""
    async with await Database.open(database_url) as second:
        yield Matches(second, games=GAMES)
