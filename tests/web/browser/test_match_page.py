"""The website in a real browser: two windows, a spectator, a phone, the keyboard alone, no scripts."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from engine.game import MoveChoice
from matches import Audience
from tests.databases import open_database
from tests.discord_server.waiting import PATIENCE
from tests.games import GAMES
from tests.web.browser.steps import (
    CONFIRM,
    HIDE_PAGE,
    click_cells,
    focused_cell,
    has_played,
    has_turns,
    press_until,
    start_game,
    stop_clock,
    tab_until,
)
from tests.web.chromium import open_window, save_screenshot
from tests.web.environment import ALICE, BOB, FISTS, SERVER, running_web
from tests.web.relay import Relay
from web.match import watch
from web.server.limits import StreamLimiter

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

THREE = "morelli nestor 9/9/9/1b1b2w2/2ww5/4wb1w1/9/9/3b5 b -"


@pytest.mark.long
async def test_whole_game_in_two_windows_with_a_spectator(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as one, open_window(browser, width=1100) as spectator:
        await start_game(one, env.base, "morphos", "two", size="5")
        await save_screenshot(one, "seats")
        copy = one.get_by_role("button", name="Copy link")
        await expect(copy.first).to_have_accessible_description("For your friend: Ben (White)")
        links = [await button.get_attribute("data-copy") for button in reversed(await copy.all())]
        await one.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await copy.first.click()
        await expect(one.get_by_text("Copied.")).to_be_visible()
        assert await one.evaluate("navigator.clipboard.readText()") == links[1]
        other = await one.context.new_page()
        await one.goto(str(links[0]))
        await other.goto(str(links[1]))
        await spectator.goto(f"{env.base}/m/1")
        assert "/sit/" not in one.url + other.url
        await expect(one).to_have_title(re.compile("^● Your turn"))
        moves = ["C1", "A1", "C2", "A2", "C3", "A3", "C4", "A4", "C5"]
        for number, cell in enumerate(moves, start=1):
            player = one if number % 2 else other
            await click_cells(player, cell)
            await has_turns(spectator, number)
        for page in (one, other, spectator):
            await has_turns(page, len(moves))
            await expect(page.locator("#status")).to_have_text(
                "Black (Ann) wins. Black has connected both edges."
            )
            await expect(page.locator("figure.board")).to_be_visible()
        for page, text in ((one, "You won!"), (other, "You lost.")):
            await expect(page.locator("#own-result.fresh")).to_have_text(text)
            await expect(page.locator("#live-region")).to_contain_text(f"{text} Black (Ann) wins.")
        await expect(spectator.locator("#own-result")).to_have_count(0)
        await expect(one.locator("#seat-controls")).to_contain_text("Play again with colours swapped")
        await other.bring_to_front()
        await one.clock.install()
        await one.evaluate(HIDE_PAGE, arg=True)
        # By keyboard: a click at once would be taken for one on the button that was there.
        await other.get_by_role("button", name="Play again").press("Enter")
        await expect(other).to_have_url(re.compile(r"/m/2/seat/\d$"))
        await expect(other.locator("#seat-bottom .name")).to_have_text("Ben")
        await one.clock.fast_forward("00:30")
        await expect(one).to_have_title(re.compile("^● Ann"))
        await one.evaluate(HIDE_PAGE, arg=False)
        await expect(one).to_have_title(re.compile("^Ann"))
        await one.bring_to_front()
        await expect(one.locator("#question")).to_have_text("The rematch has started.")
        await one.get_by_role("button", name="Go to the rematch").press("Enter")
        await expect(one.locator("#seat-bottom .name")).to_have_text("Ann")
        await expect(one.locator("#status")).to_contain_text("Ben (Black) to play.")
        await expect(spectator.locator(".cells")).to_have_count(0)
        await expect(spectator.locator("#caption")).to_contain_text("Black places C5")
        await save_screenshot(spectator, "over")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
async def test_a_turn_of_every_game_is_clicked_together(
    env: WebEnvironment, browser: Browser, game: str
) -> None:
    async with open_window(browser) as page:
        await start_game(page, env.base, game, "one")
        path: tuple[str, ...] = ()
        position = GAMES[game].initial_position(**GAMES[game].first_options)
        choice = position.next_choice()
        while isinstance(choice, MoveChoice):
            path = (*path, choice.options[-1])
            await page.locator(f'.cells .open[data-cell="{path[-1]}"]').click()
            choice = position.next_choice(path)
        await page.locator(CONFIRM).click()
        await has_turns(page, 1)
        await expect(page.locator("#caption")).to_contain_text(path[-1])


@pytest.mark.long
async def test_revealed_picks_and_moves_from_elsewhere_appear_in_every_window(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match(FISTS)
    async with open_window(browser) as one, open_window(browser) as other, open_window(browser) as spectator:
        await one.goto(await env.seat_link(match.id, ALICE))
        await other.goto(await env.seat_link(match.id, BOB))
        await spectator.goto(f"{env.base}/m/{match.id}")
        await save_screenshot(one, "fists")
        await one.get_by_text("both left").click()
        await one.get_by_role("button", name="Close your fists").click()
        await expect(other.locator("#status")).to_contain_text("Still to pick: Bob")
        await expect(spectator.locator("#status")).to_contain_text("Still to pick: Bob")
        await other.get_by_text("both left").click()
        await other.get_by_role("button", name="Close your fists").click()
        for page in (one, other, spectator):
            await expect(page.locator(".reveal")).to_contain_text(
                "Both picked the same, so the start is Adjacent."
            )
            await expect(page.locator("figure.board")).to_be_visible()
        await expect(other.locator("#seat-controls")).to_contain_text("It is your opponent's turn.")
        await env.play(match.id, "D1-D4")
        await expect(other.locator("#question")).to_have_text("Which stone do you move?")
        await expect(other.locator("#live-region")).to_contain_text("Which stone do you move?")
        await expect(spectator.locator("#caption")).to_contain_text("Black moves D1-D4")
        await expect(spectator.locator("#live-region")).to_contain_text("Bob (White) to play.")
        await save_screenshot(other, "seat")


@pytest.mark.long
async def test_spectator_pages_flips_changes_theme_and_misses_nothing_while_disconnected(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3", "F1-F4", "A4-B4")
    async with Relay(env.base) as relay, open_window(browser) as page:
        await stop_clock(page)  # or what is said is gone after some seconds
        await page.goto(f"{relay.base}/m/{match.id}")
        caption = page.locator("#caption")
        await check_paging(page)
        assert page.url.endswith("?turn=3")
        await env.play(match.id, "G1-G4")
        await has_turns(page, 5)
        await expect(caption).to_have_text(re.compile("Turn 3"))
        await expect(page.locator("#toast")).to_have_text("A new turn was played.")
        await page.locator('[data-step="latest"]').click()
        await expect(caption).to_have_text(re.compile("Turn 5"))
        await relay.disconnect()
        await expect(page.locator("#toast")).to_have_text("No connection. Trying again.")
        await env.play(match.id, "A5-B5", "H1-H2", "A6-B6")
        await relay.reconnect()
        await has_turns(page, 8)
        lines = [await line.inner_text() for line in await page.locator("#log li").all()]
        assert [re.sub(r"\s+", " ", line).strip() for line in lines[4:]] == [
            "5 Black G1-G4",
            "6 White A5-B5",
            "7 Black H1-H2",
            "8 White A6-B6",
        ]
        await expect(caption).to_have_text(re.compile("White moves A6-B6"))
        await page.keyboard.press("ArrowLeft")
        await page.get_by_role("link", name="Flip the board").click()
        await expect(page.locator("#match")).to_have_attribute("data-side", "white")
        await expect(caption).to_have_text(re.compile("Turn 7"))
        await page.get_by_role("link", name="Clear colours").click()
        await expect(page.locator("html")).to_have_attribute("data-theme", "clear")
        await expect(page.locator("#match")).to_have_attribute("data-side", "white")
        await save_screenshot(page, "clear")
        await page.goto(f"{relay.base}/")
        await expect(page.locator("html")).to_have_attribute("data-theme", "clear")
        await save_screenshot(page, "list-clear")


async def check_paging(page: Page) -> None:
    """Page through a match of four turns with keys, slider and list, and end at the third."""
    caption, current = page.locator("#caption"), page.locator("#log [aria-current]")
    for key, text, number in (
        ("ArrowLeft", "Turn 3. Black moves F1-F4", "3"),
        ("ArrowLeft", "Turn 2. White moves A2-B3", "2"),
        ("Home", "The first board.", None),
        ("ArrowRight", "Turn 1. Black moves D1-D4", "1"),
        ("End", "Turn 4. White moves A4-B4", "4"),
    ):
        await page.keyboard.press(key)
        await expect(caption).to_have_text(re.compile(re.escape(text)))
        if number is not None:
            await expect(current).to_have_attribute("data-turn", number)
    await page.locator("#slider").fill("2")
    await expect(caption).to_have_text(re.compile("Turn 2"))
    await page.locator('#log [data-turn="3"]').click()
    await expect(caption).to_have_text(re.compile("Turn 3"))


@pytest.mark.long
async def test_keyboard_alone_plays_a_turn_and_types_another(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    async with open_window(browser) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        await expect(page.locator("#question")).to_be_visible()
        await tab_until(page, "[data-cell]")
        assert await focused_cell(page) == "B9"
        for key, cell in (
            ("ArrowRight", "C9"),
            ("ArrowDown", "C1"),
            ("ArrowLeft", "B1"),
            ("ArrowRight", "C1"),
        ):
            await page.keyboard.press(key)
            assert await focused_cell(page) == cell
        await save_screenshot(page, "keyboard")
        await page.keyboard.press("Enter")
        await expect(page.locator("#question")).to_have_text("Where does C1 go?")
        await page.keyboard.press("Escape")
        await expect(page.locator("#question")).to_have_text("Which stone do you move?")
        await press_until(page, "ArrowRight", "C9")
        await press_until(page, "ArrowDown", "C1")
        await press_until(page, "ArrowRight", "D1")
        await page.keyboard.press(" ")
        await expect(page.locator("#question")).to_have_text("Where does D1 go?")
        await press_until(page, "ArrowDown", "D4")
        await page.keyboard.press("Enter")
        await expect(page.locator(CONFIRM)).to_be_focused()
        await page.keyboard.press("Enter")
        await has_turns(page, 1)
        await env.play(match.id, "A2-B3")
        await expect(page.locator("#question")).to_have_text("Which stone do you move?")
        await tab_until(page, "#other summary")
        await page.keyboard.press("Enter")
        await tab_until(page, '#typed input[name="text"]')
        await page.keyboard.type("f1-e9")
        await page.keyboard.press("Enter")
        await expect(page.locator("#notice")).to_be_visible()
        await tab_until(page, '#typed input[name="text"]')
        await page.keyboard.type("f1-f4")
        await page.keyboard.press("Enter")
        await expect(page.locator(CONFIRM)).to_be_visible()
        await tab_until(page, CONFIRM)
        await page.keyboard.press("Enter")
        await has_turns(page, 3)
    view = await env.view(match.id)
    assert (view.ply, view.last_turn[0].text) == (3, "F1-F4")


@pytest.mark.long
async def test_captures_are_chosen_on_the_board_and_a_seat_can_be_left(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    async with env.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE matches SET position = ?, base = ?", (THREE, THREE))
    async with open_window(browser) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        for cell in ("D1", "D4"):
            await page.locator(f'.cells .open[data-cell="{cell}"]').click()
        await expect(page.locator("#question")).to_contain_text("can capture C5, D5 and E4")
        await page.locator('.cells .switch[data-cell="D5"]').click()
        await expect(page.locator('#many input[value="D5"]')).not_to_be_checked()
        await save_screenshot(page, "captures")
        await page.get_by_role("button", name="Only the selected ones").click()
        await expect(page.locator("#question")).to_contain_text("captures C5 and E4")
        await page.locator(CONFIRM).click()
        await has_turns(page, 1)
        # Until the form is answered, links of the panel do nothing.
        await expect(page.locator("#seat-controls")).to_contain_text("It is your opponent's turn.")
        seat = page.url
        await page.locator("#ends summary").click()
        await page.get_by_role("link", name="Disable my links").click()
        await page.get_by_role("button", name="Disable my links").click()
        await expect(page).to_have_url(f"{env.base}/m/{match.id}")
        await page.goto(seat)
        await expect(page.locator("#error")).to_be_visible()
    assert (await env.view(match.id)).last_turn[0].text == "D1-D4~D5"


@pytest.mark.long
async def test_phone_plays_a_turn_and_nothing_is_wider_than_the_screen(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match({"size": 13})
    async with open_window(browser, width=390, height=844, phone=True) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        await expect(page.locator("#question")).to_be_visible()
        board = await page.locator(".board svg").bounding_box()
        cell = await page.locator('.cells [data-cell="D1"] rect').bounding_box()
        assert board is not None
        assert cell is not None
        assert board["width"] >= 380
        assert min(cell["width"], cell["height"]) >= 24
        for selector in (".board", "#seat-controls", "#replay-controls", ".log", "#tools"):
            assert await page.locator(selector).is_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        await save_screenshot(page, "phone")
        await page.locator('.cells [data-cell="D1"]').tap()
        await expect(page.locator("#question")).to_have_text("Where does D1 go?")
        await save_screenshot(page, "phone-target")
        await page.locator('.cells [data-cell="D5"]').tap()
        await expect(page.locator(CONFIRM)).to_be_in_viewport()
        await save_screenshot(page, "phone-preview")
        await page.locator(CONFIRM).tap()
        await has_played(page, 1)
        for _ in range(9):
            await env.play(match.id)
        await has_turns(page, 10)
        await save_screenshot(page, "phone-whole", whole=True)
        below = "document.documentElement.scrollHeight - scrollY - tools.getBoundingClientRect().bottom"
        assert await page.evaluate(below) < 40
        for path in ("/", "/new"):
            await page.goto(f"{env.base}{path}")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 390
            await save_screenshot(page, f"phone{path.replace('/', '-')}", whole=True)


@pytest.mark.long
async def test_turn_can_be_read_and_played_without_scripts(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    async with open_window(browser, scripts=False) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        await page.locator('.cells a[data-cell="D1"]').click()
        await page.locator('.cells a[data-cell="D4"]').click()
        await page.locator(CONFIRM).click()
        await expect(page.locator("#log li")).to_have_count(1)
        await page.goto(f"{env.base}/m/{match.id}")
        await page.locator('[data-step="back"]').click()
        await expect(page.locator("#caption")).to_have_text(re.compile("The first board"))
        await save_screenshot(page, "no-script")


@pytest.mark.long
async def test_spectator_beyond_the_limit_of_streams_sees_new_turns(
    browser: Browser, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "POLL_MILLISECONDS", 100)
    async with (
        open_database(sqlite_url) as database,
        running_web(database, stream_limiter=StreamLimiter(per_client=0)) as env,
        open_window(browser) as page,
    ):
        match = await env.start_match()
        answers = []
        page.on("response", lambda answer: answers.append(answer.url) if "/events" in answer.url else None)
        await page.goto(f"{env.base}/m/{match.id}")
        for turn in (1, 2):
            await env.play(match.id)
            await has_turns(page, turn)
        asked = len(answers)
        while len(answers) < asked + 2:
            await page.wait_for_event("response")
        await expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.long
async def test_refused_stream_is_not_called_a_lost_connection(browser: Browser, sqlite_url: str) -> None:
    async with (
        open_database(sqlite_url) as database,
        running_web(database) as env,
        open_window(browser) as page,
    ):
        match = await env.start_match()
        await page.route("**/events?*", lambda route: route.fulfill(status=429))
        await page.goto(f"{env.base}/m/{match.id}")
        await expect(page.locator("#toast")).to_have_text("The website is busy. Trying again.")


@pytest.mark.long
async def test_open_page_says_so_when_its_match_is_not_public_any_more(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    async with open_window(browser) as page:
        async with page.expect_response("**/events?*"):  # open before the change
            await page.goto(f"{env.base}/m/{match.id}")
        await env.matches.servers.change(SERVER, ALICE, audience=Audience.MEMBERS, now=env.clock())
        await expect(page.locator("#error")).to_have_text("This match is not public, or does not exist.")


@pytest.mark.long
async def test_page_whose_stream_is_refused_says_so_when_its_match_is_not_public_any_more(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    async with open_window(browser) as page:
        await stop_clock(page)
        held: asyncio.Queue[Route] = asyncio.Queue()
        await page.route("**/events?*", held.put)
        await page.goto(f"{env.base}/m/{match.id}")
        opening = await asyncio.wait_for(held.get(), PATIENCE)
        await env.matches.servers.change(SERVER, ALICE, audience=Audience.MEMBERS, now=env.clock())
        await opening.continue_()
        await page.unroute_all()
        await expect(page.locator("#toast")).to_have_text("The website is busy. Trying again.")
        await page.clock.fast_forward("00:05")
        await expect(page.locator("#error")).to_have_text("This match is not public, or does not exist.")
