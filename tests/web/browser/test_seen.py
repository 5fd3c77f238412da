"""A board in front of somebody's eyes says that it was seen; one in the background does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from matches import NoticeKind, Way
from tests.databases import open_database
from tests.web.browser.steps import HIDE_PAGE, has_turns
from tests.web.chromium import open_window
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, SMALL, running_web
from tests.web.test_notices_page import add_address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def env(sqlite_url: str) -> AsyncIterator[WebEnvironment]:
    async with open_database(sqlite_url) as database, running_web(database, **SIGN_IN_SETTINGS) as env:
        yield env


@pytest.mark.long
async def test_turn_on_the_board_that_is_looked_at_is_told_nowhere_else(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match(SMALL)
    await add_address(env.database, ALICE, "alice@example.org")
    await env.matches.people.notices.change(ALICE, NoticeKind.TURN, {Way.MAIL}, now=env.clock())

    async def is_unseen() -> bool:
        return (await env.matches.people.seats.load(match.id, (ALICE.account,))).has_unseen

    async with open_window(browser) as page:
        session = await env.start_seat_session(ALICE)
        await page.context.add_cookies([{"name": "session", "value": session, "url": env.base}])
        await page.goto(f"{env.base}/m/{match.id}/seat/1")
        async with page.expect_response("**/seen"):  # or the next one could take this answer for its own
            await env.play(match.id)
        await has_turns(page, 1)
        async with page.expect_response("**/seen") as answer:
            await env.play(match.id)
        assert ((await answer.value).status, await is_unseen()) == (204, False)
        async with page.expect_response("**/seen"):
            await env.play(match.id)
        await page.evaluate(HIDE_PAGE, arg=True)
        await env.play(match.id)
        assert await is_unseen()
        async with page.expect_response("**/seen") as answer:
            await page.evaluate(HIDE_PAGE, arg=False)
        assert ((await answer.value).status, await is_unseen()) == (204, False)
