"""Signing in by the link of a mail in a real browser, which decides itself what it says about a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches.people.mail_codes import derive_link_token
from tests.databases import open_database
from tests.web.chromium import open_window
from tests.web.environment import SECRET, running_web

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.long
async def test_link_leads_to_the_choice_of_a_name(sqlite_url: str, browser: Browser) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, has_mail=True) as env,
        open_window(browser) as page,
    ):
        await page.goto(f"{env.base}/signin")
        await page.fill("[name=address]", "dan@desk.example")
        await page.click("main form button.primary")
        await page.wait_for_url("**/signin/code")
        (letter,) = await env.matches.posting.letters.claim_due(now=env.clock())
        token = derive_link_token(SECRET, str(letter.details["code"]))
        answer = await page.goto(f"{env.base}/signin/link/{token}")
        assert answer is not None
        assert answer.headers["referrer-policy"] == "same-origin"
        await page.click("main form button.primary")
        await page.wait_for_url("**/signin/name")
        await page.fill("[name=name]", "Dan")
        await page.click("main form button.primary")
        await page.wait_for_selector(".account .name")
