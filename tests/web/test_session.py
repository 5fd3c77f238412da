"""Keys to seats: from a link to a cookie; what is expired, changed, revoked or another's opens nothing."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from runtime import logs
from tests.web.environment import ALICE, BOB, CAROL, SECRET, running_web
from web.tokens import InvalidToken, SeatToken, TokenPurpose, TokenSigner

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TOKEN = SeatToken(MatchId(7), (("test:alice", 3),), NOON + timedelta(minutes=5))


@pytest.mark.parametrize("purpose", TokenPurpose)
def test_key_is_read_as_it_was_written(purpose: TokenPurpose) -> None:
    ring = TokenSigner(SECRET)
    assert ring.verify(ring.sign(TOKEN, purpose), purpose, NOON) == TOKEN


def test_key_is_good_until_its_time_is_over() -> None:
    ring = TokenSigner(SECRET)
    text = ring.sign(TOKEN, TokenPurpose.LINK)
    assert ring.verify(text, TokenPurpose.LINK, TOKEN.expires_at - timedelta(seconds=1)) == TOKEN
    with pytest.raises(InvalidToken):
        ring.verify(text, TokenPurpose.LINK, TOKEN.expires_at)


def test_key_opens_nothing_but_what_it_is_for() -> None:
    ring = TokenSigner(SECRET)
    with pytest.raises(InvalidToken):
        ring.verify(ring.sign(TOKEN, TokenPurpose.LINK), TokenPurpose.COOKIE, NOON)


def test_key_of_another_secret_is_none() -> None:
    text = TokenSigner(SECRET + "!").sign(TOKEN, TokenPurpose.LINK)
    with pytest.raises(InvalidToken):
        TokenSigner(SECRET).verify(text, TokenPurpose.LINK, NOON)


def test_no_changed_key_is_one() -> None:
    ring = TokenSigner(SECRET)
    text = ring.sign(TOKEN, TokenPurpose.LINK)
    for at in range(len(text)):
        changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        try:
            found = ring.verify(changed, TokenPurpose.LINK, NOON)
        except InvalidToken:
            continue
        assert found == TOKEN, "the last sign of base64 has bits to spare, and no other"
        assert at == len(text) - 1


@pytest.mark.parametrize("text", ["", ".", "x", "a.b.c", "é", "W10.x", "A" * 10_000, "../..", "%00"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidToken):
        TokenSigner(SECRET).verify(text, TokenPurpose.LINK, NOON)


async def test_link_leads_to_the_seat_and_leaves_the_address(env: WebEnvironment, visitor: Visitor) -> None:
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


async def test_way_back_to_a_seat_is_shown_to_whoever_sits_there(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match, other = await env.start_match(), await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    way = f'href="{seat}">Back to your board'
    assert way in (await visitor.get(f"/m/{match.id}")).text
    assert "Back to your board" not in (await visitor.get(seat)).text
    assert "Back to your board" not in (await visitor.get(f"/m/{other.id}")).text
    async with env.visitor() as onlooker:
        assert "Back to your board" not in (await onlooker.get(f"/m/{match.id}")).text
    await visitor.post(f"{seat}/lock")
    assert "Back to your board" not in (await visitor.get(f"/m/{match.id}")).text


async def test_link_grows_old(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    link = await env.seat_link(match.id, ALICE)
    env.clock.time += timedelta(minutes=16)
    answer = await visitor.get(link)
    assert answer.status == 403
    assert "no longer works" in answer.visible_text
    assert (await visitor.get(f"/m/{match.id}/seat/1")).status == 403


async def test_seat_grows_old_much_later(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    env.clock.time += timedelta(days=29)
    assert (await visitor.get(seat)).status == 200
    env.clock.time += timedelta(days=2)
    assert (await visitor.get(seat)).status == 403


async def test_changed_link_opens_nothing(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    link = await env.seat_link(match.id, ALICE)
    swapped = link[:-8] + link[-7:] + link[-8]
    answer = await visitor.get(swapped, allow_redirects=False)
    assert answer.status == 403
    assert "Set-Cookie" not in answer.headers


async def test_rotating_the_key_shuts_out_links_and_browsers(env: WebEnvironment, visitor: Visitor) -> None:
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


async def test_rotating_one_key_leaves_the_other(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.take_seat(visitor, match.id, BOB)
    async with env.visitor() as alice:
        seat = await env.take_seat(alice, match.id, ALICE)
        await alice.post(f"{seat}/lock")
    assert (await visitor.get(f"/m/{match.id}/seat/2")).status == 200


async def test_each_seat_is_for_one_person_and_one_match(env: WebEnvironment, visitor: Visitor) -> None:
    match, other = await env.start_match(), await env.start_match()
    await env.take_seat(visitor, match.id, ALICE)
    for path in (f"/m/{match.id}/seat/2", f"/m/{other.id}/seat/1", f"/m/{match.id}/seat/both"):
        assert (await visitor.get(path)).status == 403


async def test_whoever_has_no_seat_is_led_to_where_one_can_watch(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    answer = await visitor.get(f"/m/{match.id}/seat/1")
    assert answer.status == 403
    assert f'href="/m/{match.id}"' in answer.text


async def test_cookie_carried_elsewhere_opens_nothing(env: WebEnvironment, visitor: Visitor) -> None:
    match, other = await env.start_match(), await env.start_match()
    answer = await visitor.get(await env.seat_link(match.id, ALICE), allow_redirects=False)
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    async with env.visitor() as thief:
        for path in (f"/m/{match.id}/seat/2", f"/m/{other.id}/seat/1", f"/m/{match.id}/seat/both"):
            assert (await thief.get(path, headers={"Cookie": cookie})).status == 403


async def test_key_made_out_for_an_onlooker_opens_nothing(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    until = env.clock() + timedelta(minutes=5)
    for locks in (((CAROL.account, 0),), (), ((ALICE.account, 1),)):
        text = env.context.token_signer.sign(SeatToken(match.id, locks, until), TokenPurpose.LINK)
        assert (await visitor.get(f"/sit/{text}")).status == 403


async def test_seat_keeps_its_place_when_the_people_change_sides(
    env: WebEnvironment, visitor: Visitor
) -> None:
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


async def test_no_log_holds_a_key(database: Database) -> None:
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
