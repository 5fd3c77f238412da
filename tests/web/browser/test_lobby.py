"""Two people find each other in the lobby, one by phone and one by desktop, and play."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
import pytest_asyncio
from playwright.async_api import expect

from matches import WEBSITE, Person
from tests.databases import open_database
from tests.web.browser.steps import CONFIRM, has_turns
from tests.web.chromium import open_window
from tests.web.environment import ALICE, BOB, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page

    from matches import ChallengeId
    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def env(sqlite_url: str) -> AsyncIterator[WebEnvironment]:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, **SIGN_IN_SETTINGS) as started,
    ):
        yield started


async def sign_in(env: WebEnvironment, page: Page, person: Person) -> None:
    secret = await env.start_seat_session(person)
    await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])


async def play(env: WebEnvironment, page: Page) -> None:
    """Preview any legal move on the board page of the player to move, and confirm it."""
    (match,) = await env.list_active()
    assert match.position is not None
    await page.locator("#seat-controls[data-awaited=yes]").wait_for()
    text = quote(str(match.position.legal_moves()[0]))
    await page.goto(f"{page.url.partition('?')[0]}?text={text}")
    await page.locator(CONFIRM).click()
    await has_turns(page, match.ply + 1)


@pytest.mark.long
async def test_two_people_meet_in_the_lobby_and_play(browser: Browser, env: WebEnvironment) -> None:
    async with (
        open_window(browser, width=360, height=780, phone=True) as phone,
        open_window(browser) as desk,
    ):
        await sign_in(env, phone, ALICE)
        await sign_in(env, desk, BOB)
        await phone.goto(env.base)
        await phone.locator("#opponent + .none + p a.primary").click()
        await phone.locator("[name=game][value=morelli]").check()
        await phone.get_by_role("button", name="Create the challenge").click()
        await expect(phone.locator("h1")).to_have_text("Your challenge: Morelli")
        await desk.goto(f"{env.base}/lobby")
        await desk.locator("form[action$=accept] button").click()
        await desk.wait_for_url("**/seat/*")
        await phone.wait_for_url("**/seat/*")
        (match,) = await env.list_active()
        pages = {ALICE.account: phone, BOB.account: desk}
        for _ in range(3):
            match = await env.view(match.id)
            assert match.to_move is not None
            await play(env, pages[match.to_move.person.account])
        assert (await env.view(match.id)).ply == 3


@pytest.mark.long
async def test_lobby_keeps_up_without_moving_anything(browser: Browser, env: WebEnvironment) -> None:
    challenges, now = env.matches.challenges, env.clock()

    async def create(name: str) -> ChallengeId:
        person = Person(f"test:{name}", name)
        update = await challenges.create(person, server=WEBSITE, channel=WEBSITE, game="morelli", now=now)
        return update.challenge.id

    first, second = await create("Ann"), await create("Ben")
    async with open_window(browser) as page:
        await page.clock.install()
        await sign_in(env, page, ALICE)
        await page.goto(f"{env.base}/lobby")
        place = await page.locator(f"#challenge-{first}").bounding_box()
        await challenges.withdraw(second, Person("test:Ben", "Ben"), now=now)
        third = await create("Cat")
        await page.clock.fast_forward(31_000)
        await expect(page.locator(f"#challenge-{second} .state")).to_have_text("No longer open")
        await expect(page.locator(f"#challenge-{second} form")).to_have_count(0)
        await expect(page.locator(f"#challenge-{third} form")).to_have_count(1)
        order = await page.locator("#challenges > li").evaluate_all("all => all.map((one) => one.id)")
        assert order == [f"challenge-{one}" for one in (second, first, third)]
        assert await page.locator(f"#challenge-{first}").bounding_box() == place
        await expect(page.locator("#news")).to_have_text("There is a new challenge at the end of the list.")
