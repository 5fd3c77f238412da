"""axe finds nothing wrong with any kind of page in light, dark and forced colours, and all fit a phone.

Each page is opened once. Contrast takes most of the time, so it is checked on one page of each kind, in light
and dark colours; on the others the colours are forced, so that contrast is the system's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.steps import start_game
from tests.web.chromium import is_accessible, open_window
from tests.web.environment import ALICE
from tests.web.prepared_matches import prepare_matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.async_api import Browser, Page, ViewportSize

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="module")

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
# The names of matches are those of prepare_matches().
SITE_PAGES = (
    *("/", "/new?game=morphos&mutators=ac", "/matches?state=finished", "/m/999"),
    *("/rules", "/rules/breakthrough", "/learn", "/learn/morphos"),
    *("/privacy", "/terms"),
    *("/learn/morelli/5?answers=D1.D4", "/learn/morelli/10?text=C8-C7", "/learn/morelli/12?text=F1-F4"),
)
MATCH_PAGES = (
    *("/m/{running}", "/m/{finished}?theme=clear", "/m/{choosing}"),
    *("/embed/{running}", "/embed/{finished}?theme=clear", "/embed/999"),
)
SEAT_PAGES = (
    *("/m/{running}/seat/1", "/m/{running}/seat/1?answers=D9", "/m/{running}/seat/1?answers=D9.F7"),
    *("/m/{running}/seat/1?text=A1-A2", "/m/{running}/seat/1?ask=resign", "/m/{finished}/seat/2"),
    *("/m/{choosing}/seat/1", "/m/{offered}/seat/1", "/m/{offering}/seat/1?turn=2", "/my-games"),
)
# Every part that has colours of its own occurs on one of these.
CONTRAST_PAGES = {
    *("/", "/new?game=morphos&mutators=ac", "/matches?state=finished", "/rules/breakthrough"),
    *("/m/999", "/privacy"),
    *("/learn/morelli/10?text=C8-C7", "/m/{finished}?theme=clear", "/embed/{running}"),
    *("/m/{running}/seat/1?text=A1-A2", "/m/{running}/seat/1?ask=resign"),
    *("/m/{choosing}/seat/1", "/m/{offered}/seat/1"),
}


async def check_page(page: Page, env: WebEnvironment, path: str, matches: Mapping[str, int]) -> None:
    has_contrast = path in CONTRAST_PAGES
    await page.set_viewport_size(WIDE if has_contrast else PHONE)
    await page.emulate_media(color_scheme="light", forced_colors="none" if has_contrast else "active")
    await page.goto(env.base + path.format(**matches))
    await is_accessible(page, forced_colours=not has_contrast)
    if has_contrast:
        await page.set_viewport_size(PHONE)
        await page.emulate_media(color_scheme="dark")
        await is_accessible(page, only_contrast=True)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.long
async def test_pages_of_the_site(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        for path in SITE_PAGES:
            await check_page(page, env, path, matches)


async def test_pages_of_matches(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        for path in MATCH_PAGES:
            await check_page(page, env, path, matches)


@pytest.mark.long
async def test_pages_of_players(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        for number in matches.values():
            await page.goto(await env.seat_link(number, ALICE))
        await start_game(page, env.base, "morphos", "two", size="5")
        links_path = page.url.removeprefix(env.base)
        for path in (links_path, *SEAT_PAGES):
            await check_page(page, env, path, matches)
