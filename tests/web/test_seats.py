"""Keys to seats: from a link to a cookie; what is expired, changed, revoked or another's opens nothing."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from running import logs
from tests.web.stage import ALICE, BOB, CAROL, SECRET, table_over
from web.keys import Key, KeyRefused, Keyring, Purpose

if TYPE_CHECKING:
    from matches import Store
    from tests.web.stage import Stage, Visitor

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
KEY = Key(MatchId(7), (("test:alice", 3),), NOON + timedelta(minutes=5))


@pytest.mark.parametrize("purpose", Purpose)
def test_key_is_read_as_it_was_written(purpose: Purpose) -> None:
    ring = Keyring(SECRET)
    assert ring.read(ring.write(KEY, purpose), purpose, NOON) == KEY


def test_key_is_good_until_its_time_is_over() -> None:
    ring = Keyring(SECRET)
    text = ring.write(KEY, Purpose.LINK)
    assert ring.read(text, Purpose.LINK, KEY.until - timedelta(seconds=1)) == KEY
    with pytest.raises(KeyRefused):
        ring.read(text, Purpose.LINK, KEY.until)


def test_key_opens_nothing_but_what_it_is_for() -> None:
    ring = Keyring(SECRET)
    with pytest.raises(KeyRefused):
        ring.read(ring.write(KEY, Purpose.LINK), Purpose.COOKIE, NOON)


def test_key_of_another_secret_is_none() -> None:
    text = Keyring(SECRET + "!").write(KEY, Purpose.LINK)
    with pytest.raises(KeyRefused):
        Keyring(SECRET).read(text, Purpose.LINK, NOON)


def test_no_changed_key_is_one() -> None:
    ring = Keyring(SECRET)
    text = ring.write(KEY, Purpose.LINK)
    for at in range(len(text)):
        changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        try:
            found = ring.read(changed, Purpose.LINK, NOON)
        except KeyRefused:
            continue
        assert found == KEY, "the last sign of base64 has bits to spare, and no other"
        assert at == len(text) - 1


@pytest.mark.parametrize("text", ["", ".", "x", "a.b.c", "é", "W10.x", "A" * 10_000, "../..", "%00"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(KeyRefused):
        Keyring(SECRET).read(text, Purpose.LINK, NOON)


async def test_link_leads_to_the_seat_and_leaves_the_address(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    link = await stage.link(match.id, ALICE)
    answer = await visitor.get(link, allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, f"/m/{match.id}/seat/1")
    assert answer.headers["Cache-Control"] == "no-store"
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", f"Path=/m/{match.id}/seat/1"} <= set(re.split(r"; ?", cookie))
    page = await visitor.get(answer.headers["Location"])
    assert "Which stone do you move?" in page.words
    assert link.rpartition("/")[2] not in page.text


async def test_way_back_to_a_seat_is_shown_to_whoever_sits_there(stage: Stage, visitor: Visitor) -> None:
    match, other = await stage.begin(), await stage.begin()
    seat = await stage.sit(visitor, match.id, ALICE)
    way = f'href="{seat}">Back to your seat'
    assert way in (await visitor.get(f"/m/{match.id}")).text
    assert "Back to your seat" not in (await visitor.get(seat)).text
    assert "Back to your seat" not in (await visitor.get(f"/m/{other.id}")).text
    async with stage.visitor() as onlooker:
        assert "Back to your seat" not in (await onlooker.get(f"/m/{match.id}")).text
    await visitor.post(f"{seat}/lock")
    assert "Back to your seat" not in (await visitor.get(f"/m/{match.id}")).text


async def test_link_grows_old(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    link = await stage.link(match.id, ALICE)
    stage.clock.at += timedelta(minutes=16)
    answer = await visitor.get(link)
    assert answer.status == 403
    assert "no longer good" in answer.words
    assert (await visitor.get(f"/m/{match.id}/seat/1")).status == 403


async def test_seat_grows_old_much_later(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    seat = await stage.sit(visitor, match.id, ALICE)
    stage.clock.at += timedelta(days=29)
    assert (await visitor.get(seat)).status == 200
    stage.clock.at += timedelta(days=2)
    assert (await visitor.get(seat)).status == 403


async def test_changed_link_opens_nothing(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    link = await stage.link(match.id, ALICE)
    swapped = link[:-8] + link[-7:] + link[-8]
    answer = await visitor.get(swapped, allow_redirects=False)
    assert answer.status == 403
    assert "Set-Cookie" not in answer.headers


async def test_locking_shuts_out_links_and_browsers(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    link = await stage.link(match.id, ALICE)
    seat = await stage.sit(visitor, match.id, ALICE)
    async with stage.visitor() as phone:
        await stage.sit(phone, match.id, ALICE)
        answer = await phone.post(f"{seat}/lock")
        assert answer.url == f"/m/{match.id}"
    assert (await visitor.get(seat)).status == 403
    assert (await visitor.post(f"{seat}/resign")).status == 403
    assert (await visitor.get(link)).status == 403
    assert (await visitor.get(await stage.link(match.id, ALICE))).status == 200


async def test_locking_one_seat_leaves_the_other(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.sit(visitor, match.id, BOB)
    async with stage.visitor() as alice:
        seat = await stage.sit(alice, match.id, ALICE)
        await alice.post(f"{seat}/lock")
    assert (await visitor.get(f"/m/{match.id}/seat/2")).status == 200


async def test_each_seat_is_for_one_person_and_one_match(stage: Stage, visitor: Visitor) -> None:
    match, other = await stage.begin(), await stage.begin()
    await stage.sit(visitor, match.id, ALICE)
    for path in (f"/m/{match.id}/seat/2", f"/m/{other.id}/seat/1", f"/m/{match.id}/seat/both"):
        assert (await visitor.get(path)).status == 403


async def test_whoever_has_no_seat_is_led_to_where_one_can_watch(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    answer = await visitor.get(f"/m/{match.id}/seat/1")
    assert answer.status == 403
    assert f'href="/m/{match.id}"' in answer.text


async def test_cookie_carried_elsewhere_opens_nothing(stage: Stage, visitor: Visitor) -> None:
    match, other = await stage.begin(), await stage.begin()
    answer = await visitor.get(await stage.link(match.id, ALICE), allow_redirects=False)
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    async with stage.visitor() as thief:
        for path in (f"/m/{match.id}/seat/2", f"/m/{other.id}/seat/1", f"/m/{match.id}/seat/both"):
            assert (await thief.get(path, headers={"Cookie": cookie})).status == 403


async def test_key_made_out_for_an_onlooker_opens_nothing(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    until = stage.clock() + timedelta(minutes=5)
    for locks in (((CAROL.account, 0),), (), ((ALICE.account, 1),)):
        text = stage.house.keyring.write(Key(match.id, locks, until), Purpose.LINK)
        assert (await visitor.get(f"/sit/{text}")).status == 403


async def test_seat_keeps_its_place_when_the_people_change_sides(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin({"size": 5}, "morphos")
    seat = await stage.sit(visitor, match.id, ALICE)
    await stage.play(match.id, "C3", "swap")
    page = await visitor.get(seat)
    assert page.status == 200
    assert "Alice (White) is to move." in page.words


async def test_two_windows_of_one_browser_are_two_seats(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    one, other = await stage.sit(visitor, match.id, ALICE), await stage.sit(visitor, match.id, BOB)
    assert one != other
    assert "Which stone do you move?" in (await visitor.get(one)).words
    assert "It is the other side's turn." in (await visitor.get(other)).words


async def test_no_log_holds_a_key(store: Store) -> None:
    stream = io.StringIO()
    logs.set_up("DEBUG", stream=stream)
    async with table_over(store) as stage, stage.visitor() as visitor:
        match = await stage.begin()
        link = await stage.link(match.id, ALICE)
        await visitor.get(link)
        await visitor.get(link[:-1])
        await visitor.get(f"/m/{match.id}/seat/1?text={'?' * 3}")
    text = stream.getvalue()
    assert "web.request" in text
    assert link.rpartition("/")[2][:40] not in text
