"""A process that is killed while it sends loses no mail; one that comes twice has the same Message-ID."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from matches import Matches, Person
from matches.platforms import MAIL
from matches.posting.letters import LEASE, LetterKind
from tests.discord_server.waiting import PATIENCE
from tests.games import GAMES
from tests.mail.scenario import DUE, address_of, give_mail, start_quietly, write
from tests.mail.smtp_server import SmtpServer, running_smtp
from tests.matches.scenario import NOON, play_move
from tests.processes import run_script

if TYPE_CHECKING:
    from storage import Database

MAILS_EACH = 6  # for each kill; even, since the people play in pairs
LATEST = 0.02  # seconds after an event


async def write_mails(database: Database, matches: Matches, count: int) -> set[str]:
    """Write so many letters, and half as many notices to different people; return the addresses."""
    people = [Person(f"web:{number:024x}", f"P{number}") for number in range(count)]
    await give_mail(database, *people)
    for by, to in zip(people[::2], people[1::2], strict=True):
        await play_move(matches, await start_quietly(matches, by, to))
    letters = [f"letter{number}@example.org" for number in range(count)]
    for address in letters:
        await write(database, LetterKind.CODE, address, lifetime=timedelta(days=2), code=address)
    return {*letters, *(address_of(person) for person in people[1::2])}


async def count_unsent(matches: Matches) -> int:
    backlog = await matches.work.backlogs.measure(MAIL, now=DUE)
    return backlog.outbox_waiting + await matches.posting.letters.count_waiting(now=DUE)


@pytest.mark.parametrize("kills", [1, pytest.param(150, marks=pytest.mark.long)])
async def test_killed_process_loses_nothing(database: Database, database_url: str, kills: int) -> None:
    matches, choose = Matches(database, games=GAMES), random.Random(kills)
    expected = await write_mails(database, matches, MAILS_EACH * kills)
    loop, clock = asyncio.get_running_loop(), DUE - NOON
    async with running_smtp() as server:
        for _ in range(kills):
            unsent = await count_unsent(matches)
            assert unsent
            await kill_while_sending(server, database_url, clock, choose, unsent)
            clock += LEASE + timedelta(seconds=1)
        async with run_script("tests.mail.sender_process", *arguments(server, database_url, clock)):
            end = loop.time() + PATIENCE
            while await count_unsent(matches) and loop.time() < end:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    assert set(server.recipients) == expected
    ids = dict[str, set[str]]()
    for mail, message_id in zip(server.mails, server.ids, strict=True):
        ids.setdefault(str(mail["To"]), set()).add(message_id)
    assert [address for address, own in ids.items() if len(own) > 1] == []
    assert max(Counter(server.ids).values()) <= kills + 1


def arguments(server: SmtpServer, database_url: str, clock: timedelta) -> tuple[str, str, str]:
    return database_url, str(server.port), str(clock.total_seconds())


async def kill_while_sending(
    server: SmtpServer, database_url: str, clock: timedelta, choose: random.Random, unsent: int
) -> None:
    """Run a process that sends, and kill it at a random event of its `unsent` mails, or shortly after."""
    left, is_time, loop = min(choose.randint(1, 6), unsent), asyncio.Event(), asyncio.get_running_loop()
    stage, delay = choose.choice(("recipient", "data")), choose.choice((0, choose.uniform(0, LATEST)))

    def count(reached: str) -> None:
        nonlocal left
        left -= reached == stage
        if not left:
            loop.call_later(delay, is_time.set)

    server.on_stage = count
    async with run_script("tests.mail.sender_process", *arguments(server, database_url, clock)) as process:
        async with asyncio.timeout(PATIENCE):
            await is_time.wait()
        await process.kill()
    server.on_stage = lambda _stage: None
