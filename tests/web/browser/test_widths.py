"""No page is wider than a narrow phone, in no language, and not with texts of twice the length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from i18n.translations import list_languages
from tests import marked_texts
from tests.databases import open_database
from tests.toy_games import RULES_FOLDER, TEXTS_FOLDER
from tests.web.browser.test_accessibility import (
    ACCOUNT_PAGES,
    CUT_OFF,
    MATCH_PAGES,
    NO_MATCHES,
    PHONE,
    SEAT_PAGES,
    SIGNED_OUT_PAGES,
    SITE_PAGES,
    TOURNAMENT_PAGES,
)
from tests.web.chromium import is_accessible, open_window, save_screenshot
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_matches import prepare_matches
from tests.web.prepared_tournaments import prepare_tournaments

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.long]


@pytest.mark.parametrize("has_lobby", [False, True])
@pytest.mark.parametrize("language", list_languages())
async def test_header_is_one_row_on_a_phone_and_its_menu_in_view(
    sqlite_url: str, browser: Browser, language: str, *, has_lobby: bool
) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, allow_local_games=not has_lobby, has_mail=True, **SIGN_IN_SETTINGS) as env,
        open_window(browser, width=PHONE["width"], height=PHONE["height"]) as page,
    ):
        await page.set_extra_http_headers({"Accept-Language": language})
        await page.goto(f"{env.base}/learn")
        assert await page.locator(".sign-in").count() == 1
        heights = await page.evaluate(
            "[...document.querySelectorAll('.top, .colours')].map((one) => one.offsetHeight)"
        )
        assert heights[0] < 1.5 * heights[1]
        await page.click(".colours summary")
        box = await page.locator(".colours .menu").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]


LINKS = """() => [...document.querySelectorAll(".site-links a, .menu a")]
  .filter((one) => one.checkVisibility()).map((one) => one.getAttribute("href"))"""
HEADER_HAS_ALL = 961  # from this width on the menus need not repeat links


@pytest.mark.parametrize("width", [PHONE["width"], 800, 1000, 1280])
async def test_every_part_of_the_website_is_in_the_header_or_the_account_menu(
    sqlite_url: str, browser: Browser, width: int
) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, has_mail=True, **SIGN_IN_SETTINGS) as env,
        open_window(browser, width=width, height=PHONE["height"]) as page,
    ):
        secret = await env.start_seat_session(ALICE)
        await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])
        await page.goto(f"{env.base}/learn")
        await page.click(".account summary")
        links = await page.evaluate(LINKS)
        assert {"/lobby", "/tournaments", "/learn", "/puzzles", "/rules", "/my-games"} <= set(links)
        assert width < HEADER_HAS_ALL or len(set(links)) == len(links)


@pytest.mark.parametrize("is_guest", [False, True])
@pytest.mark.parametrize("width", [PHONE["width"], 390, 800, 1000])
async def test_every_part_of_the_website_is_in_the_header_or_the_menu_without_an_account(
    sqlite_url: str, browser: Browser, width: int, *, is_guest: bool
) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, has_computer=True, has_mail=True, **SIGN_IN_SETTINGS) as env,
        open_window(browser, width=width, height=PHONE["height"], phone=True) as page,
    ):
        if is_guest:
            await page.goto(env.base)
            await page.get_by_role("button", name="Play Morphos").click()
            await page.wait_for_url("**/seat/*")
        for path in ("/m/1" if is_guest else "/rules", "/learn"):
            await page.goto(f"{env.base}{path}")
            await page.click(".colours summary")
            links = await page.evaluate(LINKS)
            assert {"/lobby", "/tournaments", "/learn", "/puzzles"} <= set(links)
            assert any(link.startswith("/rules") for link in links)
            assert width < HEADER_HAS_ALL or len(set(links)) == len(links)
        await save_screenshot(page, f"header-{width}-{'guest' if is_guest else 'visitor'}")
        await is_accessible(page)


@pytest.mark.parametrize("language", list_languages())
async def test_no_page_is_wider_than_a_phone(sqlite_url: str, browser: Browser, language: str) -> None:
    """English is the one with longer texts."""
    wide = {}
    async with (
        open_database(sqlite_url) as database,
        running_web(
            database,
            allow_local_games=True,
            has_mail=True,
            has_computer=True,
            texts=marked_texts.load(TEXTS_FOLDER),
            rule_books=marked_texts.load_rule_books(RULES_FOLDER),
            **SIGN_IN_SETTINGS,
        ) as env,
        open_window(browser, width=PHONE["width"], height=PHONE["height"]) as page,
    ):
        tournaments = await prepare_tournaments(env)  # takes days, in which clocks of matches run
        matches = await prepare_matches(env)
        await page.set_extra_http_headers({"Accept-Language": language})
        for is_signed_in in (False, True):
            if is_signed_in:
                secret = await env.start_seat_session(ALICE)
                await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])
                for number in (one for name, one in matches.items() if name not in NO_MATCHES):
                    await page.goto(await env.seat_link(number, ALICE))
            pages = (
                (*SITE_PAGES, *MATCH_PAGES, *SEAT_PAGES, *ACCOUNT_PAGES, *TOURNAMENT_PAGES)
                if is_signed_in
                else SIGNED_OUT_PAGES
            )
            for path in pages:
                await page.goto(env.base + path.format(**matches, **tournaments))
                width = await page.evaluate("document.documentElement.scrollWidth")
                cut = await page.evaluate(CUT_OFF)
                if width > PHONE["width"] or cut:
                    wide[path] = (width, cut)
    assert wide == {}
