"""Checks of every request (origin, host, limits), and the headers of every response."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.environment import ALICE, FISTS, running_web
from tests.web.raw import raw_connection
from web.server.limits import RequestLimiter

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

CROSS_SITE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
    {},
]
ACTIONS = {
    "play": {"board": "0", "answers": "D1.D4"},
    "pick": {"pick": "LR"},
    "resign": {},
    "abort": {},
    "offer": {"board": "0", "kind": "end"},
    "answer": {"offer": "1", "answer": "accept"},
    "lock": {},
}


@pytest.mark.parametrize("action", ACTIONS)
async def test_other_site_changes_nothing(env: WebEnvironment, visitor: Visitor, action: str) -> None:
    match = await env.start_match(FISTS if action == "pick" else None)
    seat = await env.take_seat(visitor, match.id, ALICE)
    for headers in CROSS_SITE:
        answer = await visitor.post(f"{seat}/{action}", headers=headers, data=ACTIONS[action])
        assert answer.status == 403, headers
        assert "not sent from a page of this website" in answer.visible_text
        assert await env.view(match.id) == match
        assert (await visitor.get(seat)).status == 200


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "own"}], ids=str)
async def test_own_page_may_change_things(
    env: WebEnvironment, visitor: Visitor, headers: dict[str, str]
) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    own = {name: env.base if value == "own" else value for name, value in headers.items()}
    answer = await visitor.post(f"{seat}/play", headers=own, data=ACTIONS["play"])
    assert answer.status == 200
    assert (await env.view(match.id)).ply == 1


async def test_new_game_form_of_another_site_is_refused(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        for headers in CROSS_SITE:
            answer = await visitor.post("/new", headers=headers, data={"game": "morelli"})
            assert answer.status == 403
        assert await env.list_active() == []


async def test_every_response_has_security_headers(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    assert match.id == 1
    for path in ("/", "/m/1", "/m/1/board.png", "/m/1/events", "/nothing", "/sit/x", "/m/1/seat/1"):
        async with visitor.session.get(f"{env.base}{path}") as answer:
            headers = answer.headers
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == ("no-referrer" if path == "/sit/x" else "same-origin")
        assert headers["X-Frame-Options"] == "DENY"
        assert "aiohttp" not in headers["Server"]


async def test_pages_obey_the_content_security_policy(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    seat = await env.take_seat(visitor, match.id, ALICE)
    for path in ("/", f"/m/{match.id}", seat, f"{seat}?answers=F1&board=2", "/m/999"):
        text = (await visitor.get(path)).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)
        assert not re.search(r"<style|\sstyle=|\son\w+=", text)
        links = re.findall(r'(?:src|href)="([^"]+)"', text)
        assert links
        assert all(link.startswith(("/", "?", "#", env.base)) for link in links)


async def test_unknown_host_is_refused(visitor: Visitor) -> None:
    foreign = {"Host": "evil.example"}
    answer = await visitor.get("/", headers=foreign)
    assert answer.status == 421
    assert f"This website is at {visitor.base}. Open that address." in answer.visible_text
    # The page looks like the others: its style sheet is no secret.
    (style,) = re.findall(r'<link rel="stylesheet" href="([^"]+)"', answer.text)
    assert (await visitor.get(style, headers=foreign)).status == 200


async def test_body_is_bounded(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    answer = await visitor.post(f"{seat}/play", data={"board": "0", "text": "x" * 100_000})
    assert answer.status == 413
    assert (await env.view(match.id)).ply == 0


async def test_requests_are_bounded_for_each_client(database: Database) -> None:
    async with (
        running_web(database, request_limiter=RequestLimiter(rate=0.001, burst=5)) as env,
        env.visitor("127.0.0.1") as one,
        env.visitor("127.0.0.2") as other,
    ):
        answers = [await one.get("/") for _ in range(7)]
        assert [answer.status for answer in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["Retry-After"]) > 0
        assert (await other.get("/")).status == 200


async def test_clients_behind_a_trusted_proxy_are_counted_separately(database: Database) -> None:
    limits = RequestLimiter(rate=0.001, burst=2)
    async with (
        running_web(database, request_limiter=limits, web_proxies="127.0.0.0/8") as env,
        env.visitor() as visitor,
    ):
        for client in ("192.0.2.1", "192.0.2.2"):
            headers = {"X-Forwarded-For": f"10.9.9.9, {client}"}
            statuses = [(await visitor.get("/", headers=headers)).status for _ in range(3)]
            assert statuses == [200, 200, 429]


async def test_forged_forwarded_headers_do_not_evade_the_limit(database: Database) -> None:
    async with running_web(
        database, request_limiter=RequestLimiter(rate=0.001, burst=2), web_proxies="127.0.0.0/8"
    ) as env:
        statuses = []
        for number in range(4):
            async with raw_connection(env.base) as connection:
                connection.send(
                    f"GET / HTTP/1.1\r\nHost: {connection.host}\r\n"
                    f"X-Forwarded-For: 198.51.100.{number}\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n".encode()
                )
                statuses.append((await connection.read_head())[0])
        assert statuses == [200, 200, 429, 429]


async def test_forwarded_header_is_ignored_without_a_trusted_proxy(database: Database) -> None:
    async with (
        running_web(database, request_limiter=RequestLimiter(rate=0.001, burst=2)) as env,
        env.visitor() as visitor,
    ):
        statuses = [
            (await visitor.get("/", headers={"X-Forwarded-For": f"192.0.2.{n}"})).status for n in range(3)
        ]
        assert statuses == [200, 200, 429]


async def test_links_use_the_public_url(database: Database) -> None:
    async with running_web(database, public_url="https://play.example") as env, env.visitor() as visitor:
        match = await env.start_match()
        page = await visitor.get(f"/m/{match.id}", headers={"Host": "play.example"})
        assert 'content="https://play.example/m/1"' in page.text
        assert (await env.seat_link(match.id, ALICE)).startswith("https://play.example/sit/")


async def test_cookies_of_an_https_website_are_secure(database: Database) -> None:
    async with running_web(database, public_url="https://play.example") as env, env.visitor() as visitor:
        match = await env.start_match()
        path = (await env.seat_link(match.id, ALICE)).removeprefix("https://play.example")
        answer = await visitor.get(path, headers={"Host": "play.example"}, allow_redirects=False)
        assert answer.status == 303
        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("__Secure-seat=")
        assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(re.split(r"; ?", cookie))


@pytest.mark.parametrize(
    ("url", "is_strict"), [("https://play.example", True), ("http://play.example", False)]
)
async def test_browsers_are_told_to_use_https_where_there_is_https(
    database: Database, url: str, *, is_strict: bool
) -> None:
    async with running_web(database, public_url=url) as env, env.visitor() as visitor:
        answer = await visitor.get("/terms", headers={"Host": "play.example"})
        assert ("Strict-Transport-Security" in answer.headers) == is_strict


async def test_storage_failure_shows_an_error_page(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    async with env.database.transaction() as connection:
        await connection.exec_driver_sql("ALTER TABLE moves RENAME TO elsewhere")
    answer = await visitor.post(f"{seat}/play", data={"board": "0", "answers": "D1.D4"})
    assert answer.status in {500, 503}
    assert 'class="error"' in answer.text
