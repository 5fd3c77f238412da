"""Whole games on the analysis board, on a phone: of a match, left and returned to, and of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import is_accessible, open_window
from tests.web.environment import BOB

if TYPE_CHECKING:
    from playwright.async_api import Browser, FilePayload

    from tests.web.environment import WebEnvironment

FITS = "document.documentElement.scrollWidth <= 360"
pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.long
async def test_game_is_left_and_returned_to_on_a_phone(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match({}, "morabaraba")
    await env.play(match.id, "A1", "G7", "D3", "B2", "F6")
    await env.matches.resign(match.id, BOB, now=env.clock())
    async with open_window(browser, width=360, height=780, phone=True) as page:
        await page.goto(f"{env.base}/m/{match.id}")
        await page.get_by_role("link", name="Analysis board").tap()
        await page.wait_for_url("**/analysis")  # the board of the match has five turns too
        board, current = page.locator("#board"), page.locator('#log [aria-current="true"]')
        await expect(board).to_have_attribute("data-turn", "5")
        path = page.url
        assert path.endswith(f"/m/{match.id}/analysis")
        # Back through the game, and away from it with two moves.
        for turn in ("4", "3", "2"):
            await page.locator('[data-step="back"]').tap()
            await expect(board).to_have_attribute("data-turn", turn)
        for number, cell in ((3, "A7"), (4, "B4")):
            await page.locator(f'.cells .open[data-cell="{cell}"]').tap()
            await expect(current).to_have_text(f"{number}. {cell}")
        assert page.url == f"{path}/line=2.A7.B4?in=1"
        await expect(page.locator("#log > li")).to_have_count(5)
        await is_accessible(page)
        assert await page.evaluate(FITS)
        # Back to the game, on in it, and into the branch again by its move.
        await page.get_by_role("link", name="Back to the game").tap()
        await expect(current).to_contain_text("G7")
        await page.locator('[data-step="forward"]').tap()
        await expect(current).to_contain_text("D3")
        await page.locator(".variation a", has_text="B4").tap()
        await expect(board).to_have_attribute("data-turn", "4")
        assert page.url == f"{path}/line=2.A7.B4?in=1"
        # A branch of the branch; the browser's Back takes it back.
        await page.locator('[data-step="back"]').tap()
        await expect(current).to_have_text("3. A7")
        await page.locator('.cells .open[data-cell="C4"]').tap()
        await expect(page.locator(".variation.depth-2")).to_contain_text("4. C4")
        await page.go_back()
        await expect(page.locator(".variation")).to_have_count(1)
        # The link shows the same to somebody else, and its cross removes the branch.
        async with open_window(browser) as other:
            await other.goto(f"{path}/line=2.A7.B4?in=1")
            await expect(other.locator('#log [aria-current="true"]')).to_have_text("4. B4")
        await page.get_by_role("link", name="Remove the line 3. A7 B4").tap()
        await expect(page.locator(".variation")).to_have_count(0)
        assert page.url.startswith(f"{path}?at=")


RECORD = '[Game "morabaraba"]\n[Rules "2"]\n[Result "*"]\n\n1. A1\n2. G7\n3. D3\n*\n'


@pytest.mark.long
async def test_record_is_opened_on_a_phone(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser, width=360, height=780, phone=True) as page:
        await page.goto(f"{env.base}/analysis/morelli")
        await page.get_by_role("link", name="Open a record or position").tap()
        field = page.get_by_label("Record or position line")
        await field.fill(RECORD.replace("D3", "G7"))
        await page.get_by_role("button", name="Open").tap()
        await expect(page.get_by_role("alert")).to_contain_text("Line 7, column 4:")
        assert await page.evaluate(FITS)
        await is_accessible(page)
        # What was typed is still there; the browser sends line breaks in its own way.
        await expect(field).to_have_value(RECORD.replace("D3", "G7"))
        await field.fill(RECORD)
        await page.get_by_role("button", name="Open").tap()
        await expect(page.locator("#log > li")).to_have_count(3)
        assert "moves=A1.G7.D3" in page.url
        # A file wins over what was typed.
        await page.goto(f"{env.base}/import")
        file: FilePayload = {"name": "match.txt", "mimeType": "text/plain", "buffer": RECORD.encode()}
        await page.get_by_label("Or a file").set_input_files(file)
        await page.get_by_role("button", name="Open").tap()
        await expect(page.locator("#log > li")).to_have_count(3)
