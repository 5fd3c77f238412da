"""The mistakes of a finished match in a real browser, on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from matches import AnalysisStatus, find_mistakes
from tests.analyses import store_analysis
from tests.web.chromium import open_window
from tests.web.environment import ALICE, BOB

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def touch(page: Page, move: tuple[str, ...]) -> None:
    """Choose a move of Morelli on the board, and wait until nothing is left to choose."""
    start, target = move[0].split("-")
    await page.locator(f'.cells .open[data-cell="{start}"]').tap()
    await page.locator(f'.cells .open[data-cell="{target}"]').tap()
    await expect(page.locator("#verdict")).to_be_visible()


@pytest.mark.long
async def test_player_finds_better_turns_on_a_phone(env: WebEnvironment, browser: Browser) -> None:
    match = (await env.start_match(people=(ALICE, BOB))).id
    for _ in range(4):
        await env.play(match)
    await env.matches.resign(match, BOB, now=env.clock())
    losses = {2: 0.32, 4: 0.2}
    await store_analysis(env.matches, match, None, losses=losses, has_tasks=True, now=env.clock())
    replay = await env.matches.replay(match, now=env.clock())
    first, _ = find_mistakes(replay, await env.matches.game_analyses.get(replay), 1)
    async with open_window(browser, width=360, height=740, phone=True) as page:
        await page.goto(await env.seat_link(match, BOB))
        await page.get_by_role("link", name="Learn from the mistakes").tap()
        await expect(page.locator(".count")).to_have_text("Your mistake 1 of 2")
        await page.wait_for_load_state()  # the scripts have run
        loaded = await page.evaluate("performance.timeOrigin")
        await touch(page, first.played)
        await expect(page.locator("#verdict")).to_contain_text("is what was played")
        await page.get_by_role("link", name="Try again").tap()
        await expect(page.locator("#question")).to_be_visible()
        await touch(page, first.point.better)
        await expect(page.locator("#verdict")).to_contain_text("Right!")
        # All of that was one page, and nothing of it is wider than the phone.
        assert await page.evaluate("performance.timeOrigin") == loaded
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.get_by_role("link", name="Next mistake").tap()
        await expect(page.locator(".count")).to_have_text("Your mistake 2 of 2")
        await page.get_by_role("link", name="Show the answer").tap()
        await expect(page.locator("#verdict")).to_contain_text("A good turn is")
        await expect(page.locator("#lesson-controls")).to_contain_text("That was the last one.")
        await page.get_by_role("link", name="Back to the match").first.tap()
        await expect(page.locator("#game-analysis")).to_be_visible()
        assert await page.evaluate("localStorage.length") == 0  # they are no lessons


@pytest.mark.long
async def test_opened_better_turn_stays_open_when_the_analysis_is_complete(
    env: WebEnvironment, browser: Browser
) -> None:
    match = (await env.start_match(people=(ALICE, BOB))).id
    for _ in range(4):
        await env.play(match)
    await env.matches.resign(match, BOB, now=env.clock())
    losses, status = {2: 0.32, 4: 0.2}, AnalysisStatus.REFINING
    await store_analysis(env.matches, match, None, status=status, losses=losses, now=env.clock())
    async with open_window(browser, width=360, height=740, phone=True) as page:
        await page.clock.install()
        await page.goto(await env.seat_link(match, BOB))
        better = page.locator("#better-4 a")
        await expect(better).to_be_hidden()
        await page.locator("#better-4 summary").tap()
        await expect(better).to_be_visible()
        await store_analysis(env.matches, match, None, losses=losses, has_tasks=True, now=env.clock())
        await page.clock.fast_forward(10_000)
        await expect(page.locator('#game-analysis[data-status="complete"]')).to_be_visible()
        await expect(better).to_be_visible()
        await expect(page.locator("#better-2 a")).to_be_hidden()
