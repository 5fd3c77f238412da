"""Malformed requests are answered with a sentence, change nothing, and leave no secret in the log."""

from __future__ import annotations

import logging
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.web.environment import ALICE, running_web
from tests.web.raw import FORM, raw_connection, send_raw

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

ACTIONS = (
    "play",
    "pick",
    "resign",
    "offer",
    "answer",
    "note",
    "conditional/add",
    "conditional/save",
    "conditional/remove",
)
BODIES = {
    "no boundary": (b"game=morelli", {"Content-Type": "multipart/form-data"}),
    "multipart": (
        b'--x\r\nContent-Disposition: form-data; name="game"\r\n\r\nmorelli\r\n--x--\r\n',
        {"Content-Type": "multipart/form-data; boundary=x"},
    ),
    "JSON": (b'{"game": "morelli"}', {"Content-Type": "application/json"}),
    "unknown charset": (b"game=morelli", {"Content-Type": f"{FORM}; charset=klingon"}),
    "charset that is no text": (b"game=morelli", {"Content-Type": f"{FORM}; charset=hex"}),
    "charset with surrogates": (b"game=\\ud800", {"Content-Type": f"{FORM}; charset=unicode_escape"}),
    "invalid UTF-8": (b"game=morelli&first=\xff\xfe", {"Content-Type": FORM}),
    "invalid escaped UTF-8": (b"game=morelli&first=%ff%fe", {"Content-Type": FORM}),
    "NUL": (b"game=morelli&first=A%00B", {"Content-Type": FORM}),
    "surrogate": (b"game=morelli&first=%ed%a0%80", {"Content-Type": FORM}),
    "too many fields": (b"&".join(b"a=1" for _ in range(2000)), {"Content-Type": FORM}),
    "compressed": (b"\x1f\x8b broken", {"Content-Type": FORM, "Content-Encoding": "gzip"}),
    "broken chunk": (b"zz\r\n", {"Content-Type": FORM, "Transfer-Encoding": "chunked", "Content-Length": ""}),
}


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, allow_local_games=True) as started:
        yield started


@pytest.mark.parametrize("kind", BODIES)
async def test_malformed_form_is_refused(
    env: WebEnvironment, visitor: Visitor, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    match = await env.start_match()
    await env.take_seat(visitor, match.id, ALICE)
    seat = f"/m/{match.id}/seat/1"
    cookie = "; ".join(f"{one.key}={one.value}" for one in visitor.session.cookie_jar)
    body, more = BODIES[kind]
    headers = {name: value for name, value in {"Cookie": cookie, **more}.items() if value}
    for path in ("/new", *(f"{seat}/{action}" for action in ACTIONS)):
        status, text = await send_raw(env.base, "POST", path, body, headers)
        assert status == 400, (path, text)
    assert await env.view(match.id) == match
    assert len(await env.list_active()) == 1
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


@pytest.mark.long
async def test_random_requests_never_fail(
    env: WebEnvironment, visitor: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    match = await env.start_match()
    await env.take_seat(visitor, match.id, ALICE)
    key = next(one.value for one in visitor.session.cookie_jar if one.key == "seat")
    seat, random = f"/m/{match.id}/seat/1", Random(7)
    pieces = ("%00", "%ff", "%ed%a0%80", "\u00e9", "%", "&", "=", ";", "+", "9" * 30, ".", "A1", "D1-D4", ",")

    def noise() -> str:
        return "".join(random.choice(pieces) for _ in range(random.randrange(1, 9)))

    paths = ("/", "/new", f"/m/{match.id}", seat, f"/m/{match.id}/board.svg", f"/m/{match.id}/record.txt")
    boards = ("/analysis/morabaraba", f"{seat}/analysis", f"{seat}/conditional")
    names = (
        "turn",
        "side",
        "theme",
        "part",
        "board",
        "answers",
        "text",
        "take",
        "ticked",
        "then",
        "takebacks",
        *("rules", "position", "moves", "at", "line", "match"),
    )
    for _ in range(150):
        path = random.choice((*paths, *boards, f"/sit/{noise()}", f"/m/{noise()}"))
        query = "&".join(f"{random.choice(names)}={noise()}" for _ in range(random.randrange(4)))
        headers = {
            "Cookie": f"seat={key}; look={noise()}; sits={noise()}; {noise()}",
            "Accept-Encoding": noise(),
            "If-None-Match": noise(),
            "Last-Event-ID": noise(),
            "X-Forwarded-For": noise(),
        }
        status, text = await send_raw(env.base, "GET", f"{path}?{query}", None, headers)
        assert status < 500, (path, query, text)
    for _ in range(100):
        path = random.choice(("/new", *(f"{seat}/{action}" for action in ACTIONS if action != "resign")))
        fields = ("game=morphos", "kind=end", "offer=1", "board=0", f"text={noise()}", f"size={noise()}")
        private = (f"opponent={noise()}", f"line={noise()}", f"moves={noise()}", f"position={noise()}")
        body = "&".join((*random.sample((*fields, *private), 4), f"first={noise()}", f"answers={noise()}"))
        headers = {"Cookie": f"seat={key}", "Content-Type": FORM}
        status, text = await send_raw(env.base, "POST", path, body.encode(), headers)
        assert status < 500, (path, body, text)
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


@pytest.mark.parametrize(
    "head",
    [
        "GET / HTTP/1.1\r\nCookie: seat=KEY\r\n bad\r\nHost\r\n\r\n",
        "GET / HTTP/1.1\r\nCookie seat=KEY\r\n\r\n",
        "GET / HTTP/1.1\r\nCookie: seat=KEY" + "x" * 20_000 + "\r\n\r\n",
        "GET / HTTP/1.1\r\nCookie: seat=KEY\x00\r\n\r\n",
        "GET /sit/KEY\x01 HTTP/1.1\r\n\r\n",
        "GET /sit/KEY" + "x" * 20_000 + " HTTP/1.1\r\n\r\n",
        "GET /sit/KEY HTTP/9\r\n\r\n",
        "POST /new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nKEY\r\n",
        # The website waits for the rest of this one.
        pytest.param(
            "POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nKEY\r\n",
            marks=pytest.mark.long,
        ),
    ],
)
async def test_malformed_request_is_not_logged(
    env: WebEnvironment, caplog: pytest.LogCaptureFixture, head: str
) -> None:
    caplog.set_level(logging.INFO)
    async with raw_connection(env.base) as connection:
        connection.send(head.replace("KEY", "0123456789").encode("latin-1"))
        answer = (await connection.read_all()).decode("latin-1")
    assert 400 <= int(answer.split(" ", 2)[1]) < 500
    assert caplog.records == []


@pytest.mark.parametrize("path", ["/@%00", "/report?about=@%00", "/matches?name=a%00", "/lobby?game=%00"])
async def test_nothing_is_at_an_address_with_a_character_that_no_text_can_have(
    visitor: Visitor, path: str
) -> None:
    # PostgreSQL refuses the character, which looked like a failure of the database.
    assert (await visitor.get(path)).status == 404
