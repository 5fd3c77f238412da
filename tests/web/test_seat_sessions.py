"""Seat tokens and sessions: expired, changed, revoked or foreign tokens give no access."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from runtime import logs
from runtime.steady_clock import SteadyClock, read_wall_clock
from tests.web.environment import ALICE, BOB, CAROL, SECRET, running_web
from web import app
from web.context import CONTEXT
from web.play.tokens import InvalidToken, SeatToken, TokenPurpose, TokenSigner
from web.settings import WebSettings

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TOKEN = SeatToken(MatchId(7), (("test:alice", 3),), NOON + timedelta(minutes=5))


async def test_leap_of_the_machines_clock_ends_no_session(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = timedelta(0)
    monkeypatch.setattr(app, "SteadyClock", lambda: SteadyClock(lambda: read_wall_clock() + error))
    context = app.build(database, WebSettings(), SECRET)[CONTEXT]
    token = SeatToken(MatchId(7), (), (context.now() + timedelta(days=1)).replace(microsecond=0))
    error = timedelta(days=3653)
    signed = context.token_signer.sign(token, TokenPurpose.COOKIE)
    assert context.token_signer.verify(signed, TokenPurpose.COOKIE, context.now()) == token


@pytest.mark.parametrize("purpose", TokenPurpose)
def test_signed_token_is_verified(purpose: TokenPurpose) -> None:
    signer = TokenSigner(SECRET)
    assert signer.verify(signer.sign(TOKEN, purpose), purpose, NOON) == TOKEN


def test_token_is_valid_until_it_expires() -> None:
    signer = TokenSigner(SECRET)
    text = signer.sign(TOKEN, TokenPurpose.LINK)
    assert signer.verify(text, TokenPurpose.LINK, TOKEN.expires_at - timedelta(seconds=1)) == TOKEN
    with pytest.raises(InvalidToken):
        signer.verify(text, TokenPurpose.LINK, TOKEN.expires_at)


def test_token_is_invalid_for_another_purpose() -> None:
    signer = TokenSigner(SECRET)
    with pytest.raises(InvalidToken):
        signer.verify(signer.sign(TOKEN, TokenPurpose.LINK), TokenPurpose.COOKIE, NOON)


def test_token_signed_with_another_secret_is_invalid() -> None:
    text = TokenSigner(SECRET + "!").sign(TOKEN, TokenPurpose.LINK)
    with pytest.raises(InvalidToken):
        TokenSigner(SECRET).verify(text, TokenPurpose.LINK, NOON)


def test_changed_token_is_invalid() -> None:
    signer = TokenSigner(SECRET)
    text = signer.sign(TOKEN, TokenPurpose.LINK)
    for at in range(len(text)):
        changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        try:
            found = signer.verify(changed, TokenPurpose.LINK, NOON)
        except InvalidToken:
            continue
        assert found == TOKEN, "only the last base64 character has unused bits"
        assert at == len(text) - 1


@pytest.mark.parametrize("text", ["", ".", "x", "a.b.c", "é", "W10.x", "A" * 10_000, "../..", "%00"])
def test_malformed_token_is_invalid(text: str) -> None:
    with pytest.raises(InvalidToken):
        TokenSigner(SECRET).verify(text, TokenPurpose.LINK, NOON)


async def test_link_redirects_to_the_seat_without_the_token(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    link = await env.seat_link(match.id, ALICE)
    answer = await visitor.get(link, allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, f"/m/{match.id}/seat/1")
    assert answer.headers["Cache-Control"] == "no-store"
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", f"Path=/m/{match.id}/seat/1"} <= set(re.split(r"; ?", cookie))
    page = await visitor.get(answer.headers["Location"])
    assert "Which stone do you move?" in page.visible_text
    assert link.rpartition("/")[2] not in page.text


async def test_public_page_links_back_to_the_own_seat(env: WebEnvironment, visitor: Visitor) -> None:
    match, other = await env.start_match(), await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    link = f'href="{seat}">Back to your board'
    assert link in (await visitor.get(f"/m/{match.id}")).text
    assert "Back to your board" not in (await visitor.get(seat)).text
    assert "Back to your board" not in (await visitor.get(f"/m/{other.id}")).text
    async with env.visitor() as spectator:
        assert "Back to your board" not in (await spectator.get(f"/m/{match.id}")).text
    await visitor.post(f"{seat}/lock")
    assert "Back to your board" not in (await visitor.get(f"/m/{match.id}")).text


async def test_link_expires(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    link = await env.seat_link(match.id, ALICE)
    env.clock.time += timedelta(minutes=16)
    answer = await visitor.get(link)
    assert answer.status == 403
    assert "has expired or was disabled" in answer.visible_text
    assert (await visitor.get(f"/m/{match.id}/seat/1")).status == 403


async def test_session_expires_much_later(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    for days, status in ((29, 200), (29, 200), (31, 403)):  # each visit renews it
        env.clock.time += timedelta(days=days)
        assert (await visitor.get(seat)).status == status


async def test_changed_link_is_refused(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    link = await env.seat_link(match.id, ALICE)
    swapped = link[:-8] + link[-7:] + link[-8]
    answer = await visitor.get(swapped, allow_redirects=False)
    assert answer.status == 403
    assert "Set-Cookie" not in answer.headers


async def test_rotating_the_key_invalidates_links_and_sessions(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    link = await env.seat_link(match.id, ALICE)
    seat = await env.take_seat(visitor, match.id, ALICE)
    async with env.visitor() as phone:
        await env.take_seat(phone, match.id, ALICE)
        answer = await phone.post(f"{seat}/lock")
        assert answer.url == f"/m/{match.id}"
    assert (await visitor.get(seat)).status == 403
    assert (await visitor.post(f"{seat}/resign")).status == 403
    assert (await visitor.get(link)).status == 403
    assert (await visitor.get(await env.seat_link(match.id, ALICE))).status == 200


async def test_rotating_one_key_keeps_the_other(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.take_seat(visitor, match.id, BOB)
    async with env.visitor() as alice:
        seat = await env.take_seat(alice, match.id, ALICE)
        await alice.post(f"{seat}/lock")
    assert (await visitor.get(f"/m/{match.id}/seat/2")).status == 200


async def test_session_is_for_one_seat_of_one_match(env: WebEnvironment, visitor: Visitor) -> None:
    match, other = await env.start_match(), await env.start_match()
    await env.take_seat(visitor, match.id, ALICE)
    for path in (f"/m/{match.id}/seat/2", f"/m/{other.id}/seat/1", f"/m/{match.id}/seat/both"):
        assert (await visitor.get(path)).status == 403


async def test_refused_visitor_is_linked_to_the_public_page(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    answer = await visitor.get(f"/m/{match.id}/seat/1")
    assert answer.status == 403
    assert f'href="/m/{match.id}"' in answer.text


async def test_cookie_gives_no_access_to_other_seats(env: WebEnvironment, visitor: Visitor) -> None:
    match, other = await env.start_match(), await env.start_match()
    answer = await visitor.get(await env.seat_link(match.id, ALICE), allow_redirects=False)
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    async with env.visitor() as thief:
        for path in (f"/m/{match.id}/seat/2", f"/m/{other.id}/seat/1", f"/m/{match.id}/seat/both"):
            assert (await thief.get(path, headers={"Cookie": cookie})).status == 403


async def test_token_without_a_valid_seat_gives_no_access(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    until = env.clock() + timedelta(minutes=5)
    for generations in (((CAROL.account, 0),), (), ((ALICE.account, 1),)):
        text = env.context.token_signer.sign(SeatToken(match.id, generations, until), TokenPurpose.LINK)
        assert (await visitor.get(f"/sit/{text}")).status == 403


async def test_seat_keeps_its_url_when_the_players_swap_sides(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({"size": 5}, "morphos")
    seat = await env.take_seat(visitor, match.id, ALICE)
    await env.play(match.id, "C3", "swap")
    page = await visitor.get(seat)
    assert page.status == 200
    assert "Alice (White) to play." in page.visible_text


async def test_two_windows_of_one_browser_are_two_seats(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    one, other = await env.take_seat(visitor, match.id, ALICE), await env.take_seat(visitor, match.id, BOB)
    assert one != other
    assert "Which stone do you move?" in (await visitor.get(one)).visible_text
    assert "It is your opponent's turn." in (await visitor.get(other)).visible_text


async def test_log_contains_no_tokens(database: Database) -> None:
    stream = io.StringIO()
    logs.configure("DEBUG", stream=stream)
    async with running_web(database) as env, env.visitor() as visitor:
        match = await env.start_match()
        link = await env.seat_link(match.id, ALICE)
        await visitor.get(link)
        await visitor.get(link[:-1])
        await visitor.get(f"/m/{match.id}/seat/1?text={'?' * 3}")
    text = stream.getvalue()
    assert "web.request" in text
    assert link.rpartition("/")[2][:40] not in text
