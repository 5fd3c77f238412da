"""Studies in a real browser, on a phone: a board with a comment is saved, changed twice, and shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.databases import open_database
from tests.web.browser.steps import has_turns
from tests.web.chromium import is_accessible, open_window
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page

    from tests.web.environment import WebEnvironment

FITS = "document.documentElement.scrollWidth <= 360"
pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def env(sqlite_url: str) -> AsyncIterator[WebEnvironment]:
    """Run a website on which one can sign in."""
    async with open_database(sqlite_url) as database, running_web(database, **SIGN_IN_SETTINGS) as started:
        yield started


async def play(page: Page, cell: str, turns: int) -> None:
    await page.locator(f'.cells .open[data-cell="{cell}"]').tap()
    await has_turns(page, turns)


async def is_usable(page: Page) -> None:
    await is_accessible(page)
    assert await page.evaluate(FITS)


async def save_first_chapter(page: Page, env: WebEnvironment) -> str:
    """Play two moves, comment on the first, save the board in a new study, and return its address."""
    await page.goto(f"{env.base}/analysis/morabaraba")
    await play(page, "A1", 1)
    await page.get_by_text("Comment on this position").click()
    await page.get_by_role("textbox", name="Everybody with the link").fill("A corner:\nhard to attack")
    await page.get_by_role("button", name="Save comment").click()
    await expect(page.locator("#comment")).to_have_text("A corner:\nhard to attack")
    await is_usable(page)
    # One that is being written is saved by the next move.
    await page.get_by_text("Change the comment").click()
    field = page.get_by_role("textbox", name="Everybody with the link")
    await field.fill("x")
    await field.press("Escape")  # which is no step back
    await field.fill("A corner:\nhardest to attack")
    await play(page, "G7", 2)
    await page.locator('#replay-controls [data-step="back"]').tap()
    await expect(page.locator("#comment")).to_have_text("A corner:\nhardest to attack")
    await page.locator('#replay-controls [data-step="forward"]').tap()
    await expect(page.locator("#comment")).to_have_count(0)  # it belongs to its position
    await page.get_by_role("link", name="Save to a study").click()
    await page.get_by_label("Name of the study").fill("Corners")
    await page.get_by_label("Name of the chapter").fill("First")
    assert await page.evaluate(FITS)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", name="First")).to_be_visible()
    await is_usable(page)
    await expect(page.get_by_role("button", name="Save changes")).to_have_count(0)
    return page.url.partition("?")[0]


async def change_in_two_windows(page: Page, chapter: str) -> None:
    """Go on from the same board in two windows: one saves it, the other keeps its own as a new chapter."""
    other = await page.context.new_page()
    await other.goto(chapter)
    await play(other, "D3", 3)
    await play(page, "D5", 3)
    await page.go_back()
    await has_turns(page, 2)
    await expect(page).to_have_url(f"{chapter}?at=2")
    await page.go_forward()
    await has_turns(page, 3)
    await page.get_by_role("button", name="Save changes").click()
    await expect(page).to_have_url(f"{chapter}?at=3")
    await has_turns(page, 3)
    await other.get_by_role("button", name="Save changes").click()
    await expect(other.locator("#notice")).to_contain_text("changed in another window")
    await is_usable(other)
    study, new_name = other.get_by_role("combobox"), other.locator('input[name="study_name"]')
    await expect(new_name).to_be_hidden()  # or a name would be typed, and the chapter added to the old study
    await study.select_option("new")
    await expect(new_name).to_be_visible()
    await study.select_option(label="Corners")
    await other.get_by_label("Name of the chapter").fill("Second")
    await other.get_by_role("button", name="Save").click()
    await expect(other.get_by_role("heading", name="Second")).to_be_visible()
    await has_turns(other, 3)
    await other.close()


@pytest.mark.long
async def test_board_is_saved_in_a_study_changed_and_shared(env: WebEnvironment, browser: Browser) -> None:
    secret = await env.start_seat_session(ALICE)
    async with open_window(browser, width=360, height=780, phone=True) as page:
        await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])
        chapter = await save_first_chapter(page, env)
        await change_in_two_windows(page, chapter)
        await page.get_by_role("link", name="Corners").first.click()
        await expect(page.locator(".chapters > li")).to_have_count(2)
        await page.get_by_label("Everybody who has the link").check()
        await page.get_by_role("button", name="Save", exact=True).click()
        await page.locator(".chapters summary").first.click()
        await page.get_by_role("button", name="Move down").click()
        await expect(page.locator(".chapters > li").first).to_contain_text("Second")
        await is_usable(page)
        study = page.url
    async with open_window(browser, width=360, height=780, phone=True) as page:
        await page.goto(study)
        await page.get_by_role("link", name="First").click()
        await has_turns(page, 3)
        await page.locator('#replay-controls [data-step="forward"]').tap()
        await expect(page.locator("#comment")).to_contain_text("hardest to attack")
        await page.locator('.cells .open[data-cell="B2"]').tap()
        await expect(page.locator(".variation")).to_contain_text("B2")
        assert "/analysis/morabaraba/" in page.url
        await expect(page.get_by_role("button", name="Save changes")).to_have_count(0)
        assert await page.evaluate(FITS)
