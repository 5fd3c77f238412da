"""Fixtures: a push service on loopback, matches on SQLite, and a sender for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Matches
from tests.databases import open_database
from tests.games import GAMES
from tests.push.service import running_service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.push.service import PushService


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[PushService]:
    async with running_service(tmp_path) as started:
        yield started


@pytest.fixture
async def matches(sqlite_url: str) -> AsyncIterator[Matches]:
    async with open_database(sqlite_url) as database:
        yield Matches(database, games=GAMES)
