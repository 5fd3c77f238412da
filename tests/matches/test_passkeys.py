"""Passkeys: which answers of a browser count, and whose they are."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from matches import ErasureChoice, Matches, Person
from matches.people.passkeys import MAX_ID_BYTES, MAX_PASSKEYS, Site
from matches.posting.letters import LetterKind
from storage.tables import PASSKEYS, REQUESTS
from tests.authenticator import Authenticator, encode
from tests.matches.scenario import ALICE, BOB, NOON, later, start_match
from tests.refusals import refusal_key, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from matches import Database

SITE = Site("heron.example", "https://heron.example")
REFUSED = "passkey_refused"


def make_device(*, step: int = 1) -> Authenticator:
    return Authenticator(SITE.host, SITE.origin, step)


async def add(
    matches: Matches,
    device: Authenticator,
    person: Person = ALICE,
    *,
    challenge: str = "bmV3",
    minutes: int = 0,
) -> None:
    await matches.people.sessions.start(person, None, device="x", now=NOON)
    await matches.people.passkeys.add(
        person.account,
        device.make(challenge),
        challenge,
        SITE,
        device="Firefox on Linux",
        run=asyncio.to_thread,
        now=later(minutes=minutes),
    )


async def sign_in(matches: Matches, answer: str, challenge: str, now: datetime = NOON) -> Person:
    return await matches.people.passkeys.sign_in(answer, challenge, SITE, run=asyncio.to_thread, now=now)


@pytest.mark.long
async def test_passkey_signs_its_owner_in_and_remembers_the_day(matches: Matches) -> None:
    device = make_device()
    await add(matches, device)
    (made,) = await matches.people.passkeys.list_for(ALICE.account)
    assert (made.device, made.made_at, made.used_on) == ("Firefox on Linux", NOON, None)
    late = datetime(2026, 12, 31, 23, 59, tzinfo=UTC)
    for challenge, now in (("b25l", NOON), ("dHdv", late)):
        assert await sign_in(matches, device.use(challenge), challenge, now) == ALICE
    (used,) = await matches.people.passkeys.list_for(ALICE.account)
    assert used.used_on == datetime(2026, 12, 31, 12, tzinfo=UTC)


async def test_device_that_counts_nothing_signs_in_again(matches: Matches) -> None:
    device = make_device(step=0)
    await add(matches, device)
    for challenge in ("b25l", "dHdv"):
        assert await sign_in(matches, device.use(challenge), challenge) == ALICE


@pytest.mark.long
async def test_challenge_counts_once_in_all_processes(matches: Matches, other_matches: Matches) -> None:
    device = make_device(step=0)
    await add(matches, device)
    answer = device.use("b25l")
    found = await asyncio.gather(
        *(sign_in(one, answer, "b25l") for one in (matches, other_matches)), return_exceptions=True
    )
    assert sorted(map(refusal_key, found)) == ["", REFUSED]
    with refused(REFUSED):
        await sign_in(matches, answer, "b25l")
    await matches.people.passkeys.remove(ALICE.account, encode(device.id))
    with refused(REFUSED):  # the challenge of the first one
        await add(matches, device)


async def test_counter_that_does_not_go_up_is_refused(matches: Matches) -> None:
    device = make_device()
    await add(matches, device)
    device.uses = 5
    await sign_in(matches, device.use("b25l"), "b25l")
    for uses in (0, 4, 5):
        device.uses = uses
        with refused(REFUSED):
            await sign_in(matches, device.use("dHdv"), "dHdv")
    device.uses = 6
    assert await sign_in(matches, device.use("dHdv"), "dHdv") == ALICE


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: make_device().use("b25l"),  # a key that was never added
        lambda device: Authenticator(SITE.host, SITE.origin, id=device.id).use("b25l"),  # of another owner
        lambda device: device.use("b3RoZXI"),  # a foreign challenge
        lambda device: device.make("b25l"),  # an answer to another question
        lambda device: Authenticator(SITE.host, "https://evil.example", id=device.id, key=device.key).use(
            "b25l"
        ),
        lambda device: Authenticator(SITE.host, "http://heron.example", id=device.id, key=device.key).use(
            "b25l"
        ),
        lambda device: Authenticator("evil.example", SITE.origin, id=device.id, key=device.key).use("b25l"),
        lambda device: json.dumps({**json.loads(device.use("b25l")), "response": {"clientDataJSON": "e30"}}),
        lambda device: json.dumps({**json.loads(device.use("b25l")), "rawId": 7}),
        lambda device: json.dumps({"id": encode(device.id)}),
    ],
)
async def test_answer_of_another_key_page_or_question_is_refused(
    matches: Matches, answer: Callable[[Authenticator], str]
) -> None:
    device = make_device()
    await add(matches, device)
    with refused(REFUSED):
        await sign_in(matches, answer(device), "b25l")
    device.uses += 1
    assert await sign_in(matches, device.use("b25l"), "b25l") == ALICE  # nothing was used up


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 50_000,
        '{"id": 1}',
        '{"id": "\\u0000"}',
        '{"id": "\\ud800"}',
        '{"id": ""}',
    ],
)
async def test_answer_that_is_none_is_refused(matches: Matches, answer: str) -> None:
    with refused(REFUSED):
        await sign_in(matches, answer, "b25l")
    with refused(REFUSED):
        await matches.people.passkeys.add(
            ALICE.account, answer, "b25l", SITE, device="x", run=asyncio.to_thread, now=NOON
        )


async def test_new_key_must_answer_the_question_of_this_page(matches: Matches) -> None:
    foreign = (
        (make_device(), "b3RoZXI"),
        (Authenticator(SITE.host, "https://evil.example"), "bmV3"),
        (Authenticator("evil.example", SITE.origin), "bmV3"),
        (make_device(), ""),
    )
    await add(matches, make_device(), BOB)
    for device, challenge in foreign:
        with refused(REFUSED):
            await matches.people.passkeys.add(
                BOB.account, device.make(challenge), "bmV3", SITE, device="x", run=asyncio.to_thread, now=NOON
            )
    long = Authenticator(SITE.host, SITE.origin, id=bytes(MAX_ID_BYTES + 1))
    with refused(REFUSED):
        await add(matches, long, BOB, challenge="bG9uZw")
    renamed = json.dumps({**json.loads(make_device().make("bmV3")), "id": "c2hvcnQ", "rawId": "c2hvcnQ"})
    with refused(REFUSED):
        await matches.people.passkeys.add(
            BOB.account, renamed, "bmV3", SITE, device="x", run=asyncio.to_thread, now=NOON
        )
    assert len(await matches.people.passkeys.list_for(BOB.account)) == 1


@pytest.mark.long
async def test_key_belongs_to_one_account(matches: Matches) -> None:
    device = make_device()
    await add(matches, device)
    with refused(REFUSED):
        await add(matches, device, BOB, challenge="b25l")
    await matches.people.passkeys.remove(BOB.account, encode(device.id))
    assert await sign_in(matches, device.use("dHdv"), "dHdv") == ALICE


async def test_removed_key_signs_nobody_in(matches: Matches) -> None:
    device = make_device()
    await add(matches, device)
    await matches.people.passkeys.remove(ALICE.account, encode(device.id))
    with refused(REFUSED):
        await sign_in(matches, device.use("b25l"), "b25l")
    assert await matches.people.passkeys.list_for(ALICE.account) == ()


@pytest.mark.long
async def test_account_has_a_few_passkeys(matches: Matches) -> None:
    for number in range(MAX_PASSKEYS):
        await add(matches, make_device(), challenge=encode(bytes([number])), minutes=number)
    with refused("too_many_passkeys"):
        await add(matches, make_device(), challenge="b25l")
    found = await matches.people.passkeys.list_for(ALICE.account)
    assert [one.made_at for one in found] == [later(minutes=number) for number in range(MAX_PASSKEYS)][::-1]
    await matches.people.passkeys.remove(ALICE.account, found[0].id)
    await add(matches, make_device(), challenge="b25l")


async def test_mail_says_that_a_passkey_was_added(matches: Matches) -> None:
    person = await matches.people.accounts.register("ann@heron.example", "Heron", now=NOON)
    await add(matches, make_device(), person)
    letters = await matches.posting.letters.claim_due(now=later(minutes=1))
    told = [(one.address, one.details["what"]) for one in letters if one.kind is LetterKind.NOTICE]
    assert told == [("ann@heron.example", "passkey_added")]


@pytest.mark.long
async def test_passkeys_move_with_a_joined_account(matches: Matches) -> None:
    person = await matches.people.accounts.register("ann@heron.example", "Heron", now=NOON)
    other = await matches.people.accounts.register("owl@heron.example", "Owl", now=NOON)
    devices = [make_device(), make_device()]
    for device, owner, challenge in zip(devices, (person, other), ("bmV3", "b25l"), strict=True):
        await add(matches, device, owner, challenge=challenge)
    await matches.people.accounts.join(person.account, other.account, now=NOON)
    for device in devices:
        challenge = encode(device.id[:9])
        assert await sign_in(matches, device.use(challenge), challenge) == person
    assert len(await matches.people.passkeys.list_for(person.account)) == 2


@pytest.mark.long
@pytest.mark.parametrize("choice", ErasureChoice)
async def test_passkeys_end_with_the_data_of_their_owner(matches: Matches, choice: ErasureChoice) -> None:
    device = make_device()
    await add(matches, device)
    await start_match(matches)
    await matches.people.personal_data.erase(ALICE.account, choice, now=later(minutes=1))
    with refused(REFUSED):
        await sign_in(matches, device.use("b25l"), "b25l")


async def test_account_that_is_gone_gets_no_passkey(matches: Matches, database: Database) -> None:
    with refused("signed_out"):
        await matches.people.passkeys.add(
            ALICE.account,
            make_device().make("bmV3"),
            "bmV3",
            SITE,
            device="x",
            run=asyncio.to_thread,
            now=NOON,
        )
    async with database.read() as connection:
        for table in (PASSKEYS, REQUESTS):
            assert await connection.scalar(select(func.count()).select_from(table)) == 0
