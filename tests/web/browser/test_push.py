"""Notifications on this device in a real browser: the button, its states, and the service worker.

The browser without windows never allows notifications and knows no push service, so permission, subscriptions
and what is shown are replaced; pages, forms, the service worker and the delivery of a push to it are real.
"""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.databases import open_database
from tests.discord_server.waiting import PATIENCE
from tests.web.chromium import is_accessible, open_window, save_screenshot
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

TURN_ON = "Notify me on this device"
ASKED = """
Object.defineProperty(Notification, "permission", { get: () => localStorage.answer ?? "default" });
Notification.requestPermission = async () => (localStorage.answer = ANSWER);
"""
SUBSCRIBES = """
const subscription = { endpoint: ENDPOINT, toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }) };
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  if (applicationServerKey !== document.querySelector("#push").dataset.key) throw new Error("another key");
  localStorage.subscribed = "yes";
  return subscription;
};
PushManager.prototype.getSubscription = async () => (localStorage.subscribed ? subscription : null);
"""
NO_PUSH = "delete window.PushManager;"
# Shows nothing, and remembers what it was to show.
RECORD_NOTIFICATIONS = """() => {
  const shown = [];
  self.all = [];
  registration.showNotification = async (title, options) => {
    const one = { title, ...options, close: () => shown.splice(shown.indexOf(one), 1) };
    shown.splice(0, shown.length, one);
    self.all.push([title, options]);
  };
  registration.getNotifications = async ({ tag }) => shown.filter((one) => one.tag === tag);
  self.left = () => shown.length;
}"""
# Replies when so many notifications were to be shown, and so many of them are left.
UNTIL = """([count, least]) => new Promise((resolve) => {
  const look = () => (all.length >= count && left() === least ? resolve() : setTimeout(look, 10));
  look();
})"""


def encode(key: bytes) -> str:
    return urlsafe_b64encode(key).decode()


NO_POINT, NO_SECRET = encode(b"\4" + bytes(64)), encode(bytes(16))


def subscribes(endpoint: str, *, p256dh: str = NO_POINT, auth: str = NO_SECRET) -> str:
    keys = {"p256dh": p256dh, "auth": auth}
    return SUBSCRIBES.replace("ENDPOINT", json.dumps(endpoint)).replace("KEYS", json.dumps(keys))


def asked(answer: str) -> str:
    return ASKED.replace("ANSWER", json.dumps(answer))


@pytest_asyncio.fixture(loop_scope="session")
async def env(sqlite_url: str) -> AsyncIterator[WebEnvironment]:
    async with (
        open_database(sqlite_url) as database,
        running_web(database, **SIGN_IN_SETTINGS) as started,
    ):
        yield started


async def open_settings(env: WebEnvironment, page: Page, *scripts: str) -> None:
    """Open the page of Alice's notices; the scripts run before those of the page."""
    secret = await env.start_seat_session(ALICE)
    await page.context.add_cookies([{"name": "session", "value": secret, "url": env.base}])
    for script in scripts:
        await page.add_init_script(script)
    await page.goto(f"{env.base}/account/notices")


@pytest.mark.long
async def test_device_is_switched_on_and_off(env: WebEnvironment, browser: Browser) -> None:
    endpoint = "https://fcm.googleapis.com/fcm/send/one"
    async with open_window(browser, width=360, height=740, phone=True) as page:
        await open_settings(env, page, asked("granted"), subscribes(endpoint))
        part = page.locator("#push")
        await save_screenshot(page, "push-off", whole=True)
        await part.get_by_role("button", name=TURN_ON).click()
        await expect(part.get_by_text("This device shows notifications.")).to_be_visible()
        await expect(part.get_by_role("button", name=TURN_ON)).to_be_hidden()
        await expect(part.get_by_role("listitem")).to_contain_text("Firefox on Linux · This device")
        await is_accessible(page)
        await save_screenshot(page, "push-on", whole=True)
        (stored,) = await env.matches.people.push.list_for(ALICE.account, now=env.clock())
        assert stored.endpoint == endpoint
        await part.get_by_role("button", name="Switch off").click()
        await expect(part.get_by_role("button", name=TURN_ON)).to_be_visible()
        await expect(part.get_by_role("listitem")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("endpoint", "answer", "message"),
    [
        ("https://evil.example/", "granted", "does not know the service"),
        ("https://fcm.googleapis.com/x", "default", "did not get your permission"),
        ("https://fcm.googleapis.com/x", "denied", "Your browser blocks notifications"),
    ],
)
async def test_page_says_why_nothing_was_switched_on(
    env: WebEnvironment, browser: Browser, endpoint: str, answer: str, message: str
) -> None:
    async with open_window(browser) as page:
        await open_settings(env, page, asked(answer), subscribes(endpoint))
        await page.get_by_role("button", name=TURN_ON).click()
        await expect(page.locator("#push").get_by_text(message)).to_be_visible()
        await is_accessible(page)
    assert await env.matches.people.push.list_for(ALICE.account, now=env.clock()) == ()


@pytest.mark.long
@pytest.mark.parametrize(
    ("scripts", "message"),
    [
        ((), "Your browser blocks notifications"),
        ((NO_PUSH,), "This browser cannot show notifications."),
        (
            (
                NO_PUSH,
                "Object.defineProperty(navigator, 'userAgent', { get: () => '(iPhone; CPU iPhone OS)' })",
            ),
            "Tap Share, then Add to Home Screen",
        ),
    ],
)
async def test_page_says_what_this_browser_needs(
    env: WebEnvironment, browser: Browser, scripts: tuple[str, ...], message: str
) -> None:
    async with open_window(browser) as page:
        await open_settings(env, page, *scripts)
        await expect(page.get_by_text(message)).to_be_visible()
        await expect(page.get_by_role("button", name=TURN_ON)).to_be_hidden()


@pytest.mark.long
async def test_page_without_scripts_says_that_they_are_needed(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser, scripts=False) as page:
        await open_settings(env, page)
        await expect(page.get_by_text("allow JavaScript")).to_be_visible()


async def push(env: WebEnvironment, page: Page, **notice: Any) -> None:
    """Deliver a push to the service worker, as a push service would."""
    session = await page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    await session.send("ServiceWorker.enable")
    await page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    async with asyncio.timeout(PATIENCE):
        while not found:  # the event may come after the page knows its worker
            await page.evaluate("1")
    message = {"origin": env.base, "registrationId": found[0]["registrationId"], "data": json.dumps(notice)}
    await session.send("ServiceWorker.deliverPushMessage", message)
    await session.detach()


@pytest.mark.long
async def test_push_shows_one_notification_for_each_match(env: WebEnvironment, browser: Browser) -> None:
    notice = {"tag": "m7", "title": "Your turn", "body": "Bob played.", "url": "/m/7/seat/1"}
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/rules")
        async with page.context.expect_event("serviceworker") as starting:
            await page.evaluate("navigator.serviceWorker.register('/service-worker.js').then(() => 1)")
        worker = await starting.value
        await worker.evaluate(RECORD_NOTIFICATIONS)
        for count, number in enumerate((1, 1, 2), 1):
            await push(env, page, id=number, **notice)
            await worker.evaluate(UNTIL, [count, 1])
        title, options = (await worker.evaluate("all"))[0]
        assert (title, options["body"], options["tag"]) == ("Your turn", "Bob played.", "m7")
        assert options["data"] == {"path": "/m/7/seat/1", "id": 1}
        # A repetition of the same notice does not call the player again.
        assert [one["renotify"] for _, one in await worker.evaluate("all")] == [True, False, True]
        assert (await page.request.get(env.base + options["icon"])).status == 200
        # Nobody is called who looks at the match.
        await page.goto(f"{env.base}/m/7")
        await push(env, page, id=3, **notice)
        await worker.evaluate(UNTIL, [4, 0])
        assert (await worker.evaluate("all"))[3][1]["silent"]
