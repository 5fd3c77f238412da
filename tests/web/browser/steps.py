"""What players do in a window: start a game, choose cells, press keys."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Page

CONFIRM = "#confirm button.primary"
# For evaluate(), with whether the page is hidden from now on.
HIDE_PAGE = """isHidden => {
  Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


async def stop_clock(page: Page) -> None:
    """Let no time pass in a window but what the test lets pass, however long the machine takes."""
    start = datetime(2031, 1, 1, tzinfo=UTC)
    await page.clock.install(time=start)
    await page.clock.pause_at(start + timedelta(minutes=1))


async def start_game(page: Page, base: str, game: str, screens: str, **options: str) -> None:
    """Start a local game with the form; `screens` is "one" or "two"."""
    await page.goto(f"{base}/new")
    form = page.locator(f'form:has(input[value="{game}"])')
    if not await form.is_visible():
        await page.locator(f'details:has(input[value="{game}"]) > summary').click()
    await form.locator("details").evaluate_all("every => every.forEach((one) => { one.open = true; })")
    for name, value in options.items():
        await form.locator(f'[name="{name}"]').select_option(value)
    await form.locator('[name="first"]').fill("Ann")
    await form.locator('[name="second"]').fill("Ben")
    await form.locator(f'button[name="screens"][value="{screens}"]').click()
    await page.wait_for_load_state()  # the scripts have run


async def click_cells(page: Page, *cells: str) -> None:
    """Bring a window to the front, click on cells, each as soon as it is selectable, and confirm."""
    await page.bring_to_front()
    for cell in cells:
        await page.locator(f'.cells .open[data-cell="{cell}"]').click()
    await page.locator(CONFIRM).click()


async def has_turns(page: Page, count: int) -> None:
    await expect(page.locator("#log li")).to_have_count(count)


async def has_played(page: Page, count: int) -> None:
    """Check that the turn of a page's player was played, and that the page needs no way back in the history.

    Before that a visit of another page may be ended by the way back.
    """
    await has_turns(page, count)
    await expect(page).to_have_url(re.compile("^[^?#]*$"))


async def focused_cell(page: Page) -> str:
    return str(await page.evaluate("document.activeElement.dataset.cell ?? ''"))


async def press_until(page: Page, key: str, cell: str) -> None:
    """Press a key until a cell has the focus."""
    for _ in range(40):
        if await focused_cell(page) == cell:
            return
        await page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {cell}")


async def tab_until(page: Page, selector: str) -> None:
    """Press the tab key until an element has the focus."""
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the tab key does not lead to {selector}")
