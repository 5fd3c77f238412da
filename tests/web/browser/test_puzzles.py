"""Puzzles in a real browser on a phone: by touch, without a reload, one after another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from engine.puzzle import Puzzle
from tests.games import GAMES
from tests.matches.puzzles.puzzles import puzzle_of, store_puzzles
from tests.web.chromium import open_window
from tests.web.environment import ALICE
from tests.web.prepared_matches import PUZZLE

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.long
async def test_puzzle_is_solved_by_touch_and_leads_to_the_next(env: WebEnvironment, browser: Browser) -> None:
    puzzle, other = Puzzle.parse(PUZZLE, GAMES), puzzle_of("morabaraba")
    await store_puzzles(env.database, [puzzle, other])
    async with open_window(browser, width=360, height=740, phone=True) as page:
        secret = await env.start_seat_session(ALICE)
        await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])
        await page.goto(f"{env.base}/puzzles/{puzzle.key}")
        await page.evaluate("window.isSamePage = true")
        await page.locator('.cells [data-cell="A2"]').click()
        await expect(page.locator("#verdict")).to_contain_text("The reply: Black places A4")
        await page.locator('.cells [data-cell="C3"]').click()
        await expect(page.locator("#verdict")).to_have_text("Solved!")
        await expect(page.locator(".figures")).to_contain_text("Your rating")
        await expect(page.locator("#go-on")).to_be_focused()
        assert await page.evaluate("window.isSamePage")
        assert page.url.endswith("?turns=xA2.xC3")
        await page.reload()
        await expect(page.locator("#verdict")).to_have_text("Solved!")
        await page.locator("#go-on").click()
        await expect(page).to_have_url(re.compile(other.key))
    [past] = await env.matches.puzzles.list_history(ALICE.account)
    assert past.attempt.is_solved


@pytest.mark.long
async def test_wrong_turn_is_tried_again_by_keyboard(env: WebEnvironment, browser: Browser) -> None:
    puzzle = Puzzle.parse(PUZZLE, GAMES)
    await store_puzzles(env.database, [puzzle])
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/puzzles")
        await page.get_by_text("Choose from a list, or type").click()
        await page.get_by_label("Type your move").fill("c1")
        await page.keyboard.press("Enter")
        await expect(page.locator("#verdict")).to_contain_text("Not yet.")
        await expect(page.locator("#go-on")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#verdict")).to_have_count(0)
        await page.get_by_text("Choose from a list, or type").click()
        await page.get_by_label("Type your move").fill("nonsense")
        await page.keyboard.press("Enter")
        await expect(page.locator("#notice")).to_be_visible()
        await page.get_by_label("Type your move").fill("x a2")
        await page.keyboard.press("Enter")
        await expect(page.locator("#verdict")).to_contain_text("Right!")
        await page.get_by_role("button", name="Show the solution").click()
        await expect(page.locator(".solution li")).to_have_count(3)
