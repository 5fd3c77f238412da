"""A seat in a real browser: clicks, keys, slow connections, hidden pages, small screens."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from matches import MatchState, OfferKind, Person, Terms, TimeControl
from tests.discord_server.waiting import PATIENCE
from tests.web.browser.steps import CONFIRM, click_cells, focused_cell, has_turns, stop_clock, tab_until
from tests.web.chromium import open_window, save_screenshot
from tests.web.environment import ALICE, BOB, SMALL
from tests.web.relay import Relay

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Dialog, Page, Route

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

GUARD_MILLISECONDS = 600  # of seat.js
HIDE_PAGE = """
Object.defineProperty(Document.prototype, "hidden", { get: () => true });
Object.defineProperty(Document.prototype, "visibilityState", { get: () => "hidden" });
"""
# Keeps every notice that was shown or announced, even for a moment.
RECORD_NOTICES = """
window.notices = [];
new MutationObserver(() => {
  for (const id of ["notice", "live-region", "toast"]) {
    const text = document.getElementById(id)?.textContent;
    if (text && window.notices.at(-1) !== text) window.notices.push(text);
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
# Replies when a notice was shown.
UNTIL_NOTICED = """text => new Promise((resolve) => {
  const look = () => (notices.includes(text) ? resolve() : setTimeout(look, 50));
  look();
})"""


async def start_on_one_screen(page: Page, base: str, game: str, **options: str) -> None:
    """Start a local game on one screen without filling in the form by hand."""
    await page.goto(f"{base}/new")
    form = {"game": game, "screens": "one", "first": "Ann", "second": "Ben", **options}
    await page.evaluate(
        """values => {
          const form = document.createElement("form");
          form.method = "post";
          form.action = "/new";
          for (const [name, value] of Object.entries(values)) {
            const input = document.createElement("input");
            input.name = name;
            input.value = value;
            form.append(input);
          }
          document.body.append(form);
          form.submit();
        }""",
        form,
    )
    await expect(page.locator("#question")).to_be_visible()
    await page.wait_for_load_state()  # the scripts have run


async def click_twice(page: Page, selector: str, pause: int) -> None:
    """Click twice on the place of an element, with a pause in milliseconds, whatever is there by then."""
    await page.locator(selector).scroll_into_view_if_needed()
    box = await page.locator(selector).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await page.mouse.click(x, y)
    await page.wait_for_timeout(pause)
    await page.mouse.click(x, y)


@pytest.mark.long
async def test_double_click_does_nothing_else(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        for moves, kind, pause in (
            (("D1-D4", "A2-B3"), "end", 100),
            (("D1-D4", "A2-B3"), "takeback", 300),
            (("D1-D4",), "takeback", 500),
            ((), "end", 100),
        ):
            match = await env.start_match()
            if moves:
                await env.play(match.id, *moves)
            await page.goto(await env.seat_link(match.id, ALICE))
            await page.locator("#ends summary").click()
            form = f'#ends form:has(input[value="{kind}"])'
            before = await page.locator(f"{form} button").bounding_box()
            await click_twice(page, f"{form} button", pause)
            await expect(page.locator("#status")).to_contain_text("Alice")
            await expect(page.locator(f"{form} button")).to_be_disabled()
            after = await page.locator(f"{form} button").bounding_box()
            assert before is not None
            assert after is not None
            assert (before["x"], before["width"]) == (after["x"], after["width"])
            await expect(page.locator("#sure")).to_have_count(0)
            await page.wait_for_timeout(GUARD_MILLISECONDS)  # as long as the page guards its changed controls
            await click_twice(page, '#ends a[href*="ask=resign"]', pause)
            await expect(page.locator("#question")).to_contain_text("Bob wins then")
            view = await env.view(match.id)
            assert view.state is MatchState.PLAYING
            assert view.pending_offer is not None
            assert view.pending_offer.kind == kind
        await page.keyboard.press("Escape")
        await expect(page.locator("#sure")).to_have_count(0)
        await page.locator("#ends summary").click()
        await page.locator('#ends a[href*="ask=resign"]').click()
        await page.locator("#sure").get_by_role("button", name="Resign").click()
        await expect(page.locator("#status")).to_contain_text("Alice resigns.")
        # Nobody is to move any more.
        await expect(page.locator("svg desc")).not_to_contain_text("to move")


@pytest.mark.long
async def test_own_moves_never_look_refused_on_a_slow_connection(
    env: WebEnvironment, browser: Browser
) -> None:
    async with Relay(env.base) as relay, open_window(browser) as page:
        await page.add_init_script(RECORD_NOTICES)
        for delay in (0.03, 0.2):
            relay.delay = delay
            await start_on_one_screen(page, relay.base, "morphos", size="5")
            for number, cell in enumerate(("C1", "A1"), start=1):
                if number == 2:
                    await page.get_by_role("link", name="Place a stone", exact=True).click()
                await click_cells(page, cell)
                await expect(page.locator("#caption")).to_contain_text(f"Turn {number}.")
            await has_turns(page, 2)
            notices = await page.evaluate("window.notices")
            assert [text for text in notices if "nothing was played" in text or "not reach" in text] == []
            assert [text for text in notices if text.startswith("Turn 1. Black places C1. Ben: ")], notices
            await expect(page.locator("#notice")).to_have_count(0)


@pytest.mark.long
async def test_hidden_pages_hold_no_connection_and_learn_whose_turn_it_is(
    env: WebEnvironment, browser: Browser
) -> None:
    async with open_window(browser) as shown:
        await stop_clock(shown)  # of all pages, or the first hidden one asks by itself
        matches = [await env.start_match() for _ in range(3)]
        hidden = []
        for number in range(8):
            page = await shown.context.new_page()
            await page.add_init_script(HIDE_PAGE)
            await page.goto(await env.seat_link(matches[number % 3].id, BOB))
            hidden.append(page)
        await shown.goto(f"{env.base}/m/{matches[0].id}")
        for match in matches:
            await env.play(match.id, "D1-D4")
        await has_turns(shown, 1)
        for page in hidden:
            assert not (await page.title()).startswith("●")
        # The first one asks for all. The others, put forward too, would give up what they then load.
        await hidden[0].clock.fast_forward("00:30")
        # A page that holds a connection hears what the hidden ones were answered.
        await expect(shown.locator("#my-games b")).to_have_text("3")
        for page in hidden:
            await expect(page).to_have_title(re.compile("^● Your turn"))
            await expect(page.locator('link[rel="icon"]')).to_have_attribute("href", re.compile("icon-turn"))


@pytest.mark.long
async def test_more_windows_than_connections_are_live(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    async with open_window(browser) as first:
        await first.context.add_init_script(RECORD_NOTICES)
        pages = [first, *[await first.context.new_page() for _ in range(6)]]
        for page in pages:
            await page.goto(f"{env.base}/m/{match.id}")
            await expect(page.locator("#replay-controls input")).to_be_visible()
        await env.play(match.id, "D1-D4")
        for page in pages:
            await expect(page.locator("#caption")).to_contain_text("Black moves D1-D4")
        for event in ("offline", "online"):
            await pages[-1].evaluate("name => window.dispatchEvent(new Event(name))", event)
        async with asyncio.timeout(PATIENCE):
            await pages[-1].evaluate(UNTIL_NOTICED, "Connected again.")


@asynccontextmanager
async def seat_window(
    browser: Browser, env: WebEnvironment, match: int, width: int, height: int
) -> AsyncIterator[Page]:
    """Open Alice's seat in a window of a size; narrow ones are phones."""
    async with open_window(browser, width=width, height=height, phone=min(width, height) < 400) as page:
        await page.goto(await env.seat_link((await env.view(match)).id, ALICE))  # type: ignore[arg-type]
        await expect(page.locator("#question")).to_be_visible()
        yield page


COVERED = """() => {
  const cells = [...document.querySelectorAll(".cells [data-cell]")];
  const isCovered = (cell) => {
    const box = cell.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const found = x < innerWidth && y < innerHeight && document.elementFromPoint(x, y);
    return !found || !cell.contains(found);
  };
  const board = document.querySelector(".board svg").getBoundingClientRect();
  const isCut = board.bottom > innerHeight || board.right > innerWidth;
  const isHidden = (one) => {
    const box = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
  };
  const counts = [...document.querySelectorAll(".pieces")];
  const areCountsHidden = counts.length !== 2 || counts.some(isHidden);
  const others = [isCut && "cut", areCountsHidden && "counts"].filter(Boolean);
  return [...cells.filter(isCovered).map((cell) => cell.dataset.cell), ...others];
}"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "height"),
    [(844, 390), (640, 400), (640, 360), (720, 450), (360, 640), (390, 844), (1280, 720), (1440, 900)],
)
async def test_whole_board_and_confirm_are_in_view(
    env: WebEnvironment, browser: Browser, width: int, height: int
) -> None:
    people = (ALICE, Person("test:long", "A name of forty letters, as long as it can be"[:40]))
    match = await env.start_match(people=people)
    await env.play(match.id, "D1-D4", "A2-B3")
    await env.matches.offers.make(match.id, people[1], OfferKind.TAKEBACK, now=env.clock())
    offer = (await env.view(match.id)).pending_offer
    assert offer is not None
    await env.matches.offers.answer(offer.id, ALICE, accept=False, now=env.clock())
    async with seat_window(browser, env, match.id, width, height) as page:
        assert await page.evaluate(COVERED) == []
        await page.locator('.cells .open[data-cell="F1"]').click()
        assert await page.evaluate(COVERED) == []
        await page.locator('.cells .open[data-cell="F4"]').click()
        await expect(page.locator(CONFIRM)).to_be_in_viewport(ratio=1)
        await expect(page.locator('#confirm [data-answer="back"]')).to_be_in_viewport(ratio=1)
        await expect(page.locator("#caption")).to_have_text(re.compile(r"Preview\.\s+Black moves F1-F4"))
        assert await page.evaluate(COVERED) == []
        await save_screenshot(page, f"preview-{width}x{height}")
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        if width >= 1280:
            # The board uses the height of the window, without header and players.
            board = await page.locator(".board svg").bounding_box()
            assert board is not None
            assert board["height"] > height - 150
            top, bottom = [await page.locator(f"#seat-{one}").bounding_box() for one in ("top", "bottom")]
            assert top is not None
            assert bottom is not None
            assert top["y"] + top["height"] <= board["y"]
            assert board["y"] + board["height"] <= bottom["y"]
            await expect(page.locator("#seat-bottom .name")).to_have_text(ALICE.name)
            # The panel tells the last turn, and the list has it; the picture does not repeat it.
            told = await page.locator(".board svg > g").first.text_content()
            assert "F1" not in str(told)
            # A status of two lines makes the board smaller; paging stays in view.
            await page.evaluate("document.getElementById('status').append(' and more words'.repeat(8))")
            await expect(page.locator("#replay-controls a").first).to_be_in_viewport(ratio=1)
            await expect(page.locator("#caption")).to_be_in_viewport(ratio=1)
            # An open offer leaves room for the tools.
            await env.matches.offers.make(match.id, people[1], OfferKind.END, now=env.clock())
            await page.goto(f"{env.base}/m/{match.id}/seat/1")
            await expect(page.locator(".offered")).to_be_visible()
            await expect(page.locator("#tools")).to_be_in_viewport(ratio=1)
            assert await page.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.long
async def test_whole_game_by_keyboard_alone(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        await start_on_one_screen(page, env.base, "morphos", size="5")
        await tab_until(page, "[data-cell]")
        cells = ["C1", "A1", "C2", "A2", "C3", "A3", "C4", "A4", "C5"]
        for number, cell in enumerate(cells, start=1):
            if number == 2:  # White may change sides instead
                await tab_until(page, "#seat-controls [data-answer]")
                await page.keyboard.press("Enter")
                await expect(page.locator(".cells .open").first).to_be_attached()
            await expect(page.locator(".cells :focus")).to_have_count(1)
            await go_to_cell(page, cell)
            await page.keyboard.press("Enter")
            await expect(page.locator(CONFIRM)).to_be_focused()
            if number < 4:
                await page.keyboard.press("Escape")
                await expect(page.locator(CONFIRM)).to_have_count(0)
                assert await focused_cell(page) == cell
                await page.keyboard.press("Enter")
                await expect(page.locator(CONFIRM)).to_be_focused()
            await page.keyboard.press("Enter")
            await has_turns(page, number)
        await expect(page.locator("#status")).to_contain_text("Black (Ann) wins.")
        await expect(page.locator("#live-region")).to_contain_text(
            "Turn 9. Black places C5. Ann won! Black (Ann) wins."
        )
        assert await page.evaluate("document.activeElement !== document.body")


async def go_to_cell(page: Page, cell: str) -> None:
    """Move the focus on the board with the arrow keys: first to the row, then along it."""
    for _ in range(40):
        now = await focused_cell(page)
        if now == cell:
            return
        column, row = ord(cell[0]) - ord(now[0]), int(cell[1:]) - int(now[1:])
        vertical, horizontal = (
            "ArrowUp" if row > 0 else "ArrowDown",
            "ArrowRight" if column > 0 else "ArrowLeft",
        )
        await page.keyboard.press(vertical if row else horizontal)
        if await focused_cell(page) == now:
            await page.keyboard.press(horizontal)
    raise AssertionError(f"the arrow keys do not lead to {cell}")


@pytest.mark.long
async def test_skip_link_leads_to_the_board_and_the_focus_stays_there(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match({"size": 5}, "morphos")
    async with open_window(browser) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("link", name="To the board")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator(".cells .open:focus")).to_have_count(1)
        await page.keyboard.press("Enter")
        await expect(page.locator(CONFIRM)).to_be_focused()
        await page.keyboard.press("Enter")
        await has_turns(page, 1)
        await expect(page).to_have_url(re.compile("^[^?#]*$"))
        await expect(page.locator("#seat-controls")).to_be_focused()
        # A spectator has no cell to choose.
        await page.goto(f"{env.base}/m/{match.id}")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.locator("#main")).to_be_focused()


@pytest.mark.long
async def test_note_that_was_not_saved_is_not_left_without_a_question(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    asked: list[str] = []

    async def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        await dialog.accept()

    async with open_window(browser) as page:
        page.on("dialog", accept)
        await page.goto(await env.seat_link(match.id, ALICE))
        await page.locator("#note summary").click()
        await page.locator("#note-text").press_sequentially("A plan")
        await page.get_by_role("link", name="Rules").click()
        await page.wait_for_url("**/rules/morelli")
        assert asked == ["beforeunload"]
        await page.go_back()
        await page.locator("#note summary").click()
        await page.locator("#note-text").fill("Another plan")
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator("#note-state")).to_be_visible()
        await page.get_by_role("link", name="Rules").click()
        await page.wait_for_url("**/rules/morelli")
        assert asked == ["beforeunload"]


@pytest.mark.long
async def test_coordinates_are_no_text_to_select_or_read(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    async with open_window(browser) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        labels = page.locator(".board svg text")
        first, last = [await label.bounding_box() for label in (labels.first, labels.last)]
        assert first is not None
        assert last is not None
        await page.mouse.move(first["x"] + 1, first["y"] + 5)
        await page.mouse.down()
        await page.mouse.move(last["x"] + 5, last["y"] + 5, steps=4)
        await page.mouse.up()
        assert await page.evaluate("String(getSelection())") == ""
        snapshot = await page.locator(".board").aria_snapshot()
        assert "A 1 A 1" not in snapshot
        assert "D1" in snapshot


async def hold_answers(page: Page, pattern: str) -> asyncio.Event:
    """Let the page wait for the answers to requests until the event is set."""
    released = asyncio.Event()

    async def answer(route: Route) -> None:
        response = await route.fetch()
        await released.wait()
        await route.fulfill(response=response)

    await page.route(re.compile(pattern), answer)
    return released


@pytest.mark.long
async def test_half_made_turn_is_kept(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    await env.play(match.id, "F1-F4", "A2-B3")
    await env.matches.offers.make(match.id, BOB, OfferKind.END, now=env.clock())
    question = "Where does D1 go?"
    async with open_window(browser) as page, open_window(browser) as other:
        await page.goto(f"{env.base}/")
        await page.goto(await env.seat_link(match.id, ALICE))
        await other.goto(await env.seat_link(match.id, BOB))
        await page.locator('.cells .open[data-cell="D1"]').click()
        await expect(page.locator("#question")).to_have_text(question)
        await page.get_by_role("button", name="Keep playing").click()
        await expect(page.locator(".offered")).to_have_count(0)
        await expect(page.locator("#question")).to_have_text(question)
        await expect(other.locator("#declined")).to_have_text("Your opponent declined to end the match here.")
        # The form is answered after the player has paged back, and does not take them away from there.
        paged = await hold_answers(page, "/offer")
        await page.locator("#ends summary").click()
        await page.locator('#ends form:has(input[value="end"]) button').click()
        await expect(other.locator("#status")).to_contain_text("Alice offers to end the match here.")
        await expect(page.locator("#question")).to_have_text(question)
        # An earlier turn that is still loading when the player is back and goes on.
        held: asyncio.Queue[Route] = asyncio.Queue()
        await page.route(re.compile("turn=1"), held.put)
        await page.keyboard.press("ArrowLeft")
        paged.set()
        loading = await asyncio.wait_for(held.get(), PATIENCE)
        await page.locator('[data-step="latest"]').first.click()
        await page.locator('.cells .open[data-cell="D4"]').click()
        await expect(page.locator(CONFIRM)).to_be_visible()
        await page.go_back()
        await expect(page.locator("#question")).to_have_text(question)
        await loading.continue_()
        await page.unroute_all()
        await page.get_by_role("link", name="Flip the board").click()
        await expect(page.locator("#match")).to_have_attribute("data-side", "white")
        await expect(page.locator("#question")).to_have_text(question)
        await page.get_by_role("link", name="Clear colours").click()
        await expect(page.locator("html")).to_have_attribute("data-theme", "clear")
        await expect(page.locator("#question")).to_have_text(question)
        await page.locator('.cells .open[data-cell="D4"]').click()
        await page.locator(CONFIRM).click()
        await has_turns(page, 3)
        await env.play(match.id, "A4-B4")
        await expect(page.locator("#question")).to_have_text("Which stone do you move?")
        # The board is still seen from White's side.
        first, last = [
            await page.locator(f'.cells [data-cell="{cell}"]').bounding_box() for cell in ("A1", "A9")
        ]
        assert first is not None
        assert last is not None
        assert first["y"] < last["y"]


@pytest.mark.long
async def test_back_goes_back_one_step_and_then_leaves(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/new")
        await page.goto(await env.seat_link(match.id, ALICE))
        for _ in range(2):
            await page.locator('.cells .open[data-cell="D1"]').click()
            await page.locator('.cells .open[data-cell="D4"]').click()
            await expect(page.locator(CONFIRM)).to_be_visible()
            await page.go_back()
            await expect(page.locator("#question")).to_have_text("Where does D1 go?")
            await page.locator("#seat-controls").get_by_role("link", name="Back").click()
            await expect(page.locator("#question")).to_have_text("Which stone do you move?")
        await click_cells(page, "D1", "D4")
        await has_turns(page, 1)
        await expect(page.locator("#notice")).to_have_count(0)
        await expect(page).to_have_url(f"{env.base}/m/{match.id}/seat/1")
        await page.go_back()
        await expect(page).to_have_url(f"{env.base}/new")


@pytest.mark.long
async def test_wrong_typed_move_stays_and_lost_connection_is_shown_until_it_is_back(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    async with Relay(env.base) as relay, open_window(browser) as page:
        await stop_clock(page)  # or what is said is gone after some seconds
        await page.goto((await env.seat_link(match.id, ALICE)).replace(env.base, relay.base))
        await page.locator("#other summary").click()
        await page.locator("#typed-move").fill("d1-e9")
        await page.keyboard.press("Enter")
        await expect(page.locator("#notice")).to_be_visible()
        await expect(page.locator("#typed-move")).to_have_value("d1-e9")
        await expect(page.locator("#typed-move")).to_be_focused()
        await relay.disconnect()
        await expect(page.locator("#toast")).to_have_text("No connection. Trying again.")
        await page.keyboard.press("Enter")
        await expect(page.locator("#toast")).to_have_text("That did not reach the server. Try again.")
        await page.clock.fast_forward("00:05")
        await expect(page.locator("#toast")).to_have_text("No connection. Trying again.")
        await relay.reconnect()
        await expect(page.locator("#toast")).to_have_text("Connected again.")


@pytest.mark.long
async def test_names_are_whole_isolated_and_marked_without_colours(
    env: WebEnvironment, browser: Browser
) -> None:
    long = Person("test:long", "A name of forty letters, as long as it can be"[:40])
    arabic = Person("test:arabic", "\u0639\u0645\u0631 (1)")
    match = await env.start_match(SMALL, people=(long, arabic))
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/")
        for part in (".who.awaited .name", ".who.awaited"):
            assert await page.locator(part).evaluate("one => one.scrollWidth <= one.clientWidth")
        await env.play(match.id, "D1-D4")
        await page.emulate_media(forced_colors="active")
        await page.goto(f"{env.base}/m/{match.id}")
        await expect(page.locator("#status bdi")).to_have_text(arabic.name)
        borders = await page.locator(".seat").evaluate_all(
            "all => all.map((one) => getComputedStyle(one).borderTopWidth)"
        )
        assert borders == ["3px", "1px"]  # the player to move is at the top
        outline = "one => getComputedStyle(one).outlineStyle"
        assert await page.locator("#log [aria-current]").evaluate(outline) == "solid"
        await save_screenshot(page, "forced-colours")


# Keeps the state of every animation of a piece when it begins: the first transform or opacity.
RECORD_ANIMATIONS = """
window.animations = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.animations.push([this.getAttribute("class"), frames[0].transform ?? `opacity ${frames[0].opacity}`]);
  return animate.call(this, frames, options);
};
"""


@pytest.mark.long
async def test_clock_counts_down_and_pieces_move(env: WebEnvironment, browser: Browser) -> None:
    terms = Terms(rated=False, time_control=TimeControl.per_move(timedelta(hours=5)))
    match = await env.start_match(terms=terms)
    await env.play(match.id, "D1-D4", "A2-B3")
    async with open_window(browser) as page:
        await page.clock.install(time=datetime(2031, 1, 1, tzinfo=UTC))  # the clock of this browser is wrong
        await page.emulate_media(reduced_motion="no-preference")
        await page.add_init_script(RECORD_ANIMATIONS)
        await page.goto(await env.seat_link(match.id, ALICE))
        clock = page.locator("#seat-bottom .clock.running .left-time")
        await expect(clock).to_have_text(re.compile("^(5:00:00|4:59:5.)$"))
        await page.clock.run_for("01:00:00")
        await expect(clock).to_have_text(re.compile("^(4:00:00|3:59:..)$"))
        await page.locator('.cells .open[data-cell="F1"]').click()
        await page.locator('.cells .open[data-cell="F4"]').click()
        await expect(page.locator(CONFIRM)).to_be_visible()
        # The cells are 66 pixels wide: the stone comes from three cells below.
        assert await page.evaluate("animations") == [["piece", "translate(0px, 198px)"]]
        await page.locator(CONFIRM).click()
        await expect(page.locator("#caption")).to_contain_text("Turn 3")
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator("#caption")).to_contain_text("Turn 2")
        assert (await page.evaluate("animations"))[1:] == [["piece", "translate(0px, -198px)"]]
        # No animation for those who do not want any.
        await page.emulate_media(reduced_motion="reduce")
        await page.keyboard.press("ArrowRight")
        await expect(page.locator("#caption")).to_contain_text("Turn 3")
        assert len(await page.evaluate("animations")) == 2


@pytest.mark.long
async def test_paging_back_before_the_turn_is_answered_stays_there(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    async with seat_window(browser, env, match.id, 1280, 800) as page:
        await page.locator('.cells .open[data-cell="F1"]').click()
        await page.locator('.cells .open[data-cell="F4"]').click()
        confirmed = await hold_answers(page, "/play")
        await page.locator(CONFIRM).click()
        await has_turns(page, 3)  # the server has announced the turn before it has answered the form
        await page.keyboard.press("ArrowLeft")
        async with page.expect_response(re.compile("turn=2")):
            confirmed.set()
        assert await page.locator("#slider").input_value() == "2"
        await expect(page.locator("#caption")).to_contain_text("Turn 2")
        await page.keyboard.press("ArrowRight")
        await expect(page.locator("#caption")).to_contain_text("Turn 3")


async def middle_of(page: Page, cell: str) -> tuple[float, float]:
    box = await page.locator(f'.cells [data-cell="{cell}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.long
async def test_pieces_are_dragged_with_mouse_and_finger(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    async with seat_window(browser, env, match.id, 1280, 800) as page:
        # On a cell where it cannot go the stone goes back, and stays chosen.
        await page.mouse.move(*await middle_of(page, "D1"))
        await page.mouse.down()
        await page.mouse.move(*await middle_of(page, "E8"), steps=3)
        await expect(page.locator(".dragged")).to_have_count(1)
        await expect(page.locator("#question")).to_have_text("Where does D1 go?")
        await page.mouse.up()
        await expect(page.locator(".dragged")).to_have_count(0)
        await expect(page.locator("#question")).to_have_text("Where does D1 go?")
        # Another stone, and then a cell where it can go.
        await page.mouse.move(*await middle_of(page, "F1"))
        await page.mouse.down()
        await page.mouse.move(*await middle_of(page, "F4"), steps=3)
        await page.mouse.up()
        await expect(page.locator("#caption")).to_have_text(re.compile(r"Preview\.\s+Black moves F1-F4"))
        await expect(page.locator(".dragged")).to_have_count(0)
        await page.locator(CONFIRM).click()
        await has_turns(page, 1)
    await env.play(match.id, "A2-B3")
    async with seat_window(browser, env, match.id, 390, 844) as page:
        touch = await page.context.new_cdp_session(page)
        points = [await middle_of(page, cell) for cell in ("D1", "D2", "D3", "D4")]
        for kind, point in zip(("touchStart", "touchMove", "touchMove", "touchMove"), points, strict=True):
            place = [{"x": point[0], "y": point[1]}]
            await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": place})
        await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await expect(page.locator("#caption")).to_have_text(re.compile(r"Preview\.\s+Black moves D1-D4"))
        assert await page.evaluate("scrollY") == 0


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844)])
async def test_panel_on_a_phone_leaves_the_status_in_sight_and_comes_after_paging_at_the_end(
    env: WebEnvironment, browser: Browser, width: int, height: int
) -> None:
    async def is_status_covered() -> bool:
        status = await page.locator("#status").bounding_box()
        panel = await page.locator("#seat-controls").bounding_box()
        assert status is not None
        assert panel is not None
        return status["y"] + status["height"] > panel["y"]

    match = await env.start_match()
    await env.matches.offers.make(match.id, BOB, OfferKind.END, now=env.clock())
    async with open_window(browser, width=width, height=height, phone=True) as page:
        await page.goto(await env.seat_link(match.id, ALICE))
        await page.locator("#ends summary").click()
        await expect(page.locator("#ends form").first).to_be_visible()
        assert not await is_status_covered()
        await page.locator("#ends summary").click()
        await page.locator('.cells .open[data-cell="D1"]').click()
        await page.locator('.cells .open[data-cell="D4"]').click()
        await expect(page.locator(CONFIRM)).to_be_in_viewport(ratio=1)
        await expect(page.locator("#status .offer")).to_be_visible()
        assert not await is_status_covered()
        await env.matches.resign(match.id, BOB, now=env.clock())
        await expect(page.locator("#seat-controls.over")).to_be_visible()
        for _ in range(2):  # as it ends, and when the page is opened again
            paging, panel = [
                await page.locator(one).bounding_box() for one in ("#replay-controls", "#seat-controls")
            ]
            assert paging is not None
            assert panel is not None
            assert paging["y"] < panel["y"]
            assert await page.locator("#replay-controls ~ #seat-controls").count() == 1  # the order of Tab
            await page.reload()
