"""The table, and somebody who looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.databases import migrated_file, opened, sqlite_database, sqlite_file
from tests.web.stage import Stage, Visitor, table_over

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Store

__all__ = ["migrated_file", "sqlite_database", "sqlite_file"]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting from outside."""
    for name in (
        "WEB_HOST",
        "WEB_PORT",
        "PUBLIC_URL",
        "WEB_SECRET",
        "WEB_PROXIES",
        "DATABASE_URL",
        "LOG_LEVEL",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def database(sqlite_database: str) -> str:
    return sqlite_database


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with opened(database) as store:
        yield store


@pytest.fixture
async def stage(store: Store) -> AsyncIterator[Stage]:
    async with table_over(store) as table:
        yield table


@pytest.fixture
async def visitor(stage: Stage) -> AsyncIterator[Visitor]:
    async with stage.visitor() as somebody:
        yield somebody
