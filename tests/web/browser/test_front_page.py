"""From the front page to the first move in a real browser; the example game; light and dark."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from engine import GAMES
from matches import LEVELS
from tests.web.chromium import open_window

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.environment import WebEnvironment


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def choose_first_cell(page: Page) -> None:
    """Click on the first cell that can be chosen, without scripts."""
    before = page.url
    await page.locator(".board .cells a").first.click()
    await expect(page).not_to_have_url(before)
    await expect(page.locator(".board .chosen, .board svg")).not_to_have_count(0)


async def test_first_move_begins_with_the_second_click(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser, scripts=False) as page:
        for game in GAMES:
            await page.goto(f"{env.base}/")
            await page.locator(f'button[form="play-{game}"]').click()
            await expect(page.locator(".seat .name", has_text="Rayuela (beginner)")).to_be_visible()
            await expect(page.locator("#hint-button")).to_be_hidden()  # it needs scripts
            await choose_first_cell(page)


@pytest.mark.long
async def test_first_move_of_both_sides_begins_with_the_third_click(
    env: WebEnvironment, browser: Browser
) -> None:
    async with open_window(browser, scripts=False) as page:
        for game in GAMES:
            await page.goto(f"{env.base}/")
            await page.locator(f'.game a[href="/new?game={game}"]').click()
            await page.get_by_role("button", name="Play both sides here").locator("visible=true").click()
            await choose_first_cell(page)


@pytest.mark.long
async def test_example_plays_and_colours_are_chosen(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser, width=390, height=844) as page:
        toggle, board = page.locator("#example-toggle"), page.locator("#example-board")
        await page.goto(f"{env.base}/")
        await board.scroll_into_view_if_needed()
        await expect(toggle).to_have_text("Play the example")  # the system asks for less motion
        first = await board.get_attribute("src")
        assert first is not None
        await toggle.click()
        await expect(toggle).to_have_text("Pause")
        await expect(board).not_to_have_attribute("src", first)
        await toggle.click()
        await expect(toggle).to_have_text("Play the example")
        ground = "getComputedStyle(document.body).backgroundColor"
        await page.goto(f"{env.base}/matches")
        grounds = [await page.evaluate(ground)]
        await page.emulate_media(color_scheme="dark")
        grounds.append(await page.evaluate(ground))
        await page.emulate_media(color_scheme="light")
        assert len(set(grounds)) == 2
        await page.locator(".colours summary").click()
        await page.get_by_role("button", name="Dark").click()
        assert await page.evaluate(ground) == grounds[1]
        await expect(page).to_have_url(f"{env.base}/matches")


async def test_narrow_phone_shows_levels_apart_and_names_whole(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser, width=360, height=740, phone=True) as page:
        await page.goto(f"{env.base}/new?game=morabaraba")
        shown = page.locator("details[open] .stops span")
        boxes = [await shown.nth(number).bounding_box() for number in range(await shown.count())]
        assert len(boxes) == len(LEVELS)
        for left, right in pairwise(boxes):
            assert left is not None
            assert right is not None
            assert left["x"] + left["width"] < right["x"]
        await page.locator("details[open]").get_by_role("button", name="Play the computer").tap()
        await expect(page.locator("#seat-top .name")).to_have_text("Rayuela (beginner)")
        await page.goto(f"{env.base}/my-games")
        name = page.locator(".card .name", has_text="Rayuela (beginner)")
        assert await name.evaluate("name => name.offsetWidth >= name.scrollWidth")
