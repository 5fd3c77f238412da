"""From the front page to the first move in a real browser; the example game; light and dark."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from engine import GAMES
from matches import ADAPTIVE, FIXED_LEVELS
from tests.web.chromium import open_window

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from tests.web.environment import WebEnvironment


pytestmark = pytest.mark.asyncio(loop_scope="session")


async def choose_first_cell(page: Page) -> None:
    """Click on the first cell that can be chosen, without scripts."""
    before = page.url
    await page.locator(".board .cells a").first.click()
    await expect(page).not_to_have_url(before)
    await expect(page.locator(".board .chosen, .board svg")).not_to_have_count(0)


@pytest.mark.long
async def test_first_move_begins_with_the_second_click(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser, scripts=False) as page:
        for game in GAMES:
            await page.goto(f"{env.base}/")
            await page.locator(f'button.primary[form="play-{game}"]').click()
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


NO_CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
document.execCommand = () => globalThis.isCopying === true;
navigator.canShare = () => true;
navigator.share = async (data) => { globalThis.shared = data; };
"""


@pytest.mark.long
async def test_friend_gets_a_link_on_a_phone_without_a_clipboard(
    env: WebEnvironment, browser: Browser
) -> None:
    async with open_window(browser, width=390, height=844, phone=True) as page:
        await page.add_init_script(NO_CLIPBOARD)
        # By another name of this machine than that in links: cookies belong to one name.
        await page.goto(f"{env.base}/".replace("127.0.0.1", "localhost"))
        await page.locator('button[form="play-morphos"][value="two"]').tap()
        field = page.get_by_label("Personal link for White")
        link = await field.input_value()
        await page.get_by_role("button", name="Share").tap()
        shared = await page.evaluate("globalThis.shared")
        assert (shared["url"], shared["text"]) == (link, "Let's play Morphos!")
        await field.tap()
        assert await page.evaluate("getSelection().toString()") == link
        copy = page.get_by_role("button", name="Copy link").first
        await copy.tap()
        await expect(page.get_by_role("status")).to_have_text(
            "Your browser does not copy here. Press and hold the link to copy it."
        )
        assert await page.evaluate("getSelection().toString()") == link
        await page.evaluate("globalThis.isCopying = true")
        await copy.tap()
        await expect(page.get_by_role("status")).to_have_text("Copied.")
        await expect(copy).to_be_focused()
        await page.get_by_role("link", name="Open your board").tap()
        await expect(page.locator("#seat-bottom .name")).to_have_text("Black")
        await expect(page.locator(".my-games")).to_be_visible()
        assert page.url.startswith("http://localhost:")
        await expect(page.locator(".about p").first).to_contain_text("9 \u00d7 9")


@pytest.mark.long
async def test_closed_fists_are_drawn_and_long_names_fit_a_phone(
    env: WebEnvironment, browser: Browser
) -> None:
    async with open_window(browser, width=360, height=740, phone=True) as page:
        await page.goto(f"{env.base}/new?game=morelli&setup=fists")
        form = page.locator("details[open] form")
        await form.locator('[name="first"]').fill("W" * 40)
        await form.locator('[name="second"]').fill("محمد abc עברית <b>x</b>")
        await form.locator('button[value="two"]').tap()
        # The side stands after the name, whatever the direction of its letters.
        heading = page.get_by_role("heading", name="For your friend")
        await expect(heading).to_have_text("For your friend: \u2068محمد abc עברית <b>x</b>\u2069 (White)")
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.get_by_role("link", name="Open your board").tap()
        await expect(page.locator("#board .fist")).to_have_count(2)
        await expect(page.locator(".picks .fist")).to_have_count(6)
        for path in (page.url, f"{env.base}/my-games", f"{env.base}/"):
            await page.goto(path)
            assert not {"🤛", "🤜"} & set(await page.locator("body").inner_text())
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


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
        await page.wait_for_load_state()
        assert await page.evaluate(ground) == grounds[1]
        await expect(page).to_have_url(f"{env.base}/matches")


@pytest.mark.long
async def test_narrow_phone_shows_levels_apart_and_names_whole(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser, width=360, height=740, phone=True) as page:
        await page.goto(f"{env.base}/new?game=morabaraba")
        shown = page.locator("details[open] .stops span")
        boxes = [await shown.nth(number).bounding_box() for number in range(await shown.count())]
        levels = (*FIXED_LEVELS, ADAPTIVE)
        assert len(boxes) == len(levels)
        for left, right in pairwise(boxes):
            assert left is not None
            assert right is not None
            is_below = right["y"] >= left["y"] + left["height"]  # the last one, beside the order of strength
            assert is_below or left["x"] + left["width"] < right["x"]
        for level in range(len(levels) - 1, -1, -1):
            await page.locator("details[open] .stops label").nth(level).tap()
            await expect(page.locator("details[open] .levels small").filter(visible=True)).to_have_count(1)
            half = page.locator("details[open] .half").filter(visible=True)
            await expect(half).to_have_count(int(level < 4))  # none from expert on
        await half.tap()
        await page.locator("details[open]").get_by_role("button", name="Play the computer").tap()
        await expect(page.locator("#seat-top .name")).to_have_text("Rayuela (beginner+)")
        await page.goto(f"{env.base}/my-games")
        name = page.locator(".card .name", has_text="Rayuela (beginner+)")
        assert await name.evaluate("name => name.offsetWidth >= name.scrollWidth")
