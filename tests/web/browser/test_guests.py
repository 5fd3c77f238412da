"""A guest on a public website in a real browser, with a real worker: two clicks to a board that answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from matches import MatchId
from tests.databases import open_database
from tests.web.browser.steps import CONFIRM, has_played
from tests.web.browser.test_computer import computer_thinks
from tests.web.chromium import open_window
from tests.web.environment import SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(("width", "height"), [pytest.param(1280, 800, marks=pytest.mark.long), (390, 844)])
async def test_two_clicks_lead_to_a_board_that_answers(
    sqlite_url: str, browser: Browser, width: int, height: int
) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, has_computer=True, **SIGN_IN_SETTINGS) as env,
        open_window(browser, width=width, height=height, phone=width < 400) as page,
    ):
        await page.goto(env.base)
        await page.get_by_role("button", name="Play Morphos").click()
        await expect(page.locator("#seat-bottom .name")).to_have_text("Guest")
        # The second click chooses a cell; the board is played with Confirm.
        await page.locator(".cells .open").last.dispatch_event("click")
        await page.locator(CONFIRM).press("Enter")
        async with computer_thinks(env):
            await has_played(page, 2)
            await expect(page.locator("#question")).to_be_visible()
        assert (await env.view(MatchId(1))).ply == 2
        await page.goto(f"{env.base}/my-games")
        await page.locator("main a[href^='/m/1/seat/']").first.click()
        await expect(page.locator("#question")).to_be_visible()
