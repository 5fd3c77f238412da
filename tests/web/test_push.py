"""Notifications on devices: what the website stores, for whom, and what it answers without a script."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

import pytest

from matches import Matches, NoticeKind, Way
from push.keys import KEY_NAME, Keys
from tests.web.environment import ALICE, BOB, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database, Person
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

FORM = {
    "endpoint": "https://web.push.apple.com/abc",
    "p256dh": urlsafe_b64encode(b"\4" + bytes(64)).decode(),
    "auth": urlsafe_b64encode(bytes(16)).decode(),
}


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, **SIGN_IN_SETTINGS) as started:
        yield started


async def sign_in(env: WebEnvironment, visitor: Visitor, person: Person) -> None:
    visitor.session.cookie_jar.update_cookies({"session": await env.start_seat_session(person)})


async def add(visitor: Visitor, **changed: str) -> PageResponse:
    return await visitor.post("/account/push", data={**FORM, **changed})


async def endpoints(env: WebEnvironment, person: Person) -> list[str]:
    found = await env.matches.people.push.list_for(person.account, now=env.clock())
    return [one.endpoint for one in found]


async def test_browser_is_added_listed_and_removed(env: WebEnvironment, visitor: Visitor) -> None:
    await sign_in(env, visitor, ALICE)
    assert (await add(visitor)).status == 204
    assert await endpoints(env, ALICE) == [FORM["endpoint"]]
    page = (await visitor.get("/account/notices")).visible_text
    assert 'Firefox on Linux</strong> <span class="hint">· This device' in page
    (number,) = re.findall(r'name="browser" value="(\d+)"', page)
    answer = await visitor.post("/account/push/remove", data={"browser": number})
    assert (answer.status, answer.url) == (200, "/account/notices")
    assert await endpoints(env, ALICE) == []


async def test_device_gets_every_notice_unless_its_owner_has_chosen_some(
    env: WebEnvironment, visitor: Visitor
) -> None:
    notices = env.matches.people.notices
    await sign_in(env, visitor, ALICE)
    for chosen in (None, {NoticeKind.TURN}):
        if chosen:
            for kind in set(NoticeKind) - chosen - {NoticeKind.DIGEST}:
                await notices.change(ALICE, kind, (), now=env.clock())
        await add(visitor)
        ways = (await notices.choices(ALICE.account)).ways
        pushed = {kind for kind in NoticeKind if Way.PUSH in ways[kind]}
        assert pushed == (chosen or set(NoticeKind) - {NoticeKind.DIGEST})


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"endpoint": "https://10.0.0.1/"}, 409),
        ({"endpoint": "http://web.push.apple.com/abc"}, 409),
        ({"endpoint": "https://evil.example/"}, 409),
        ({"endpoint": ""}, 409),
        ({"auth": ""}, 409),
    ],
)
async def test_refusal_is_a_sentence(
    env: WebEnvironment, visitor: Visitor, changed: dict[str, str], status: int
) -> None:
    await sign_in(env, visitor, ALICE)
    answer = await add(visitor, **changed)
    assert answer.status == status
    assert "nothing was switched on" in json.loads(answer.text)["refusal"]
    assert await endpoints(env, ALICE) == []


async def test_nobody_changes_the_browsers_of_others(env: WebEnvironment, visitor: Visitor) -> None:
    assert (await add(visitor)).status == 403
    await sign_in(env, visitor, ALICE)
    await add(visitor)
    (browser,) = await env.matches.people.push.list_for(ALICE.account, now=env.clock())
    async with env.visitor() as other:
        remove: dict[str, Any] = {"data": {"browser": str(browser.id)}}
        assert (await other.post("/account/push/remove", **remove)).status == 403
        await sign_in(env, other, BOB)
        await other.post("/account/push/remove", **remove)
        assert FORM["endpoint"] not in (await other.get("/account/notices")).text
    other_site = {"Sec-Fetch-Site": "cross-site"}
    assert (await visitor.post("/account/push/remove", headers=other_site, **remove)).status == 403
    assert await endpoints(env, ALICE) == [FORM["endpoint"]]


async def test_signing_out_ends_notifications(env: WebEnvironment, visitor: Visitor) -> None:
    await sign_in(env, visitor, ALICE)
    await add(visitor)
    await visitor.post("/account/sign-out")
    assert await endpoints(env, ALICE) == []


async def test_key_is_the_same_everywhere_and_its_private_half_nowhere(
    env: WebEnvironment, visitor: Visitor
) -> None:
    await sign_in(env, visitor, ALICE)
    page, answer = await visitor.get("/account/notices"), await visitor.get("/account/push")
    pair = await Keys(Matches(env.database, games={}), env.clock).get()
    assert json.loads(answer.text) == {"key": pair.public}
    assert f'data-key="{pair.public}"' in page.text
    assert pair.private not in page.text + answer.text + repr(pair) + KEY_NAME


async def test_nothing_is_offered_without_a_contact(database: Database) -> None:
    settings = {name: value for name, value in SIGN_IN_SETTINGS.items() if name != "mail_from"}
    async with running_web(database, **settings) as env, env.visitor() as visitor:
        await sign_in(env, visitor, ALICE)
        assert 'id="push"' not in (await visitor.get("/account/notices")).text
        assert (await visitor.get("/account/push")).status == 404
        assert (await add(visitor)).status == 403
