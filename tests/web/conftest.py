"""Fixtures: a website over an SQLite database, and a visitor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.databases import open_database
from tests.web.environment import Visitor, WebEnvironment, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the settings of the environment."""
    for name in (
        "WEB_HOST",
        "WEB_PORT",
        "PUBLIC_URL",
        "WEB_SECRET",
        "WEB_PROXIES",
        "DISCORD_CLIENT_ID",
        "DISCORD_CLIENT_SECRET",
        "DISCORD_PROXY",
        "DATABASE_URL",
        "LOG_LEVEL",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    async with open_database(database_url) as database:
        yield database


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database) as started:
        yield started


@pytest.fixture
async def visitor(env: WebEnvironment) -> AsyncIterator[Visitor]:
    async with env.visitor() as opened:
        yield opened
