"""An open page follows its match up and down, whatever its visitor does meanwhile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from matches import MatchId, OfferKind
from tests.web.browser.steps import CONFIRM, HIDE_PAGE, click_cells, has_turns, stop_clock
from tests.web.browser.test_computer import computer_thinks
from tests.web.chromium import open_window
from tests.web.environment import ALICE, BOB, CAROL, SERVER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Browser, Page, Route

    from matches import Person
    from tests.web.environment import WebEnvironment

    Change = Callable[[WebEnvironment, MatchId], Awaitable[object]]

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Per game: turns that were played, and the cells of a half-made one of the first player.
GAMES = {
    "morelli": (("D1-D4", "A2-B3", "F1-F4", "A4-B4"), ("G1",)),
    "morphos": (("C1", "A1", "C2", "A2"), ("C3",)),
}
OPTIONS = {"morelli": {"size": 9}, "morphos": {"size": 5}}


async def open_seat(page: Page, env: WebEnvironment, match: MatchId, person: Person) -> None:
    """Open a seat, and leave a mark that only a reload removes."""
    await page.goto(await env.seat_link(match, person))
    await expect(page.locator("#slider")).to_be_visible()
    await page.evaluate("window.isSame = true")


async def shows_latest(page: Page, turns: int) -> None:
    """Check that board, list, paging and address agree that the match has so many turns, without a reload."""
    await has_turns(page, turns)
    await expect(page.locator(f'#board[data-turn="{turns}"][data-last="{turns}"]')).to_have_count(1)
    await expect(page.locator("#slider")).to_have_attribute("max", str(turns))
    await expect(page.locator("#slider")).to_have_js_property("value", str(turns))
    for step in ("forward", "latest"):
        await expect(page.locator(f'#replay-controls [data-step="{step}"]')).to_have_attribute(
            "aria-disabled", "true"
        )
    await expect(page.locator("#log [aria-current]")).to_have_count(min(turns, 1))
    await expect(page).to_have_url(re.compile(r"^[^?#]*$"))
    assert await page.evaluate("window.isSame")


async def ask_for_takeback(page: Page) -> None:
    await page.locator("#ends summary").press("Enter")
    await page.get_by_role("button", name="Ask for a takeback").press("Enter")
    await expect(page.locator(".offered")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
async def test_takeback_while_a_turn_is_half_made(env: WebEnvironment, browser: Browser, game: str) -> None:
    turns, cells = GAMES[game]
    match = await env.start_match(OPTIONS[game], game)
    await env.play(match.id, *turns)
    async with open_window(browser) as one, open_window(browser) as other, open_window(browser) as spectator:
        await open_seat(one, env, match.id, ALICE)
        await open_seat(other, env, match.id, BOB)
        await spectator.goto(f"{env.base}/m/{match.id}")
        await spectator.evaluate("window.isSame = true")
        for cell in cells:
            await one.locator(f'.cells .open[data-cell="{cell}"]').click()
        await expect(one).to_have_url(re.compile("answers="))
        await ask_for_takeback(other)
        await one.get_by_role("button", name="Allow the takeback").press("Enter")
        for page in (one, other, spectator):
            await shows_latest(page, 3)
            await expect(page.locator("#status")).to_have_text("Bob (White) to play.")
        await expect(one.locator("#seat-controls")).to_contain_text("It is your opponent's turn.")
        last = turns[3].split("-")
        await click_cells(other, *last)
        for page in (one, other, spectator):
            await shows_latest(page, 4)
            await expect(page.locator("#status")).to_have_text("Alice (Black) to play.")
        await expect(one.locator("#notice")).to_have_count(0)
        for cell in cells:
            await one.locator(f'.cells .open[data-cell="{cell}"]').click()
        await expect(one).to_have_url(re.compile("answers="))
        # It is her turn, also while she looks at an earlier one.
        await one.locator('#log [data-turn="1"]').click()
        await expect(one.locator('#board[data-turn="1"]')).to_have_count(1)
        await expect(one).to_have_title(re.compile("^● Your turn"))


@pytest.mark.long
async def test_browsers_back_leaves_the_page_after_a_takeback(env: WebEnvironment, browser: Browser) -> None:
    turns, _ = GAMES["morelli"]
    match = await env.start_match()
    await env.play(match.id, *turns)
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/rules")
        await open_seat(page, env, match.id, ALICE)
        await page.locator('.cells .open[data-cell="G1"]').click()
        await page.locator('.cells .open[data-cell="G4"]').click()
        await expect(page.locator(CONFIRM)).to_be_visible()
        await take_back(env, match.id, BOB)
        await shows_latest(page, 3)
        await page.go_back()
        await expect(page).to_have_url(f"{env.base}/rules")


@pytest.mark.long
async def test_taking_back_against_the_computer(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/new?game=morelli")
        await page.locator('button[name="screens"][value="computer"]').first.click()
        await page.wait_for_load_state()  # the scripts have run
        await page.evaluate("window.isSame = true")
        async with computer_thinks(env):
            for _ in range(2):
                await page.locator(".cells .open").first.click()
                await expect(page.locator("#question")).to_contain_text("Where does")
                await page.locator(".cells .open").first.click()
                await page.locator(CONFIRM).press("Enter")
                await expect(page.locator("#question")).to_have_text("Which stone do you move?")
            await shows_latest(page, 4)
            # Also with a stone chosen, and with an earlier turn in view.
            await page.locator(".cells .open").first.click()
            await expect(page).to_have_url(re.compile("answers="))
            await page.get_by_role("button", name="Take back").press("Enter")
            await shows_latest(page, 2)
            await page.locator('#replay-controls [data-step="back"]').click()
            await expect(page.locator('#board[data-turn="1"]')).to_have_count(1)
            await page.get_by_role("button", name="Take back").press("Enter")
            await shows_latest(page, 0)
            await expect(page.locator("#question")).to_have_text("Which stone do you move?")


async def take_back(env: WebEnvironment, match: MatchId, person: Person) -> None:
    """Take back a person's last turn, as both players agree to in Discord."""
    update = await env.matches.offers.make(match, person, OfferKind.TAKEBACK, now=env.clock())
    offer = update.match.pending_offer
    assert offer is not None
    opponent = ALICE if person is BOB else BOB
    await env.matches.offers.answer(offer.id, opponent, accept=True, now=env.clock())


async def take_back_both(env: WebEnvironment, match: MatchId) -> None:
    await take_back(env, match, ALICE)


async def resign(env: WebEnvironment, match: MatchId) -> None:
    await env.matches.resign(match, BOB, now=env.clock())


async def agree_on_end(env: WebEnvironment, match: MatchId) -> None:
    await env.matches.offers.make(match, BOB, OfferKind.END, now=env.clock())
    await env.matches.offers.answer_end(match, ALICE, accept=True, now=env.clock())


async def void(env: WebEnvironment, match: MatchId) -> None:
    await resign(env, match)
    await env.matches.corrections.correct(match, CAROL, None, reason="a test", server=SERVER, now=env.clock())


# What changes the match under an open page, how many of four turns are left, and what the page then says.
CHANGES: dict[str, tuple[Change, int, str]] = {
    "takeback": (take_back_both, 2, "Alice (Black) to play."),
    "resignation": (resign, 4, "Bob resigns."),
    "agreement": (agree_on_end, 4, "agreed"),
    "void": (void, 4, "voided"),
}


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES)
async def test_page_follows_every_change_of_the_match(
    env: WebEnvironment, browser: Browser, change: str
) -> None:
    make, left, status = CHANGES[change]
    match = await env.start_match()
    await env.play(match.id, *GAMES["morelli"][0])
    async with open_window(browser) as half, open_window(browser) as paged, open_window(browser) as watching:
        second = await half.context.new_page()  # the same seat in two tabs
        for page in (half, second):
            await open_seat(page, env, match.id, ALICE)
        for page in (paged, watching):
            await open_seat(page, env, match.id, BOB)
        await watching.goto(f"{env.base}/m/{match.id}")
        await watching.evaluate("window.isSame = true")
        await half.locator('.cells .open[data-cell="G1"]').click()
        await expect(half).to_have_url(re.compile("answers="))
        for page, turn in ((paged, 1), (watching, 3)):
            await page.locator(f'#log [data-turn="{turn}"]').click()
            await expect(page.locator(f'#board[data-turn="{turn}"]')).to_have_count(1)
        await make(env, match.id)
        for page in (half, second, paged, watching):
            await expect(page.locator("#status")).to_contain_text(status)
            await has_turns(page, left)
            await expect(page.locator("#slider")).to_have_attribute("max", str(left))
        for page in (half, second):
            await shows_latest(page, left)
        # Nobody is taken away from an earlier turn that is still one.
        await expect(paged.locator('#board[data-turn="1"]')).to_have_count(1)
        await expect(paged.locator("#slider")).to_have_js_property("value", "1")
        if left < 3:
            await shows_latest(watching, left)
        else:
            await expect(watching.locator('#board[data-turn="3"]')).to_have_count(1)
            await expect(paged.locator("#seat-controls.over")).to_be_visible()
        for page in (paged, watching):
            await page.keyboard.press("End")
            await shows_latest(page, left)
        await expect(half.locator("#seat-controls.over")).to_have_count(0 if left < 4 else 1)


@pytest.mark.long
async def test_turn_after_a_takeback_is_told_to_a_hidden_page(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    await env.play(match.id, *GAMES["morelli"][0])
    async with open_window(browser) as page:
        await page.clock.install()
        await page.add_init_script(
            """
            window.notices = [];
            window.Notification = class extends EventTarget {
              static permission = "granted";
              constructor(title, { body }) {
                super();
                window.notices.push(body);
                document.documentElement.dataset.noticed = "";
              }
            };
            """
        )
        await page.context.add_cookies([{"name": "notify", "value": "on", "url": env.base}])
        await open_seat(page, env, match.id, ALICE)
        await page.evaluate(HIDE_PAGE, arg=True)
        await take_back(env, match.id, BOB)
        await page.clock.fast_forward("00:30")
        await has_turns(page, 3)
        await env.play(match.id, "A4-B4")
        await page.clock.fast_forward("00:30")
        await expect(page.locator("html[data-noticed]")).to_have_count(1)
        assert await page.evaluate("notices") == ["Turn 4. White moves A4-B4"]


@pytest.mark.long
async def test_refused_answers_are_not_asked_for_again_at_once(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    asked = 0

    async def refuse(route: Route) -> None:
        nonlocal asked
        asked += 1
        await route.fulfill(status=429)

    async with open_window(browser) as page:
        await stop_clock(page)  # or the page asks by itself
        await open_seat(page, env, match.id, BOB)
        await page.route(re.compile("part=seat"), refuse)
        await env.play(match.id, "D1-D4")
        await expect(page.locator("#toast")).to_have_text("That did not reach the server. Try again.")
        await page.clock.fast_forward("00:30")
        await expect(page.locator("#toast")).to_have_text("That did not reach the server. Try again.")
        assert asked <= 2
        await page.unroute_all()
        await page.clock.fast_forward("00:30")
        await shows_latest(page, 1)


@pytest.mark.long
async def test_sides_that_were_swapped_are_where_the_board_has_them(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match({"size": 5}, "morphos")
    await env.play(match.id, "C3")
    async with open_window(browser) as one, open_window(browser) as other:
        await open_seat(one, env, match.id, ALICE)
        await open_seat(other, env, match.id, BOB)
        await other.get_by_role("link", name="Swap").click()
        await other.locator(CONFIRM).press("Enter")
        for page, name in ((one, "Alice"), (other, "Bob")):
            await shows_latest(page, 2)
            await expect(page.locator("#seat-bottom .name")).to_have_text(name)
        await other.get_by_role("link", name="Flip the board").click()
        await expect(other.locator("#seat-bottom .name")).to_have_text("Alice")
