"""Fixtures of the tests in a real browser: one browser for all of them, a website with local games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.databases import open_database
from tests.web.chromium import running_browser
from tests.web.environment import running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests in one process, so that the browser is started once."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with running_browser() as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session")
async def env(sqlite_url: str) -> AsyncIterator[WebEnvironment]:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, allow_local_games=True, has_computer=True) as started,
    ):
        yield started
