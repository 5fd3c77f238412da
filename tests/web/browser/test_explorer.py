"""The opening explorer on a phone, without scripts: tap a move, and go back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.chromium import open_window
from tests.web.environment import BOB

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.long
async def test_moves_are_followed_by_taps(env: WebEnvironment, browser: Browser) -> None:
    for reply in ("D2", "A1"):
        match = await env.start_match({}, "morabaraba")
        await env.play(match.id, "D6", reply)
        await env.matches.resign(match.id, BOB, now=env.clock())
    await env.matches.explorer.counts.count()
    async with open_window(browser, width=360, height=740, phone=True, scripts=False) as page:
        await page.goto(f"{env.base}/m/{match.id}?turn=0")
        await page.get_by_role("link", name="Opening explorer").tap()
        rows = page.locator("tbody tr")
        await expect(rows).to_have_count(1)
        pieces = await page.locator(".board svg").inner_html()
        await rows.get_by_role("link").tap()
        await expect(rows).to_have_count(2)
        assert await page.locator(".board svg").inner_html() != pieces
        await page.get_by_role("link", name="Back", exact=True).tap()
        await expect(rows).to_have_count(1)
        assert await page.locator(".board svg").inner_html() == pieces
