"""The analysis board and the private tools of a seat in a real browser, on a phone and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.analyses import store_analysis
from tests.web.browser.steps import has_turns, stop_clock
from tests.web.chromium import is_accessible, open_window
from tests.web.environment import ALICE

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

FITS = "document.documentElement.scrollWidth <= 360"
pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.long
async def test_moves_are_tried_by_hand_and_keyboard_and_become_conditional(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    async with open_window(browser, width=360, height=780, phone=True) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        seat = page.url
        await page.locator("#note summary").click()
        await page.locator("#note-text").fill("Watch A2 " * 20)
        await page.get_by_role("button", name="Save note").click()
        await expect(page.locator("#note-state")).to_have_text("Saved.")
        await page.locator("#note summary").click()
        assert await page.evaluate(FITS)
        await page.get_by_role("link", name="Analysis board").click()
        await page.wait_for_load_state()  # the scripts have run
        # A finger, then the keyboard.
        await page.locator('.cells .open[data-cell="A2"]').tap()
        await page.locator('.cells .open[data-cell="B3"]').tap()
        await has_turns(page, 1)
        first = page.url
        assert "moves=A2-B3" in first
        await page.locator('.cells [data-cell="F1"]').focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("#question")).to_contain_text("Where does F1 go?")
        assert await page.evaluate("document.activeElement.closest('.cells') !== null")
        await page.locator('.cells [data-cell="F4"]').focus()
        await page.keyboard.press("Enter")
        await has_turns(page, 2)
        await expect(page.locator("#save-line")).to_contain_text("If White A2-B3: Black F1-F4")
        await is_accessible(page)
        assert await page.evaluate(FITS)
        # The browser's Back takes the move back; a step does not fill its history.
        await page.evaluate("document.activeElement.blur()")
        await page.keyboard.press("Home")
        await expect(page.locator("#board")).to_have_attribute("data-turn", "0")
        await page.go_back()
        await expect(page).to_have_url(first)
        await has_turns(page, 1)
        await page.go_forward()
        await has_turns(page, 2)
        await page.keyboard.press("End")
        await page.get_by_role("button", name="Save as conditional moves").click()
        await expect(page).to_have_url(f"{seat}/conditional")
        await expect(page.locator(".lines")).to_contain_text("If White A2-B3: Black F1-F4")
        assert await page.evaluate(FITS)


@pytest.mark.long
async def test_moves_go_on_from_the_board_that_is_shown(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        await stop_clock(page)  # or what is said is gone after some seconds
        await page.goto(f"{env.base}/analysis/morabaraba")
        for turn, cell in enumerate(("A1", "G7"), 1):
            await page.locator(f'.cells .open[data-cell="{cell}"]').click()
            await has_turns(page, turn)
        # The address goes a step back, but the board cannot be loaded.
        await page.route("**part=board*", lambda route: route.abort())
        await page.go_back()
        await expect(page.locator("#toast")).to_be_visible()
        await has_turns(page, 2)
        await page.unroute("**part=board*")
        await page.locator('.cells .open[data-cell="D3"]').click()
        await has_turns(page, 3)
        assert "moves=A1.G7.D3" in page.url
        await page.reload()
        await has_turns(page, 3)


@pytest.mark.long
async def test_curve_and_turning_points_lead_to_turns(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    for _ in range(5):
        await env.play(match.id)
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/m/{match.id}")
        await env.matches.resign(match.id, ALICE, now=env.clock())
        await page.get_by_role("button", name="Analyse this game").click()
        await store_analysis(env.matches, match.id, None, now=env.clock())
        await page.get_by_role("link", name="Turn 2: Bob played").click()
        await expect(page.locator("#board")).to_have_attribute("data-turn", "2")
        await page.get_by_role("link", name="Turn 4: 72%").click()
        await expect(page.locator("#board")).to_have_attribute("data-turn", "4")
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator("#board")).to_have_attribute("data-turn", "3")
        assert await page.evaluate("document.activeElement.dataset.turn") == "3"
        await page.get_by_role("link", name="Better:").click()
        await expect(page.locator("#board")).to_have_attribute("data-turn", "2")
        assert page.url.endswith(f"/m/{match.id}/analysis?at=2")
