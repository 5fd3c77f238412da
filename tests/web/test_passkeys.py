"""Signing in with a passkey: the question and its browser, the page of the account, guests, the offer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update
from yarl import URL

from matches.people.passkeys import Site
from storage.tables import PEOPLE
from tests.authenticator import Authenticator
from tests.web.environment import ALICE, BOB, SIGN_IN_SETTINGS, running_web
from tests.web.test_mail_sign_in import join_website, make_guest, play_computer
from tests.web.test_my_games import PAGE
from tests.web.test_sign_in import header_name
from web.accounts.passkeys import find_site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database, Person
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

OFFER = "Next time you can sign in by fingerprint, face or PIN."
REFUSED = "This passkey was not accepted"


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, has_mail=True) as started:
        yield started


@pytest.fixture
def device(env: WebEnvironment) -> Authenticator:
    return make_device(env)


def make_device(env: WebEnvironment, *, host: str = "localhost", **values: Any) -> Authenticator:
    return Authenticator(host, f"http://{host}:{URL(env.base).port}", **values)


async def sign_in(env: WebEnvironment, visitor: Visitor, person: Person) -> None:
    visitor.session.cookie_jar.update_cookies({"session": await env.start_seat_session(person)})


async def ask(visitor: Visitor, path: str) -> dict[str, Any]:
    """Return the question for the form of a path."""
    answer = await visitor.post(f"{path}/options")
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
    question: dict[str, Any] = json.loads(answer.text)
    return question


async def add(visitor: Visitor, device: Authenticator) -> PageResponse:
    question = await ask(visitor, "/account/passkeys")
    return await visitor.post("/account/passkeys", data={"answer": device.make(question["challenge"])})


async def enter(visitor: Visitor, device: Authenticator, path: str = "/") -> PageResponse:
    """Sign in with a passkey."""
    question = await ask(visitor, "/signin/passkey")
    data = {"answer": device.use(question["challenge"]), "next": path}
    return await visitor.post("/signin/passkey", data=data)


@pytest.mark.parametrize(
    ("base", "is_public", "site"),
    [
        ("https://heron.example", True, Site("heron.example", "https://heron.example")),
        ("https://heron.example:8443", True, Site("heron.example", "https://heron.example:8443")),
        ("http://localhost:8080", True, Site("localhost", "http://localhost:8080")),
        ("http://heron.example", True, None),
        ("https://192.0.2.1", True, None),
        ("https://[2001:db8::1]:8443", True, None),
        ("http://127.0.0.1:8080", False, Site("localhost", "http://localhost:8080")),
        ("http://127.0.0.1:80", False, Site("localhost", "http://localhost")),
    ],
)
def test_passkeys_are_for_the_host_of_the_website(base: str, is_public: bool, site: Site | None) -> None:
    assert find_site(base, is_public=is_public) == site


async def test_passkey_is_added_used_and_removed(
    env: WebEnvironment, visitor: Visitor, device: Authenticator
) -> None:
    await sign_in(env, visitor, ALICE)
    page = await add(visitor, device)
    assert (page.url, "Not used yet" in page.text) == ("/account", True)
    async with env.visitor() as other:
        page = await enter(other, device, "/rules")
        assert (page.url, header_name(await other.get("/", headers=PAGE))) == ("/rules", "Alice")
        text = (await other.get("/account")).visible_text
        assert 'data-style="date">1 May 2026' in text.split("Last used ", 1)[1][:80]
        (passkey,) = await env.matches.people.passkeys.list_for(ALICE.account)
        page = await other.post("/account/passkeys/remove", data={"passkey": passkey.id})
        assert (page.url, 'name="passkey"' in page.text) == ("/account", False)
    page = await enter(visitor, device)
    assert (page.status, REFUSED in page.text) == (400, True)


async def test_question_says_what_the_browser_needs(
    env: WebEnvironment, visitor: Visitor, device: Authenticator
) -> None:
    await sign_in(env, visitor, ALICE)
    await add(visitor, device)
    question = await ask(visitor, "/account/passkeys")
    assert (question["rp"]["id"], question["user"]["name"]) == ("localhost", "Alice")
    assert ALICE.account not in json.dumps(question)
    assert [one["type"] for one in question["excludeCredentials"]] == ["public-key"]
    assert question["authenticatorSelection"]["residentKey"] == "required"
    asked = await ask(visitor, "/signin/passkey")
    assert (asked["rpId"], asked["userVerification"], "allowCredentials" in asked) == (
        "localhost",
        "preferred",
        False,
    )
    cookies = [one for one in visitor.session.cookie_jar if one.key == "passkey"]
    assert sorted(one["path"] for one in cookies) == ["/account", "/signin"]
    assert {(one["httponly"], one["samesite"], one["max-age"]) for one in cookies} == {(True, "Lax", "300")}


@pytest.mark.long
async def test_answer_counts_once_in_the_browser_that_asked_for_five_minutes(
    env: WebEnvironment, visitor: Visitor
) -> None:
    device = make_device(env, step=0)
    await sign_in(env, visitor, ALICE)
    await add(visitor, device)
    async with env.visitor() as browser, env.visitor() as other:
        foreign = await ask(other, "/signin/passkey")
        question = await ask(browser, "/signin/passkey")
        kept = {one.key: one.value for one in browser.session.cookie_jar}
        env.clock.advance(minutes=4)

        async def answer(challenge: str) -> tuple[int, str]:
            page = await browser.post("/signin/passkey", data={"answer": device.use(challenge)})
            return page.status, header_name(await browser.get("/", headers=PAGE))

        assert await answer(foreign["challenge"]) == (400, "")
        assert await answer(question["challenge"]) == (200, "Alice")
        await browser.post("/account/sign-out")
        browser.session.cookie_jar.update_cookies(kept)  # whoever has copied all of it
        assert await answer(question["challenge"]) == (400, "")
        late = await ask(browser, "/signin/passkey")
        env.clock.advance(minutes=5)
        assert await answer(late["challenge"]) == (400, "")


async def test_question_for_one_account_adds_nothing_to_another(
    env: WebEnvironment, visitor: Visitor, device: Authenticator
) -> None:
    await sign_in(env, visitor, ALICE)
    question = await ask(visitor, "/account/passkeys")
    await sign_in(env, visitor, BOB)
    page = await visitor.post("/account/passkeys", data={"answer": device.make(question["challenge"])})
    assert (page.status, REFUSED in page.text) == (400, True)
    for person in (ALICE, BOB):
        assert await env.matches.people.passkeys.list_for(person.account) == ()


async def test_pages_do_not_tell_why_a_passkey_was_refused(
    env: WebEnvironment, visitor: Visitor, device: Authenticator
) -> None:
    await sign_in(env, visitor, ALICE)
    await add(visitor, device)
    async with env.visitor() as other:
        foreign = make_device(env, host="evil.example", id=device.id, key=device.key)
        back = make_device(env, id=device.id, key=device.key, step=0)
        pages = [await enter(other, one) for one in (make_device(env), foreign, device, back, back)]
        assert pages.pop(2).status == 200
        back.uses = 1
        pages.append(await enter(other, back))
        await other.post("/account/sign-out")
        pages.append(await other.post("/signin/passkey", data={"answer": "{"}))
    assert {page.status for page in pages} == {400}
    assert {page.text.split('role="alert"')[1].split("</p>")[0] for page in pages[:1]} == {
        page.text.split('role="alert"')[1].split("</p>")[0] for page in pages
    }


@pytest.mark.long
async def test_guest_takes_the_games_along(
    env: WebEnvironment, visitor: Visitor, device: Authenticator
) -> None:
    await sign_in(env, visitor, ALICE)
    await add(visitor, device)
    async with env.visitor() as browser:
        guest = await make_guest(env, browser)
        match = await play_computer(env, guest)
        await enter(browser, device)
        assert (await env.view(match.id)).seat(ALICE.account) is not None
        assert f"/m/{match.id}/seat/" in (await browser.get("/my-games", headers=PAGE)).text


async def test_closed_account_stays_outside(
    env: WebEnvironment, visitor: Visitor, device: Authenticator
) -> None:
    await sign_in(env, visitor, ALICE)
    await add(visitor, device)
    async with env.database.transaction() as connection:
        await connection.execute(update(PEOPLE).values(closed_at=1))
    assert "The moderators have closed your account" in (await enter(visitor, device)).visible_text
    assert header_name(await visitor.get("/", headers=PAGE)) == ""


async def test_only_its_owner_changes_the_passkeys_of_an_account(
    env: WebEnvironment, visitor: Visitor, device: Authenticator
) -> None:
    await sign_in(env, visitor, ALICE)
    await add(visitor, device)
    (passkey,) = await env.matches.people.passkeys.list_for(ALICE.account)
    remove: dict[str, Any] = {"data": {"passkey": passkey.id}}
    async with env.visitor() as other:
        for path in ("/account/passkeys/options", "/account/passkeys", "/account/passkeys/remove"):
            assert (await other.post(path, **remove)).status == 403
        await make_guest(env, other)
        assert (await other.post("/account/passkeys/options")).status == 403
        await sign_in(env, other, BOB)
        await other.post("/account/passkeys/remove", **remove)
    other_site = {"Sec-Fetch-Site": "cross-site"}
    for path in (
        "/account/passkeys",
        "/account/passkeys/remove",
        "/signin/passkey",
        "/signin/passkey/options",
    ):
        assert (await visitor.post(path, headers=other_site, **remove)).status == 403
    assert await env.matches.people.passkeys.list_for(ALICE.account) == (passkey,)


async def test_client_has_a_few_answers_checked(env: WebEnvironment, visitor: Visitor) -> None:
    device = make_device(env)
    statuses = [(await enter(visitor, device)).status for _ in range(22)]
    assert (statuses[0], statuses[-1]) == (400, 429)


@pytest.mark.long
async def test_passkey_is_offered_once_to_whoever_has_none(
    env: WebEnvironment, device: Authenticator
) -> None:
    async with env.visitor() as browser:
        await join_website(browser, "Heron", "ann@heron.example")
        assert OFFER not in (await browser.get("/rules")).text  # not what a window shows
        page = await browser.get("/rules", headers=PAGE)
        assert f'data-passkeys="localhost" hidden>{OFFER} <a href="/account#passkeys">' in page.text
        assert OFFER not in (await browser.get("/rules", headers=PAGE)).text
        await add(browser, device)
        await browser.post("/account/sign-out")
        browser.session.cookie_jar.clear_domain("127.0.0.1")
        await enter(browser, device)
        assert OFFER not in (await browser.get("/rules", headers=PAGE)).text


async def test_nothing_is_offered_where_discord_is_the_only_way(database: Database) -> None:
    async with running_web(database, **SIGN_IN_SETTINGS) as env, env.visitor() as visitor:
        await sign_in(env, visitor, ALICE)
        assert 'id="passkeys"' not in (await visitor.get("/account")).text
        for path in ("/signin/passkey/options", "/signin/passkey", "/account/passkeys/options"):
            assert (await visitor.post(path)).status == 404
