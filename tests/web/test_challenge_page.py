"""The page of a challenge: who sees it, what they can do, and where it leads."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update
from yarl import URL

from matches import WEBSITE, Audience, Person
from storage.tables import MATCHES, REPORTS
from tests.web.environment import ALICE, BOB, CAROL, CHANNEL, SERVER, SIGN_IN_SETTINGS, running_web
from tests.web.test_lobby import challenge, sign_in
from tests.web.test_my_games import PAGE, turn_count
from web.lobby.opened_links import MAX_LINKS, OpenedLinks
from web.mail_links import WebMailLinks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Challenge, Database
    from tests.web.environment import Visitor, WebEnvironment


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, **SIGN_IN_SETTINGS) as started:
        yield started


def link_of(env: WebEnvironment, made: Challenge) -> str:
    return f"/c/{made.id}/{env.context.token_signer.challenge_key(made.id)}"


@pytest.mark.parametrize(
    ("kind", "seen_by"),
    [
        ("anyone", {"outsider", "alice", "bob", "carol"}),
        ("bob", {"alice", "bob"}),
        ("link", {"alice"}),
    ],
)
async def test_only_who_may_see_it_sees_it(
    env: WebEnvironment, visitor: Visitor, kind: str, seen_by: set[str]
) -> None:
    more = {"anyone": {}, "bob": {"to": BOB, "note": "My note"}, "link": {"by_link": True, "note": "My note"}}
    made = await challenge(env, ALICE, **more[kind])
    for name, person in (("outsider", None), ("alice", ALICE), ("bob", BOB), ("carol", CAROL)):
        if person is not None:
            await sign_in(env, visitor, person)
        page = await visitor.get(f"/c/{made.id}")
        assert page.status == (200 if name in seen_by else 404)
        assert ("My note" in page.text) == (name in seen_by and kind != "anyone")
        missing = await visitor.get("/c/999")
        if page.status == 404:
            assert page.text.replace(f"%2Fc%2F{made.id}", "") == missing.text.replace("%2Fc%2F999", "")
        if person not in {ALICE, BOB}:
            assert (await visitor.post(f"/c/{made.id}/decline")).status in {403, 404, 409}


async def test_link_opens_a_challenge_and_accepts_it(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE, by_link=True, note="My note")
    link = link_of(env, made)
    assert "My note" in (await visitor.get(link)).text
    assert (await visitor.get(f"{link[:-1]}{'A' if link[-1] != 'A' else 'B'}")).status == 404
    key = link.rpartition("/")[2]
    out = await visitor.post(f"/c/{made.id}/accept", data={"key": key}, allow_redirects=False)
    assert out.headers["Location"] == f"/signin?next=%2Fc%2F{made.id}%2F{key}"
    await sign_in(env, visitor, BOB)
    assert (await visitor.post(f"/c/{made.id}/accept")).status == 404
    board = await visitor.post(f"/c/{made.id}/accept", data={"key": key})
    assert re.fullmatch(r"/m/\d+/seat/[12]", board.url)
    assert "This challenge was accepted." in (await visitor.get(link)).visible_text


async def test_note_of_a_challenge_by_link_is_reported(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE, by_link=True, note="My note")
    await sign_in(env, visitor, BOB)
    found = re.search(r'href="(/report[^"]*)"', (await visitor.get(link_of(env, made))).text)
    assert found is not None
    path = found[1].replace("&amp;", "&")
    assert "My note" in (await visitor.get(path)).text
    data = {"challenge": made.id, "text": "They insult me."}
    for key in ("", "A" * 22):
        assert (await visitor.post("/report", data={**data, "key": key})).status == 404
    page = await visitor.post("/report", data={**data, "key": URL(path).query["key"]})
    assert page.url == "/report/sent"
    async with env.database.read() as connection:
        assert list(await connection.scalars(select(REPORTS.c.note))) == ["My note"]


@pytest.mark.parametrize("kind", ["accepted", "blocking", "others"])
async def test_refusal_does_not_tell_a_name_that_an_alias_hides(
    env: WebEnvironment, visitor: Visitor, kind: str
) -> None:
    made = await challenge(env, ALICE)
    for person in (ALICE, BOB):
        await env.start_seat_session(person)
        await env.matches.visibility.set_alias(person, "", now=env.clock())
    if kind == "accepted":
        await env.matches.challenges.accept(made.id, BOB, now=env.clock())
    elif kind == "blocking":
        await env.matches.people.blocks.block(ALICE, CAROL, now=env.clock())
    await sign_in(env, visitor, CAROL)
    page = await visitor.post(f"/c/{made.id}/{'withdraw' if kind == 'others' else 'accept'}")
    assert page.status in {403, 409}
    assert not [name for name in ("Alice", "Bob") if name in page.text]


async def test_addressee_declines_and_blocks(env: WebEnvironment, visitor: Visitor) -> None:
    await sign_in(env, visitor, BOB)
    first = await challenge(env, ALICE, to=BOB, note="My note")
    page = await visitor.get(f"/c/{first.id}")
    assert f'href="/report?challenge={first.id}"' in page.text
    assert "This challenge was declined." in (await visitor.post(f"/c/{first.id}/decline")).visible_text
    second = await challenge(env, CAROL, to=BOB)
    await visitor.post(f"/c/{second.id}/decline", data={"block": "1"})
    assert await env.matches.people.blocks.list_blocked(BOB, now=env.clock()) == (CAROL,)
    again = await visitor.post(f"/c/{second.id}/accept")
    assert again.status == 409
    assert "This challenge was declined. Look for another one in the lobby." in again.visible_text


@pytest.mark.long
async def test_challenger_waits_and_goes_to_the_board(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE, by_link=True)
    await sign_in(env, visitor, ALICE)
    page = await visitor.get(f"/c/{made.id}")
    poll = f"/c/{made.id}/state"
    assert f'data-poll="{poll}"' in page.text
    assert json.loads((await visitor.get(poll)).text) == {"state": "open", "board": "", "opened": ""}
    async with env.visitor() as ben:
        assert (await ben.get(link_of(env, made))).status == 200
        assert json.loads((await visitor.get(poll)).text)["opened"] == ""  # as previews of messengers do
        person = Person("test:ben", "Ben")
        await sign_in(env, ben, person)
        for alias, shown in ((None, "Ben"), ("Kestrel", "Kestrel"), ("", "Anonymous")):
            await env.matches.visibility.set_alias(person, alias, now=env.clock())
            await ben.get(link_of(env, made))
            assert (await ben.get(poll)).status == 404
            opened = json.loads((await visitor.get(poll)).text)["opened"]
            assert opened == f"{shown} has opened the link."
        board = await ben.post(f"/c/{made.id}/accept", data={"key": link_of(env, made).rpartition("/")[2]})
    state = json.loads((await visitor.get(poll)).text)
    assert state["board"] != board.url
    assert (await visitor.get(state["board"])).status == 200


async def test_accepted_challenge_is_as_private_as_its_match_becomes(
    env: WebEnvironment, visitor: Visitor
) -> None:
    made = await challenge(env, ALICE, server=SERVER, channel=CHANNEL, audience=Audience.NAMES)
    match = (await env.matches.challenges.accept(made.id, BOB, now=env.clock())).match.id
    await sign_in(env, visitor, CAROL)
    seen = []
    for audience in (Audience.NAMES, Audience.MEMBERS):  # the server chooses another one
        async with env.database.transaction() as connection:
            await connection.execute(update(MATCHES).values(audience=audience))
        paths = (f"/c/{made.id}", f"/m/{match}", f"/report?challenge={made.id}")
        seen.append([(await visitor.get(path)).status for path in paths])
    assert seen == [[200] * 3, [404] * 3]


async def test_closed_challenge_says_what_became_of_it(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE)
    await sign_in(env, visitor, ALICE)
    env.clock.advance(days=8)
    assert "This challenge expired" in (await visitor.get(f"/c/{made.id}")).visible_text
    assert (await visitor.post(f"/c/{made.id}/withdraw")).status == 409


async def test_my_games_has_challenges_and_counts_those_to_oneself(
    env: WebEnvironment, visitor: Visitor
) -> None:
    incoming = await challenge(env, ALICE, to=BOB)
    outgoing = await challenge(env, BOB, by_link=True)
    await sign_in(env, visitor, BOB)
    page = await visitor.get("/my-games", headers=PAGE)
    parts = re.findall(r'<section aria-labelledby="(\w+)">(.*?)</section>', page.text, re.DOTALL)
    shown = {name: set(re.findall(r'href="/c/(\d+)"', part)) for name, part in parts}
    assert shown == {"incoming": {str(incoming.id)}, "outgoing": {str(outgoing.id)}}
    assert turn_count(page) == 1
    await visitor.post(f"/c/{incoming.id}/decline")
    assert turn_count(await visitor.get("/my-games", headers=PAGE)) == 0


async def test_rematch_is_a_challenge_that_the_opponent_accepts(
    env: WebEnvironment, visitor: Visitor
) -> None:
    made = await challenge(env, ALICE)
    update = await env.matches.challenges.accept(made.id, BOB, now=env.clock())
    await env.matches.resign(update.match.id, ALICE, now=env.clock())
    async with env.visitor() as other:
        paths = []
        for one, person in ((visitor, ALICE), (other, BOB)):
            await sign_in(env, one, person)
            paths.append((await one.get("/my-games")).text)
        seats = [re.search(rf'href="(/m/{update.match.id}/seat/[12])"', text) for text in paths]
        assert seats[0] is not None
        assert seats[1] is not None
        offered = await visitor.post(f"{seats[0][1]}/rematch")
        assert re.fullmatch(r"/c/\d+", offered.url)
        assert (
            "You have already offered a rematch"
            in (await visitor.post(f"{seats[0][1]}/rematch")).visible_text
        )
        started = await other.post(f"{seats[1][1]}/rematch")
        assert re.fullmatch(r"/m/\d+/seat/[12]", started.url)
    (match,) = await env.list_active()
    assert match.server == WEBSITE
    before = {seat.person.account: seat.side for seat in update.match.seats}
    assert all(before[seat.person.account] is not seat.side for seat in match.seats)


def test_opened_links_are_forgotten() -> None:
    opened = OpenedLinks()
    for number in range(MAX_LINKS + 1):
        opened.add(number, f"P{number}")
    assert (opened.name_of(0), opened.name_of(1)) == ("", "P1")


async def test_link_in_mails_opens_a_challenge_by_link(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE, by_link=True)
    url = WebMailLinks(env.context).challenge_url(made.id)
    assert url == f"{env.base}{link_of(env, made)}"
    assert (await visitor.get(url)).status == 200
