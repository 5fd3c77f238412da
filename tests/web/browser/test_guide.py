"""Rules and lessons in a real browser: by mouse and keyboard, and with progress."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import open_window

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.long
async def test_lesson_is_played_by_mouse_then_keyboard_and_progress_is_kept(
    env: WebEnvironment, browser: Browser
) -> None:
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/")
        await page.get_by_role("link", name="Learn", exact=True).click()
        await page.get_by_role("link", name=re.compile("Start.*Morelli")).click()
        await page.wait_for_load_state()  # the scripts have run
        await page.locator('.cells .open[data-cell="E1"]').click()
        await page.locator('.cells .open[data-cell="D2"]').click()
        await expect(page.locator("#verdict")).to_contain_text("Not yet.")
        await page.get_by_role("link", name="Try again").click()
        await page.locator('.cells .open[data-cell="E1"]').click()
        await page.locator('.cells .open[data-cell="E4"]').click()
        await expect(page.locator("#verdict")).to_contain_text("Right!")
        await page.get_by_role("link", name="Next task").click()
        await page.locator('.cells [tabindex="0"]').focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("#question")).to_contain_text("Where does A4 go?")
        while await page.locator(":focus").get_attribute("data-cell") != "H4":
            await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Enter")
        await expect(page.locator("#go-on")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("h1")).to_have_text("Your first capture")
        await page.goto(f"{env.base}/learn/morelli")
        await expect(page.locator(".progress")).to_have_text("2 of 12 done")
        await page.get_by_role("link", name="Continue").click()
        await expect(page.locator("h1")).to_have_text("Your first capture")


@pytest.mark.long
async def test_click_on_a_move_in_the_rules_shows_its_board(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/rules/morelli#declining")
        section = page.locator("#declining")
        await section.get_by_role("link", name="D1-D4", exact=True).first.click()
        await expect(section.locator("figcaption")).to_have_text("Black moves D1-D4, captures C5, D5 and E4")
        await expect(section.locator('img[src*="move=D1-D4&"]')).to_be_visible()
        assert "?" not in page.url
