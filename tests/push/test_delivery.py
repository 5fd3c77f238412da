"""One push to one browser: what arrives, what each answer of a service means, and where none is sent."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from matches.people.push_subscriptions import Browser
from push.delivery import Pusher
from push.guard import GuardedSession, PrivateAddress, find_public_address
from push.keys import Keys
from push.message import MAX_LIFETIME, MAX_PAYLOAD_BYTES, MIN_LIFETIME, Message
from push.outcomes import Answer, Outcome
from tests.matches.scenario import NOON, later
from tests.push.service import HOST, StubBrowser, encode
from tests.web.environment import ManualClock

if TYPE_CHECKING:
    from matches import Matches
    from tests.push.service import PushService

MESSAGE = Message(7, "m12", "Your turn", "Bob played D1.", "/m/12/seat/1", expires_at=later(hours=2))
CONTACT = "mailto:play@example.org"


def stored(browser: StubBrowser) -> Browser:
    """Return a browser as the database returns it."""
    return Browser(
        id=1,
        session="",
        device="",
        made_at=NOON,
        used_at=None,
        endpoint=browser.endpoint,
        p256dh=browser.p256dh,
        auth=encode(browser.auth),
    )


@pytest.fixture
async def pusher(matches: Matches, service: PushService) -> Pusher:
    return Pusher(await Keys(matches, ManualClock()).get(), CONTACT, (HOST,), service.authority)


async def send(pusher: Pusher, browser: Browser, message: Message = MESSAGE) -> Answer:
    return await asyncio.to_thread(pusher.send, browser, pusher.wrap(message, NOON))


async def test_browser_decrypts_what_its_service_got(service: PushService, pusher: Pusher) -> None:
    browser = service.browser("phone")
    assert await send(pusher, stored(browser)) == Answer(Outcome.SENT)
    (received,) = browser.received
    assert received.payload == {
        "id": 7,
        "tag": "m12",
        "title": "Your turn",
        "body": "Bob played D1.",
        "url": "/m/12/seat/1",
    }
    names = ("ttl", "topic", "urgency", "content-encoding")
    assert [received.headers[name] for name in names] == ["7200", "m12", "normal", "aes128gcm"]


async def test_each_push_names_its_own_service(service: PushService, matches: Matches) -> None:
    # The library adds the service to the claims that it is given.
    browser = service.browser("phone")
    other = service.base.replace(HOST, "127.0.0.1")
    keys = await Keys(matches, ManualClock()).get()
    pusher = Pusher(keys, CONTACT, (HOST, "127.0.0.1"), service.authority)
    away = replace(stored(browser), endpoint=browser.endpoint.replace(HOST, "127.0.0.1"))
    for one in (stored(browser), away):
        await send(pusher, one)
    assert [one.claims["aud"] for one in browser.received] == [service.base, other]
    assert {one.claims["sub"] for one in browser.received} == {CONTACT}


async def test_thread_keeps_its_connection_to_a_service(service: PushService, pusher: Pusher) -> None:
    browser = service.browser("phone")
    push = pusher.wrap(MESSAGE, NOON)
    await asyncio.to_thread(lambda: [pusher.send(stored(browser), push) for _ in range(3)])
    assert (len(browser.received), len(service.connections)) == (3, 1)


@pytest.mark.parametrize(
    ("status", "header", "answer"),
    [
        (200, "", Answer(Outcome.SENT)),
        (202, "", Answer(Outcome.SENT)),
        (404, "", Answer(Outcome.GONE)),
        (410, "", Answer(Outcome.GONE)),
        (413, "", Answer(Outcome.REFUSED)),
        (400, "", Answer(Outcome.REFUSED)),
        (401, "", Answer(Outcome.KEY_REFUSED)),
        (403, "", Answer(Outcome.KEY_REFUSED)),
        (429, "17", Answer(Outcome.BUSY, retry_seconds=17)),
        (429, "soon", Answer(Outcome.BUSY)),
        (500, "", Answer(Outcome.FAILED)),
        (503, "9", Answer(Outcome.FAILED, retry_seconds=9)),
    ],
)
async def test_answer_of_a_service(
    service: PushService, pusher: Pusher, status: int, header: str, answer: Answer
) -> None:
    browser = service.browser("phone", status, **({"Retry_After": header} if header else {}))
    found = await send(pusher, stored(browser))
    assert replace(found, reason="") == answer
    assert len(found.reason) < 300


async def test_date_in_retry_after_is_read(service: PushService, pusher: Pusher) -> None:
    browser = service.browser("phone", 429, Retry_After="Fri, 01 Jan 2100 00:00:00 GMT")
    found = await send(pusher, stored(browser))
    assert found.retry_seconds is not None
    assert found.retry_seconds > 3600


async def test_redirect_is_not_followed(service: PushService, pusher: Pusher) -> None:
    for status in (301, 302, 307, 308):
        browser = service.browser("phone", status, Location=f"{service.base}/elsewhere")
        assert (await send(pusher, stored(browser))).outcome is Outcome.FAILED
    assert service.redirected == 0


async def test_silence_ends(service: PushService, pusher: Pusher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("push.guard.TIMEOUT_SECONDS", (5, 0.05))
    found = await send(pusher, stored(service.browser("phone", None)))
    assert found == Answer(Outcome.UNREACHED, "ReadTimeout")


async def test_only_allowed_hosts_are_contacted(service: PushService, matches: Matches) -> None:
    browser, keys = service.browser("phone"), await Keys(matches, ManualClock()).get()
    found = await send(Pusher(keys, CONTACT, (), service.authority), stored(browser))
    assert (found, browser.requests) == (Answer(Outcome.REFUSED, "host"), 0)


async def test_private_address_behind_a_known_name_is_not_contacted(service: PushService) -> None:
    browser = service.browser("phone")
    session = GuardedSession(is_guarded=True)
    session.verify = service.authority
    with pytest.raises(OSError, match=r"PrivateAddress|localhost"):
        await asyncio.to_thread(session.post, browser.endpoint, data=b"x")
    assert browser.requests == 0


@pytest.mark.parametrize(
    "host", ["localhost", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "192.168.1.1"]
)
def test_address_that_is_not_public_is_refused(host: str) -> None:
    with pytest.raises(PrivateAddress):
        find_public_address(host, 443)


def test_public_address_is_found() -> None:
    assert find_public_address("8.8.8.8", 443) == "8.8.8.8"


def test_unencrypted_request_is_impossible() -> None:
    with pytest.raises(OSError, match="No connection adapters"):
        GuardedSession(is_guarded=False).post(f"http://{HOST}/")


async def test_keys_that_are_no_point_end_the_subscription(service: PushService, pusher: Pusher) -> None:
    browser = service.browser("phone")
    broken = replace(stored(browser), p256dh=encode(b"\4" + bytes(64)))
    assert (await send(pusher, broken), browser.requests) == (Answer(Outcome.GONE, "keys"), 0)


async def test_nothing_secret_is_logged(
    service: PushService, pusher: Pusher, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    browser = service.browser("secret", 500)
    found = await send(pusher, stored(browser))
    assert "secret" not in caplog.text + found.reason + repr(stored(browser)) + repr(pusher)


def test_long_text_is_cut_to_what_services_take() -> None:
    for body in ("é" * 5000, '"\\' * 5000, "x" * 2999, ""):
        payload = replace(MESSAGE, title="long " * 100, body=body).encode()
        assert len(payload) <= MAX_PAYLOAD_BYTES


@pytest.mark.parametrize(
    ("left", "lifetime"),
    [
        (timedelta(hours=1), timedelta(hours=1)),
        (timedelta(seconds=1), MIN_LIFETIME),
        (timedelta(days=90), MAX_LIFETIME),
    ],
)
def test_push_waits_as_long_as_it_is_worth_it(left: timedelta, lifetime: timedelta) -> None:
    assert replace(MESSAGE, expires_at=NOON + left).lifetime(NOON) == lifetime
