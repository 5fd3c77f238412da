"""Strangers who answer an invitation: a name, an account and a match, or none of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from mail.commands import join
from mail.reading.words import read_words
from matches import ChallengeId, MatchState
from storage.tables import IDENTITIES, LETTERS, PEOPLE
from tests.mail.commands.scenario import VOCABULARY, make_context, text_of, write
from tests.mail.marks import check_answer_marks
from tests.mail.scenario import ANN, BEN, address_of
from tests.marks import IS_MARKED
from tests.matches.scenario import NOON, later

if TYPE_CHECKING:
    from datetime import datetime

    from mail.commands import Answer
    from matches import Matches
    from storage import Database

ZOE = "zoe@example.org"


async def invite(matches: Matches) -> ChallengeId:
    answer = await write(matches, ANN, f"challenge {ZOE} morelli facing black")
    assert answer.challenge is not None
    return answer.challenge


async def reply(
    matches: Matches, typed: str, challenge: ChallengeId | None = None, now: datetime = NOON
) -> Answer:
    words = read_words(((typed,),) if typed else (), None, VOCABULARY)
    answer = await join(make_context(matches, now), ZOE, words, challenge=challenge, now=now)
    return check_answer_marks(answer, typed) if IS_MARKED else answer


async def count_accounts(database: Database) -> int:
    async with database.read() as connection:
        return int(await connection.scalar(select(func.count()).select_from(PEOPLE)) or 0)


@pytest.mark.parametrize("typed", ["accept Zoe", "Accept Zoe!", "join Zoe"])
@pytest.mark.parametrize("is_known", [True, False])
async def test_stranger_gets_an_account_with_a_name(matches: Matches, typed: str, is_known: bool) -> None:
    challenge = await invite(matches)
    answer = await reply(matches, typed, challenge if is_known else None)
    person = await matches.people.accounts.find_by_mail(ZOE)
    assert person is not None
    assert person.name == "Zoe"
    if typed.startswith("join"):
        assert answer.title == "Welcome to Rayuela, Zoe"
        return
    assert answer.match is not None
    view = await matches.view(answer.match, now=NOON)
    assert view.state is MatchState.PLAYING
    assert [seat.person.account for seat in view.seats] == [ANN.account, person.account]
    assert answer.title == f"Morelli vs Ann (#{view.id}) begins"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("accept", "Your name is missing"),
        ("join", "accept Zoe"),
        ("accept x", "3 to 20"),
        ("accept Ann", "accept Zoe"),
        ("accept admin", "accept Zoe"),
        ("accept <b>Zoe</b>", "accept Zoe"),
        ("accept Zoe, and thanks for the invitation", "accept Zoe"),
        ("What is this?", "accept Zoe"),
        ("", "accept Zoe"),
        ("board", "accept Zoe"),
    ],
)
async def test_everything_else_is_asked_and_stores_nothing(
    matches: Matches, database: Database, typed: str, said: str
) -> None:
    await matches.people.handles.choose(ANN.account, "Ann", now=NOON)
    challenge, before = await invite(matches), await count_accounts(database)
    answer = await reply(matches, typed, challenge)
    assert said in text_of(answer)
    assert "https://rayuela.example/terms" in text_of(answer)
    assert await count_accounts(database) == before


async def test_expired_challenge_makes_no_account(matches: Matches, database: Database) -> None:
    challenge, before = await invite(matches), await count_accounts(database)
    answer = await reply(matches, "accept Zoe", challenge, later(days=8))
    assert "expired" in text_of(answer)
    assert await count_accounts(database) == before


async def test_two_mails_at_once_make_one_account_and_one_match(matches: Matches, database: Database) -> None:
    challenge, before = await invite(matches), await count_accounts(database)

    await asyncio.gather(*(reply(matches, "accept Zoe", challenge) for _ in range(2)))
    assert await count_accounts(database) == before + 1
    assert len(await matches.views.list_active_of(ANN, None)) == 1


async def test_declining_stores_nothing(matches: Matches, database: Database) -> None:
    challenge, before = await invite(matches), await count_accounts(database)
    assert (await reply(matches, "decline", challenge)).title == "You need not do anything"
    assert await count_accounts(database) == before


async def test_stopped_address_gets_no_invitation_even_after_a_month(
    matches: Matches, database: Database
) -> None:
    await invite(matches)
    assert (await reply(matches, "stop")).title == "You get no more invitations"
    await matches.invitations.create(BEN, ZOE, game="morelli", now=later(days=40))
    async with database.read() as connection:
        sent = list(await connection.scalars(select(LETTERS.c.address).order_by(LETTERS.c.id)))
        stored = list(await connection.scalars(select(IDENTITIES.c.address)))
    assert sent == [ZOE, ""]
    assert sorted(stored) == sorted(map(address_of, (ANN, BEN)))
