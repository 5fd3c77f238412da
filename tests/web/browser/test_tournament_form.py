"""The form for a tournament takes the time of the start in the time zone of the browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from matches import Reader
from matches.tournaments.values import Kind, TournamentId
from tests.databases import open_database
from tests.web.browser.test_lobby import sign_in
from tests.web.chromium import open_window
from tests.web.environment import ALICE, CAROL, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_tournaments import create_tournament

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def env(sqlite_url: str) -> AsyncIterator[WebEnvironment]:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, **SIGN_IN_SETTINGS) as started,
    ):
        yield started


@pytest.mark.long
async def test_start_is_shown_and_typed_in_the_time_zone_of_the_browser(
    env: WebEnvironment, browser: Browser
) -> None:
    number = await create_tournament(env, Kind.SWISS, (ALICE,))
    starts = (await env.matches.tournaments.view(number, Reader(), now=env.clock())).settings.starts_at
    async with open_window(browser, zone="Asia/Kolkata") as page:
        await sign_in(env, page, CAROL)
        await page.goto(f"{env.base}/tournaments/{number}/change")
        shown = [await page.input_value(f"input[name={name}]") for name in ("date", "time", "zone")]
        local = starts + timedelta(hours=5, minutes=30)
        assert shown == [local.date().isoformat(), local.strftime("%H:%M"), "Asia/Calcutta"]
        await page.goto(f"{env.base}/tournaments/new")
        await page.fill("input[name=name]", "Monsoon cup")
        await page.fill("input[name=date]", (local + timedelta(days=1)).date().isoformat())
        await page.fill("input[name=time]", "06:00")
        await page.click("button.primary")
        await page.wait_for_url("**/tournaments/2")
    made = await env.matches.tournaments.view(TournamentId(2), Reader(), now=env.clock())
    day = (local + timedelta(days=1)).date()
    assert made.settings.starts_at == datetime(day.year, day.month, day.day, 0, 30, tzinfo=UTC)
