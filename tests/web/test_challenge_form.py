"""The form for a challenge: whom it is for, what it says, what it refuses, and that it makes one."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from matches import Person, Reader, TimeControl, TimeoutRule
from matches.invitations import MAX_INVITATIONS
from matches.names import fold_name
from matches.platforms import MAIL
from storage.tables import IDENTITIES, LETTERS, PEOPLE
from tests.games import GAMES
from tests.web.environment import ALICE, BOB, CAROL, SIGN_IN_SETTINGS, running_web
from tests.web.test_lobby import sign_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Challenge, Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

TICKED = {"rated": "1", "takeback": "1", "vacation": "1"}
NUMBER = "0" * 32


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, **SIGN_IN_SETTINGS, has_mail=True) as started:
        yield started


@pytest.fixture
async def alice(env: WebEnvironment, visitor: Visitor) -> Visitor:
    return await sign_in(env, visitor, ALICE)


async def send(visitor: Visitor, **values: str) -> PageResponse:
    return await visitor.post("/challenge", data={"game": "morelli", "who": "anyone", **TICKED, **values})


async def made(env: WebEnvironment, by: Person = ALICE) -> list[Challenge]:
    """Return the open challenges of a person, the newest first."""
    own = await env.matches.public_queries.list_own(Reader(frozenset({by.account})), now=env.clock())
    return [one.challenge for one in own.outgoing]


async def give_name(env: WebEnvironment, person: Person, name: str) -> None:
    await env.start_seat_session(person)
    async with env.database.transaction() as connection:
        values = {"handle": name, "folded_handle": fold_name(name)}
        await connection.execute(update(PEOPLE).where(PEOPLE.c.account == person.account).values(values))


async def letters(env: WebEnvironment) -> list[Any]:
    async with env.database.read() as connection:
        return list(await connection.execute(select(LETTERS).order_by(LETTERS.c.id)))


async def test_form_needs_somebody_who_is_signed_in(visitor: Visitor) -> None:
    answer = await visitor.get("/challenge?to=Bob", allow_redirects=False)
    assert answer.headers["Location"] == "/signin?next=%2Fchallenge%3Fto%3DBob"
    data = {"who": "name", "to": "Bob", "note": "secret", "form": NUMBER}
    sent = await visitor.post("/challenge", data=data, allow_redirects=False)
    assert sent.headers["Location"] == "/signin?next=%2Fchallenge%3Fwho%3Dname%26to%3DBob"


@pytest.mark.parametrize("is_blocked", [False, True])
async def test_who_is_challenged_by_name_is_called_by_that_name(
    env: WebEnvironment, alice: Visitor, *, is_blocked: bool
) -> None:
    await give_name(env, BOB, "Fox-7")
    await env.matches.visibility.set_alias(BOB, "", now=env.clock())
    if is_blocked:
        await env.matches.people.blocks.block(BOB, ALICE, now=env.clock())
    pages = [await send(alice, who="name", to="fox-7"), await alice.get("/my-games")]
    assert "Fox-7" in pages[0].text
    assert not [page.url for page in pages if "Bob" in page.text]
    known = await env.matches.people.accounts.get(BOB.account)
    assert known == BOB  # in Discord the name stays


async def test_plain_form_makes_a_challenge_to_anyone_with_the_usual_terms(
    env: WebEnvironment, alice: Visitor
) -> None:
    page = await send(alice)
    (challenge,) = await made(env)
    assert page.url == f"/c/{challenge.id}"
    assert (challenge.to, challenge.by_link, challenge.colour) == (None, False, None)
    assert challenge.terms.time_control == TimeControl.per_move(timedelta(days=3))
    assert challenge.terms.rated
    assert challenge.options == GAMES["morelli"].complete_options()


async def test_everything_that_can_be_chosen_is_kept(env: WebEnvironment, alice: Visitor) -> None:
    side = GAMES["morphos"].sides[1]
    await alice.post(
        "/challenge",
        data={
            "game": "morphos",
            "who": "anyone",
            "morphos:size": "9",
            "morphos:side": side.value,
            "morelli:size": "5",
            "time_control": "none",
            "time_control_typed": "14d + 1d per move",
            "time_out": "lost",
            "within": "300",
            "standing": "3",
        },
    )
    (challenge,) = await made(env)
    assert (challenge.game, challenge.colour, challenge.options["size"]) == ("morphos", side, 9)
    assert (challenge.within, challenge.games) == (300, 3)
    terms = challenge.terms
    assert terms.time_control == TimeControl(timedelta(days=14), timedelta(days=1))
    assert terms.timeout_rule is TimeoutRule.LOST
    assert [terms.rated, terms.takebacks_allowed, terms.vacation_stops_clock] == [False] * 3


async def test_player_is_challenged_by_name(env: WebEnvironment, alice: Visitor) -> None:
    await give_name(env, BOB, "Bob")
    form = await alice.get("/challenge?to=Bob&game=morphos")
    assert re.search(r'name="who" value="name" checked', form.text)
    assert re.search(r'name="to" value="Bob"', form.text)
    assert re.search(r'name="game" value="morphos" checked', form.text)
    await send(alice, who="name", to="@bOB", note="Hello", private="1", within="300", standing="2")
    (challenge,) = await made(env)
    assert (challenge.to, challenge.note, challenge.is_public) == (BOB, "Hello", False)
    assert (challenge.within, challenge.games) == (None, None)


async def test_link_is_on_the_page_of_its_challenger(env: WebEnvironment, alice: Visitor) -> None:
    page = await send(alice, who="link", note="Hello")
    (challenge,) = await made(env)
    assert challenge.by_link
    assert f'value="{env.base}/c/{challenge.id}/' in page.text


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"who": "name"}, "Type the name of the player"),
        ({"who": "name", "to": "Nobody"}, "There is no player Nobody here"),
        ({"who": "name", "to": "Alice"}, "You cannot challenge yourself"),
        ({"who": "mail", "address": "nonsense"}, "That does not look like a mail address"),
        ({"game": "chess"}, "There is no such game"),
        ({"morelli:size": "1000"}, "1000"),
        ({"time_control_typed": "soon"}, "is not a time to think"),
        ({"time_control_typed": "1m per move"}, "A time control can be from"),
        ({"who": "link", "note": "x" * 201}, "It can have at most 200"),
    ],
)
async def test_refused_form_keeps_what_was_typed(
    env: WebEnvironment, alice: Visitor, values: dict[str, str], sentence: str
) -> None:
    await give_name(env, ALICE, "Alice")
    page = await send(alice, **{"time_out": "lost", "form": NUMBER, **values})
    assert page.status == 400
    assert sentence in page.visible_text
    assert await made(env) == []
    for name in ("to", "address", "time_control_typed", "note"):
        assert f'name="{name}" value="{values.get(name, "")}"' in page.text
    assert 'value="lost" selected' in page.text
    assert f'name="form" value="{NUMBER}"' in page.text


async def test_form_that_is_sent_twice_makes_one_challenge(env: WebEnvironment, alice: Visitor) -> None:
    pages = [await send(alice, form=NUMBER) for _ in range(2)]
    (challenge,) = await made(env)
    assert [page.url for page in pages] == [f"/c/{challenge.id}"] * 2
    await send(alice, form="1" * 32)
    assert len(await made(env)) == 2


async def test_mail_invites_to_a_challenge_by_link(env: WebEnvironment, alice: Visitor) -> None:
    page = await send(alice, who="mail", address="Ben@Example.org", note="Hello")
    (challenge,) = await made(env)
    assert challenge.by_link
    assert "Ben" not in page.text
    (letter,) = await letters(env)
    assert (letter.kind, letter.address, letter.sent_at) == ("invitation", "ben@example.org", None)
    assert letter.details == f'{{"challenge": {challenge.id}}}'


async def add_identity(env: WebEnvironment, person: Person, address: str, **values: int) -> None:
    await env.matches.people.identities.add(person, MAIL, address, is_confirmed=True, now=env.clock())
    if values:
        async with env.database.transaction() as connection:
            where = IDENTITIES.c.address == address
            await connection.execute(update(IDENTITIES).where(where).values(values))


@pytest.mark.parametrize("kind", ["unknown", "account", "stopped", "blocking", "own", "invited"])
async def test_page_does_not_tell_to_whom_an_address_belongs(
    env: WebEnvironment, alice: Visitor, kind: str
) -> None:
    address = "bob@example.org"
    if kind not in {"unknown", "invited"}:
        owner = ALICE if kind == "own" else BOB
        await add_identity(env, owner, address, **({"stopped_at": 1} if kind == "stopped" else {}))
    if kind == "blocking":
        await env.matches.people.blocks.block(BOB, ALICE, now=env.clock())
    if kind == "invited":
        async with env.visitor() as other:
            await send(await sign_in(env, other, CAROL), who="mail", address=address)
    page = await send(alice, who="mail", address=address)
    (challenge,) = await made(env)
    text = re.sub(r"/c/\d+(/[\w-]{22})?", "", page.text)
    async with env.visitor() as other:
        by_link = await sign_in(env, other, ALICE)
        await env.matches.challenges.withdraw(challenge.id, ALICE, now=env.clock())
        same = await send(by_link, who="link")
    assert text == re.sub(r"/c/\d+(/[\w-]{22})?", "", same.text)
    sent = [one for one in await letters(env) if one.sent_at is None]
    assert len(sent) == (1 if kind in {"unknown", "account", "invited"} else 0)
    assert [one.account for one in sent] == [BOB.account if kind == "account" else None] * len(sent)


async def test_invitations_of_an_account_are_limited_also_those_that_were_not_sent(
    env: WebEnvironment, alice: Visitor
) -> None:
    for at in range(MAX_INVITATIONS):
        await send(alice, who="mail", address=f"ben{at % 2}@example.org")
        (challenge,) = await made(env)
        await env.matches.challenges.withdraw(challenge.id, ALICE, now=env.clock())
    refused = await send(alice, who="mail", address="new@example.org")
    assert refused.status == 400
    assert f"You have sent {MAX_INVITATIONS} invitations today" in refused.visible_text
    assert await made(env) == []
    assert len([one for one in await letters(env) if one.address]) == 2
    env.clock.advance(days=1, minutes=1)
    assert (await send(alice, who="mail", address="new@example.org")).status == 200


async def test_website_without_mail_offers_none(database: Database) -> None:
    async with running_web(database, **SIGN_IN_SETTINGS) as env, env.visitor() as visitor:
        await sign_in(env, visitor, ALICE)
        assert 'value="mail"' not in (await visitor.get("/challenge")).text
        refused = await send(visitor, who="mail", address="ben@example.org")
        assert "This website sends no mail" in refused.visible_text
