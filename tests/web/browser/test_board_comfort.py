"""Comfort of the board page in a real browser: play at once, sound, notifications, small cells on a phone."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.web.browser.steps import CONFIRM, HIDE_PAGE, has_turns, stop_clock
from tests.web.chromium import is_accessible, open_window, save_screenshot
from tests.web.environment import ALICE

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

START = datetime(2031, 1, 1, tzinfo=UTC)
# Keeps every sound and notification; permission for these is asked once and granted.
RECORD_SIGNALS = """
window.sounds = 0;
const start = OscillatorNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.sounds += 1;
  start.apply(this, when);
};
window.notices = [];
window.Notification = class extends EventTarget {
  static permission = "default";
  static async requestPermission() { return (Notification.permission = "granted"); }
  constructor(title, { body }) { super(); window.notices.push(`${title}: ${body}`); }
};
"""
# As on phones, pages cannot make notifications, but a service worker can. The browser of the tests grants no
# permission to either.
ONLY_WORKERS_NOTIFY = """
window.Notification = class {
  static permission = "granted";
  static async requestPermission() { return "granted"; }
  constructor() { throw new TypeError("Illegal constructor"); }
};
window.notices = [];
ServiceWorkerRegistration.prototype.showNotification = async function (title, { body, data }) {
  window.notices.push(new URL(this.scope).pathname, this.active.state, `${title}: ${body}`, data.path);
};
"""
TOLD = "This browser will tell you here when it is your turn and the page is in the background."


async def enter_turn(page: Page, *cells: str) -> None:
    """Click on cells until the turn waits to be played; the last click is a double one."""
    for cell in cells[:-1]:
        await page.locator(f'.cells .open[data-cell="{cell}"]').click()
    await page.locator(f'.cells .open[data-cell="{cells[-1]}"]').dblclick()
    await expect(page.get_by_role("link", name="Undo")).to_be_visible()


async def turn_on(page: Page, *names: str) -> None:
    """Turn on preferences in the menu, and close it."""
    await page.locator(".colours summary").click()
    for name in names:
        button = page.get_by_role("button", name=name)
        await button.click()
        await expect(button).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("Escape")
    await expect(page.locator(".colours .menu")).to_be_hidden()


async def check_typed_turn_is_confirmed(page: Page, text: str) -> None:
    """Type a turn, check that it does not wait to be played, and go back to the first question."""
    await page.locator("#other summary").press("Enter")
    await page.locator("#typed-move").fill(text)
    await page.keyboard.press("Enter")
    await expect(page.locator(CONFIRM)).to_have_text("Confirm")
    await expect(page.locator(".pending")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(page.locator(CONFIRM)).to_have_count(0)


@pytest.mark.long
async def test_turn_is_played_at_once_unless_it_is_undone(env: WebEnvironment, browser: Browser) -> None:
    match = await env.start_match()
    async with open_window(browser) as page:
        await page.clock.install(time=START)
        await page.add_init_script(RECORD_SIGNALS)
        await page.goto(await env.seat_link(match.id, ALICE))
        await turn_on(page, "Play at once", "Sound when", "Tell me when")
        # Undo takes back the last step, and nothing is played.
        await page.clock.pause_at(START + timedelta(minutes=5))
        await enter_turn(page, "D1", "D4")
        await page.clock.run_for(2900)
        await expect(page.locator("#live-region")).to_contain_text(
            "Black moves D1-D4. Your turn is played in 3 seconds"
        )
        await page.keyboard.press("Backspace")
        await expect(page.locator("#question")).to_have_text("Where does D1 go?")
        await page.clock.fast_forward(4000)
        assert (await env.view(match.id)).ply == 0
        # What does not reach the server waits for Confirm.
        await page.route("**/play?*", lambda route: route.abort())
        await enter_turn(page, "D4")
        await page.clock.fast_forward(4000)
        await expect(page.locator("#toast")).to_have_text("That did not reach the server. Try again.")
        await page.unroute("**/play?*")
        await expect(page.locator(CONFIRM)).to_have_text("Confirm")
        await page.evaluate("document.getElementById('confirm').classList.add('pending')")
        await page.locator(".colours summary").click()
        await page.clock.resume()
        await is_accessible(page)
        await page.keyboard.press("Escape")
        await page.locator(CONFIRM).click()
        await has_turns(page, 1)
        assert await page.evaluate("[sounds, notices.length]") == [
            2,
            1,
        ]  # one of each when they were turned on
        # A hidden page tells whose turn it is.
        await page.evaluate(HIDE_PAGE, arg=True)
        await env.play(match.id, "A2-B3")
        await page.clock.fast_forward("00:30")
        await expect(page.locator("#question")).to_have_text("Which stone do you move?")
        signals = await page.evaluate("[sounds, notices.at(-1)]")
        assert signals == [3, "Your turn · Alice \u2013 Bob · Morelli · Rayuela: Turn 2. White moves A2-B3"]
        await page.evaluate(HIDE_PAGE, arg=False)
        await page.clock.pause_at(START + timedelta(hours=1))  # or a turn is played before it is seen to wait
        await enter_turn(page, "F1", "F4")
        await page.clock.fast_forward(4000)
        await has_turns(page, 3)
        # Whatever leads away from the board plays the turn first.
        await env.play(match.id, "A4-B4")
        await check_typed_turn_is_confirmed(page, "G1-G4")
        await enter_turn(page, "G1", "G4")
        await page.get_by_role("link", name="Flip the board").click()
        await expect(page.locator("#match")).to_have_attribute("data-side", "white")
        await has_turns(page, 5)
        await env.play(match.id, "A5-B5")
        await enter_turn(page, "H1", "H4")
        await page.goto(f"{env.base}/m/{match.id}")
        await has_turns(page, 7)


@pytest.mark.long
async def test_small_cells_are_enlarged_before_a_finger_chooses(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match({"size": 19}, "morphos")
    async with open_window(browser, width=360, height=640, phone=True) as page:
        await page.add_init_script(ONLY_WORKERS_NOTIFY)
        await page.goto(await env.seat_link(match.id, ALICE))
        await turn_on(page, "Tell me when")
        scope, worker, *notice = await page.evaluate("notices")
        assert (scope, notice) == ("/", [f"Your turn: {TOLD}", f"/m/{match.id}/seat/1"])
        assert worker in {"activating", "activated"}
        cell, other = page.locator('.cells [data-cell="D4"]'), page.locator('.cells [data-cell="E5"]')
        before = await cell.bounding_box()
        await cell.tap()
        await expect(page.locator(".enlarged")).to_have_count(1)
        after = await cell.bounding_box()
        assert before is not None
        assert after is not None
        assert before["width"] < 24
        assert round(after["width"]) >= 44
        # The cell is still under the finger.
        assert abs(before["x"] + before["width"] / 2 - after["x"] - after["width"] / 2) < 1
        await save_screenshot(page, "enlarged")
        # A finger pushes the board.
        touch = await page.context.new_cdp_session(page)
        for kind, y in (("touchStart", 200), ("touchMove", 220), ("touchMove", 260), ("touchEnd", None)):
            points = [] if y is None else [{"x": 200, "y": y}]
            await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        pushed = await cell.bounding_box()
        assert pushed is not None
        assert pushed["y"] > after["y"] + 20
        # The coordinates go along at the edges of what is in view.
        file, board = page.locator(".edge-labels text", has_text="D"), page.locator(".board svg")
        label, frame = [await one.bounding_box() for one in (file, board)]
        assert label is not None
        assert frame is not None
        assert abs(label["x"] + label["width"] / 2 - pushed["x"] - pushed["width"] / 2) < 1
        assert frame["y"] + frame["height"] - 25 < label["y"] < frame["y"] + frame["height"]
        await save_screenshot(page, "pushed")
        await page.get_by_role("button", name="Whole board").click()
        await expect(page.locator(".enlarged")).to_have_count(0)
        await expect(page.locator(".edge-labels")).to_have_count(0)
        assert await cell.bounding_box() == before
        await cell.tap()
        await expect(page.locator(".enlarged")).to_have_count(1)
        await other.tap()
        await expect(page.locator("#caption")).to_contain_text("Black places E5")
        await expect(page.locator(CONFIRM)).to_be_in_viewport(ratio=1)


@pytest.mark.long
async def test_piece_is_shown_under_the_pointer_and_at_once_when_chosen(
    env: WebEnvironment, browser: Browser
) -> None:
    match = await env.start_match({"size": 9}, "morphos")
    async with open_window(browser) as page:
        await stop_clock(page)  # or what is said is gone after some seconds
        await page.goto(await env.seat_link(match.id, ALICE))
        placed = page.locator(".board .placed")
        cell = page.locator('.cells .open[data-cell="D4"]')
        await cell.hover()
        await expect(placed).to_have_count(1)
        assert await places_overlap(page, "D4")
        await page.locator('.cells .open[data-cell="E5"]').hover()
        await expect(placed).to_have_count(1)
        assert await places_overlap(page, "E5")
        await page.locator("#status").hover()
        await expect(placed).to_have_count(0)
        # The answer is long in coming, and fails.
        held: asyncio.Queue[Route] = asyncio.Queue()
        await page.route(re.compile("answers=D4"), held.put)
        await cell.click()
        await expect(page.locator(".board .placed.chosen")).to_have_count(1)
        await page.locator("#status").hover()
        await expect(page.locator(".board .placed.chosen")).to_have_count(1)
        await (await held.get()).abort()
        await expect(page.locator("#toast")).to_have_text("That did not reach the server. Try again.")
        await expect(placed).to_have_count(0)
        await page.unroute_all()
        await cell.click()
        await expect(page.locator(CONFIRM)).to_be_visible()
        await expect(placed).to_have_count(0)


async def places_overlap(page: Page, cell: str) -> bool:
    """Whether the piece under the pointer is on a cell, in the middle."""
    boxes = [
        await page.locator(one).bounding_box() for one in (".board .placed", f'.cells [data-cell="{cell}"]')
    ]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    (x, y), (to_x, to_y) = middles
    return abs(x - to_x) < 5 and abs(y - to_y) < 5
