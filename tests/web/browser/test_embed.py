"""The board for other websites in a real browser: paging and new turns without a reload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import open_window

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

ASK_NOW = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.mark.long
async def test_pages_and_shows_new_turns_but_not_instead_of_an_earlier_one(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    async with open_window(browser, width=480, height=600) as page:
        await page.goto(f"{env.base}/embed/{match.id}")
        caption, latest = page.locator("#caption"), page.locator('[data-step="latest"]')
        await page.evaluate("window.isSamePage = true")
        await page.locator('[data-step="back"]').click()
        await expect(caption).to_contain_text("Turn 1. Black moves D1-D4")
        await expect(page.locator('[data-step="back"]')).to_be_focused()
        await env.play(match.id, "F1-F4")
        await page.evaluate(ASK_NOW)
        await expect(latest).to_have_class("fresh")
        await expect(caption).to_contain_text("Turn 1.")
        await page.keyboard.press("End")
        await expect(caption).to_contain_text("Turn 3. Black moves F1-F4")
        await env.play(match.id, "A3-B4")
        await page.evaluate(ASK_NOW)
        await expect(caption).to_contain_text("Turn 4. White moves A3-B4")
        await expect(page.locator("#live-region")).to_contain_text("White moves A3-B4")
        assert await page.evaluate("window.isSamePage")
        assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert page.url == f"{env.base}/embed/{match.id}"
