"""axe finds nothing wrong with any kind of page in light, dark and forced colours, and all fit a phone.

Two pages of matches are checked at every change. All of them take minutes, most of it for contrast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from matches.people.mail_codes import derive_code
from tests.databases import open_database
from tests.web.browser.steps import start_game
from tests.web.chromium import is_accessible, open_window
from tests.web.environment import ALICE, CAROL, SECRET, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_matches import prepare_matches
from tests.web.prepared_tournaments import prepare_tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.async_api import Browser, Page, ViewportSize

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

NO_MATCHES = {
    "challenge",
    "confirm_mail",
    "stop_mail",
    "puzzle",
    "tried_puzzle",
    "study",
}  # what prepare_matches() makes besides
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
# The names of matches are those of prepare_matches().
SITE_PAGES = (
    *("/", "/new?game=morphos&mutators=ac", "/matches?state=finished", "/m/999"),
    *("/rules", "/rules/breakthrough", "/learn", "/learn/morphos", "/lobby", "/@Alice"),
    *("/privacy", "/terms", "/puzzles?game=chess"),
    *("/puzzles/{puzzle}", "/puzzles/{puzzle}?answers=flip.A2", "/puzzles/{puzzle}?turns=xA2&hint=1"),
    *("/puzzles/{puzzle}?turns=C1", "/puzzles/{puzzle}?turns=xA2.xC3", "/puzzles/{puzzle}?solution=1"),
    *("/study/{study}", "/study/{study}/1?at=10"),
    *("/import", "/analysis/morelli", "/analysis/morphos?text=C3+B2"),
    *("/explorer/morabaraba", "/explorer/morabaraba?moves=B4", "/explorer/morelli"),
    *("/learn/morelli/5?answers=D1.D4", "/learn/morelli/10?text=C8-C7", "/learn/morelli/12?text=F1-F4"),
)
MATCH_PAGES = (
    *("/m/{running}", "/m/{finished}?theme=clear", "/m/{choosing}"),
    "/m/{finished}/analysis/line=10.G4.D3&line=10.G4.E1?in=1&at=11",
    *("/embed/{running}", "/embed/{finished}?theme=clear", "/embed/999"),
)
SEAT_PAGES = (
    *("/m/{running}/seat/1", "/m/{running}/seat/1?answers=D9", "/m/{running}/seat/1?answers=D9.F7"),
    *("/m/{running}/seat/1?text=A1-A2", "/m/{running}/seat/1?ask=resign", "/m/{finished}/seat/1"),
    *(
        "/m/{choosing}/seat/1",
        "/m/{offered}/seat/1",
        "/m/{offered}/seat/1?ask=accept",
        "/m/{offering}/seat/1?turn=2",
        "/my-games",
    ),
    *("/m/{thinking}/seat/2", "/m/{lost}/seat/2"),
    *("/m/{finished}/mistakes/32", "/m/{finished}/mistakes/32?show=1"),
    *("/m/{offering}/seat/1/conditional", "/m/{offering}/seat/1/analysis?text=B5-C5+D9-F7"),
)
ACCOUNT_PAGES = (
    "/@Alice",
    "/account",
    "/lobby",
    "/challenge?to=Bob",
    "/puzzles/{tried_puzzle}?solution=1",
    "/c/{challenge}",
    "/account/notices",
    "/studies",
    "/study/{study}",
    "/study/save/m/{finished}/analysis",
    "/report?match={running}",
    "/mail/confirm/{confirm_mail}",
    "/mail/stop/{stop_mail}",
    "/account/data",
    "/account/data/delete",
    "/my-games",
    "/m/{running}/seat/1",
)
# The names are those of prepare_tournaments().
TOURNAMENT_PAGES = (
    *("/tournaments", "/tournaments/new", "/tournaments/{open}", "/tournaments/{won}"),
    *("/tournaments/{round_robin}", "/tournaments/{swiss}", "/tournaments/{swiss}?stage=1"),
    *("/tournaments/{knock_out}", "/tournaments/{ladder}", "/tournaments/{open}/change"),
)
SIGNED_OUT_PAGES = {
    "/signin": 200,
    "/signin/code": 400,
    "/signin/link/0123456789abcdef0123456789abcdef": 200,
    "/signin/callback": 400,
    "/m/{running}/seat/1": 403,
    "/my-games": 200,
}
GUEST_PAGES = ("/", "/new?game=morphos", "/account", "/account/data", "/account/data/delete", "/my-games")
CUT_OFF = """() => [...document.querySelectorAll("main *")]
  .filter((one) => !one.closest("svg, table, .hidden") && one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 40)}`)"""
LARGE_TEXT_PAGES = ("/", "/new", "/learn/morelli/1", "/m/{offered}/seat/1", "/my-games")
QUICK_PAGES = ("/m/{finished}?theme=clear", "/embed/{running}")


async def check_page(
    page: Page, env: WebEnvironment, path: str, matches: Mapping[str, int], status: int = 200
) -> None:
    await page.set_viewport_size(WIDE)
    await page.emulate_media(color_scheme="light", forced_colors="none")
    response = await page.goto(env.base + path.format(**matches))
    assert response is not None
    assert response.status == (404 if "999" in path else status), path
    await is_accessible(page)
    await page.set_viewport_size(PHONE)
    await page.emulate_media(color_scheme="dark")
    await is_accessible(page, only_contrast=True)
    await page.emulate_media(color_scheme="light", forced_colors="active")
    await is_accessible(page, forced_colours=True)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.long
async def test_pages_of_the_site(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        for path in (*SITE_PAGES, *MATCH_PAGES):
            await check_page(page, env, path, matches)


@pytest.mark.long
async def test_pages_of_matches(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        for path in QUICK_PAGES:
            await check_page(page, env, path, matches)


async def fits(page: Page, env: WebEnvironment, path: str, matches: Mapping[str, int]) -> None:
    """Check that a page with text of 150 and 200 % fits phones and laptops, its menu included."""
    await page.goto(env.base + path.format(**matches))
    for size in (PHONE, WIDE):
        await page.set_viewport_size(size)
        for percent in (150, 200):
            await page.evaluate("size => { document.documentElement.style.fontSize = size; }", f"{percent}%")
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
                path,
                size,
                percent,
            )
            assert await page.evaluate(CUT_OFF) == [], (path, size, percent)
            menu = await page.locator(".top > details").last.bounding_box()
            assert menu is not None
            assert 0 <= menu["x"] <= size["width"] - menu["width"], (path, size, percent)


@pytest.mark.long
async def test_large_text_fits(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        await page.goto(await env.seat_link(matches["offered"], ALICE))
        for path in LARGE_TEXT_PAGES:
            await fits(page, env, path, matches)
        # No word of a title is broken to make room for the number of the task.
        await page.set_viewport_size(PHONE)
        await page.goto(f"{env.base}/learn/morelli/1")
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        title = page.get_by_role("heading", name="Inwards")
        lines = await title.evaluate("one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)")
        assert round(lines) == 1


@pytest.mark.long
async def test_paper_is_light_whatever_colours_were_chosen(env: WebEnvironment, browser: Browser) -> None:
    text = "getComputedStyle(document.body).color"
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/rules")
        light = await page.evaluate(text)
        await page.locator(".colours summary").click()
        await page.get_by_role("button", name="Dark").click()
        await page.wait_for_load_state()
        assert await page.evaluate(text) != light
        await page.emulate_media(media="print")
        assert await page.evaluate(text) == light
        await expect(page.locator(".top")).to_be_hidden()


@pytest.mark.long
async def test_large_text_fits_everywhere(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        for number in (one for name, one in matches.items() if name not in NO_MATCHES):
            await page.goto(await env.seat_link(number, ALICE))
        for path in (*SITE_PAGES, *MATCH_PAGES[:3], *SEAT_PAGES):
            await fits(page, env, path, matches)


@pytest.mark.long
async def test_pages_of_players(env: WebEnvironment, browser: Browser) -> None:
    matches = await prepare_matches(env)
    async with open_window(browser) as page:
        for number in (one for name, one in matches.items() if name not in NO_MATCHES):
            await page.goto(await env.seat_link(number, ALICE))
        await start_game(page, env.base, "morphos", "two", size="5")
        links_path = page.url.removeprefix(env.base)
        for path in (links_path, *SEAT_PAGES):
            await check_page(page, env, path, matches)


@pytest.mark.long
async def test_pages_of_guests(sqlite_url: str, browser: Browser) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, has_computer=True, **SIGN_IN_SETTINGS) as env,
        open_window(browser) as page,
    ):
        await page.goto(env.base)
        await page.get_by_role("button", name="Play Morphos").click()
        await page.wait_for_url("**/seat/*")
        for path in (page.url.removeprefix(env.base), *GUEST_PAGES):
            await check_page(page, env, path, {})


@pytest.mark.long
async def test_pages_of_accounts(sqlite_url: str, browser: Browser) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(
            database, allow_local_games=True, has_mail=True, has_computer=True, **SIGN_IN_SETTINGS
        ) as env,
        open_window(browser) as page,
    ):
        matches = await prepare_matches(env)
        for path, status in SIGNED_OUT_PAGES.items():
            await check_page(page, env, path, matches, status)
        await page.goto(f"{env.base}/signin")
        await page.fill("#address", "ann@heron.example")
        await page.click(".entry .primary")
        await is_accessible(page)
        await page.fill(
            "#code", derive_code(SECRET, await page.get_attribute("[name=question]", "value") or "")
        )
        await page.click(".entry .primary")
        await is_accessible(page)
        secret = await env.start_seat_session(ALICE)
        await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])
        for path in ACCOUNT_PAGES:
            await check_page(page, env, path, matches)
        await page.click(".account summary")
        await is_accessible(page)


@pytest.mark.long
async def test_pages_of_tournaments(sqlite_url: str, browser: Browser) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, has_mail=True, has_computer=True, **SIGN_IN_SETTINGS) as env,
        open_window(browser) as page,
    ):
        tournaments = await prepare_tournaments(env)
        secret = await env.start_seat_session(CAROL)  # who organises and plays
        await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])
        for path in TOURNAMENT_PAGES:
            await check_page(page, env, path, tournaments)
            await fits(page, env, path, tournaments)
