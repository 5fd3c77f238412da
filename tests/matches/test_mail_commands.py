"""What mails ask for and nobody proves to be theirs: stored with a letter, confirmed once, deleted later."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from matches import ChallengeId, Matches, MatchId, RequestRepeated
from matches.people.mail_commands import LIFETIME, MAX_COMMANDS, MailDraft
from matches.posting.letters import LetterKind
from matches.work.requests import MAIL_MEMORY
from storage.tables import MAIL_COMMANDS
from tests.matches.scenario import ALICE, NOON, later, make_challenge
from tests.refusals import refused

if TYPE_CHECKING:
    from storage import Database

ADDRESS = "alice@heron.example"


def draft(request: int = -1) -> MailDraft:
    return MailDraft(
        account=ALICE.account,
        address=ADDRESS,
        typed="A1-B2",
        words={"words": ["A1-B2"]},
        request=request,
        match=MatchId(3),
        revision=1_000_007,
        challenge=ChallengeId(5),
    )


@pytest.fixture
async def known(matches: Matches) -> Matches:
    """Return matches in which Alice is known."""
    await make_challenge(matches)
    return matches


async def add(matches: Matches, request: int = -1) -> int:
    """Store a draft and return its id, which is in the letter about it."""
    assert await matches.people.mail_commands.add(draft(request), now=NOON)
    letters = await matches.posting.letters.claim_due(now=NOON)
    (letter,) = [one for one in letters if one.kind is LetterKind.CONFIRMATION]
    assert (letter.address, letter.account) == (ADDRESS, ALICE.account)
    return int(letter.details["command"])


async def test_draft_is_carried_out_after_one_click(known: Matches) -> None:
    commands = known.people.mail_commands
    number = await add(known)
    found = await commands.find(number)
    assert found is not None
    assert (found.draft, found.confirmed_at, found.done_at) == (draft(), None, None)
    assert await commands.list_confirmed() == ()
    first = await commands.confirm(number, now=later(hours=1))
    assert (first.draft, first.confirmed_at) == (draft(), later(hours=1))
    assert await commands.confirm(number, now=later(hours=2)) == first
    assert await commands.list_confirmed() == (first,)
    await commands.mark_done(number, now=later(hours=3))
    assert await commands.list_confirmed() == ()
    assert (await commands.confirm(number, now=later(days=1, hours=1))).done_at == later(hours=3)


async def test_link_expires_after_a_day(known: Matches) -> None:
    number = await add(known)
    with refused("mail_command_expired"):
        await known.people.mail_commands.confirm(number, now=NOON + LIFETIME)
    with refused("mail_command_expired"):
        await known.people.mail_commands.confirm(number + 1, now=NOON)


async def test_same_mail_in_two_processes_is_stored_once(
    known: Matches, other_matches: Matches, database: Database
) -> None:
    async def handle(matches: Matches) -> bool:
        with matches.work.requests.handle(-7, now=NOON, memory=MAIL_MEMORY):
            return await matches.people.mail_commands.add(draft(-7), now=NOON)

    results = await asyncio.gather(handle(known), handle(other_matches), return_exceptions=True)
    assert sorted(type(one).__name__ for one in results) == [RequestRepeated.__name__, "bool"]
    assert await known.posting.letters.has_answered(-7)
    assert not await known.posting.letters.has_answered(-8)
    assert await count(database) == 1


@pytest.mark.long
async def test_account_has_few_waiting_drafts_a_day(known: Matches, database: Database) -> None:
    for number in range(MAX_COMMANDS):
        assert await known.people.mail_commands.add(draft(-number - 1), now=NOON)
    assert not await known.people.mail_commands.add(draft(-100), now=NOON)
    assert await known.people.mail_commands.add(draft(-100), now=later(days=2))
    assert await count(database) == MAX_COMMANDS + 1


async def test_account_that_is_gone_gets_nothing(matches: Matches) -> None:
    assert not await matches.people.mail_commands.add(draft(), now=NOON)


@pytest.mark.long
async def test_old_drafts_are_deleted_unless_they_are_still_to_be_carried_out(
    known: Matches, database: Database
) -> None:
    number = await add(known)
    await known.people.mail_commands.add(draft(-2), now=NOON)
    confirmed = await known.people.mail_commands.confirm(number, now=NOON)
    await known.people.mail_commands.delete_old(now=later(days=1))
    assert await count(database) == 2
    await known.people.mail_commands.delete_old(now=later(days=3))
    assert await known.people.mail_commands.list_confirmed() == (confirmed,)
    assert await count(database) == 1


async def count(database: Database) -> int:
    async with database.read() as connection:
        return int(await connection.scalar(select(func.count()).select_from(MAIL_COMMANDS)) or 0)
