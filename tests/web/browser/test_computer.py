"""The first turns against the computer in a real browser, with a real worker, mostly by keyboard."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from ai.search import Opponent
from ai.worker.worker import Worker
from engine import GAMES
from matches import MatchId
from tests.web.browser.steps import CONFIRM, has_turns, tab_until
from tests.web.chromium import is_accessible, open_window

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


@asynccontextmanager
async def computer_thinks(env: WebEnvironment) -> AsyncIterator[None]:
    """Let a worker answer while the block runs, without waiting for a human pace."""
    env.clock.advance(seconds=5)
    stop = asyncio.Event()
    running = asyncio.create_task(Worker(env.matches, GAMES, Opponent.start(), env.clock).run(stop))
    try:
        yield
    finally:
        stop.set()
        await running


async def shown_sentence(page: Page) -> str:
    """Return the sentence about the chosen level that is visible."""
    shown = page.locator("details[open] .levels small").filter(visible=True)
    return await shown.inner_text()


@pytest.mark.long
async def test_first_turns_against_the_computer(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/new?game=morabaraba")
        await tab_until(page, 'details[open] [name="level"]')
        assert (await shown_sentence(page)).endswith("for your first games")
        await page.keyboard.press("ArrowRight")
        assert (await shown_sentence(page)).startswith("Sees an immediate win")
        await tab_until(page, '[name="screens"]')
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/seat/*")  # its scripts have run
        await expect(page.locator("#seat-top .name")).to_have_text("Rayuela (casual)")
        await tab_until(page, ".cells a")
        await page.keyboard.press("Enter")
        await expect(page.locator(CONFIRM)).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#thinking")).to_have_text("Rayuela (casual) is thinking.")
        await expect(page.locator("#live-region")).to_contain_text("Rayuela (casual) is thinking.")
        assert await page.evaluate("document.getAnimations().length") == 0
        async with computer_thinks(env):
            await has_turns(page, 2)
            await expect(page.locator("#live-region")).to_contain_text("Red places")
            await expect(page.locator("#question")).to_contain_text("Where do you place")
        await page.get_by_role("button", name="Hint").press("Enter")
        await expect(page.locator("#hint")).to_contain_text("Hint: White places")
        # The reason, if there is one, is a sentence of its own.
        await expect(page.locator("#live-region")).to_have_text(
            re.compile(r"Hint: White places [A-G][1-7]\.( \S.*)? Where do you place your man\?")
        )
        await is_accessible(page)
        hint = await page.locator("#hint").inner_text()
        found = re.search(r"White places ([A-G][1-7])", hint)
        assert found is not None
        await page.locator(f'.cells .open[data-cell="{found[1]}"]').click()
        await expect(page.locator(CONFIRM)).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(page.locator("#hint")).to_contain_text(found[0])  # until the board changes
        await page.get_by_role("button", name="Take back").press("Enter")
        await has_turns(page, 0)
        await expect(page.locator("#hint")).to_have_count(0)
        assert (await env.view(MatchId(1))).ply == 0


# Where the list of turns and the buttons for paging are.
PLACES = """() => [".log", "#replay-controls"].map((one) => {
  const { x, y, width } = document.querySelector(one).getBoundingClientRect();
  return [x, y, width];
})"""


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
async def test_answers_of_the_computer_move_nothing_else(
    env: WebEnvironment, browser: Browser, width: int, height: int
) -> None:
    async with open_window(browser, width=width, height=height, phone=width < 400) as page:
        await page.goto(f"{env.base}/new?game=morphos")
        await page.locator('button[name="screens"][value="computer"]').first.click()
        await page.locator(".cells .open").last.dispatch_event("click")
        await page.locator(CONFIRM).press("Enter")
        await expect(page.locator("#thinking")).to_be_visible()
        thinking = await page.evaluate(PLACES)
        async with computer_thinks(env):
            await expect(page.locator("#question")).to_be_visible()
            await has_turns(page, 2)
        assert await page.evaluate(PLACES) == thinking
