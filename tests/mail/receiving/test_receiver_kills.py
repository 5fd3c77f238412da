"""A process that is killed while it receives loses no mail, and carries none out twice.

The mail server is Debian's Postfix or Dovecot where a run is long or they are required; otherwise a short
queue that tries again, and the long runs are left out.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Protocol

import pytest
from aiosmtplib import SMTP
from sqlalchemy import func, select

from matches import Matches, Person
from storage.tables import CHALLENGES, LETTERS, MATCHES
from tests.discord_server.waiting import PATIENCE
from tests.games import GAMES
from tests.mail.mail_servers import Dovecot, Postfix, require_mail_servers, running_dovecot, running_postfix
from tests.mail.receiving.scenario import pen_of, reply_address
from tests.mail.receiving.test_lmtp import connected
from tests.mail.scenario import REPLIES, address_of, give_mail, start_quietly
from tests.matches.scenario import legal_move, player_to_move
from tests.processes import ScriptProcess, run_script

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from storage import Database

Mail = tuple[str, bytes]
LATEST = 0.02  # seconds after a commit
QUIET_SECONDS = 1.0  # without a commit, after which a process is killed in any case


class MailQueue(Protocol):
    """Something that hands mails over until they are taken."""

    async def deliver(self, mails: list[Mail]) -> None:
        """Begin to deliver mails."""

    async def count_waiting(self) -> int:
        """Count the mails that are not taken yet."""


class RetryingQueue:
    """Hands mails over by LMTP itself, again and again."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()

    async def deliver(self, mails: list[Mail]) -> None:
        self._tasks |= {asyncio.create_task(self._insist(*mail)) for mail in mails}

    async def count_waiting(self) -> int:
        return sum(not task.done() for task in self._tasks)

    async def _insist(self, to: str, raw: bytes) -> None:
        while True:
            with suppress(OSError, AssertionError, TimeoutError):
                async with connected(self._port) as client:
                    await client.begin(to)
                    if (await client.send(raw)).startswith("250"):
                        return
            await asyncio.sleep(0.05)


class PostfixQueue:
    """The queue of Postfix."""

    def __init__(self, server: Postfix) -> None:
        self._server = server

    async def deliver(self, mails: list[Mail]) -> None:
        async with SMTP(
            hostname="127.0.0.1", port=self._server.port, use_tls=False, start_tls=False
        ) as client:
            for to, raw in mails:
                await client.sendmail("bob@mail.example", [to], raw)

    async def count_waiting(self) -> int:
        return self._server.count_waiting()


class MailboxQueue:
    """The mailbox of a Dovecot."""

    def __init__(self, server: Dovecot) -> None:
        self._server = server

    async def deliver(self, mails: list[Mail]) -> None:
        for _, raw in mails:
            self._server.deliver(raw)

    async def count_waiting(self) -> int:
        return sum("S" not in flags for flags in self._server.list_flags())


@asynccontextmanager
async def receiving(url: str, kind: str) -> AsyncIterator[tuple[ScriptProcess, MailQueue]]:
    """Run what receives, and what hands over."""
    module = "tests.mail.receiving.forking_receiver"
    if kind == "dovecot":
        require_mail_servers()
        async with running_dovecot() as server, run_script(module, url, server.url) as process:
            await process.read_line()
            yield process, MailboxQueue(server)
        return
    async with run_script(module, url, "") as process:
        port = int(await process.read_line())
        if kind == "postfix":
            require_mail_servers()
            async with running_postfix(port, verifies=False) as postfix:
                yield process, PostfixQueue(postfix)
        else:
            yield process, RetryingQueue(port)


async def write_mails(database: Database, matches: Matches, count: int) -> list[Mail]:
    """Return so many mails: half of them play a move, half make a challenge, each of another player."""
    people = [Person(f"web:{number:024x}", f"Player{number}") for number in range(count)]
    await give_mail(database, *people)
    mails: list[Mail] = []
    for by, to in zip(people[::2], people[1::2], strict=True):
        view = await start_quietly(matches, by, to, game="morabaraba")
        mover = by if player_to_move(view).account == by.account else to
        address = reply_address(view, mover)
        mails.append((address, pen_of(mover).write(address, legal_move(view))))
        mails.append(
            (REPLIES.plain, pen_of(to).write(REPLIES.plain, f"challenge {address_of(by)} morabaraba"))
        )
    return mails


async def count_done(database: Database) -> tuple[int, int, int]:
    """Return how many matches have one move, challenges are open, and mails are answered."""
    async with database.read() as connection:
        moved = select(func.count()).select_from(MATCHES).where(MATCHES.c.ply == 1)
        opened = select(func.count()).select_from(CHALLENGES).where(CHALLENGES.c.state == "open")
        answered = select(func.count()).select_from(LETTERS).where(LETTERS.c.kind == "answer")
        found = [await connection.scalar(statement) for statement in (moved, opened, answered)]
    return int(found[0] or 0), int(found[1] or 0), int(found[2] or 0)


# Each new process waits for its connections; 200 of them would take most of the time of all long tests.
PROCESSES_OF_POSTGRESQL = 60


@pytest.mark.parametrize(
    ("kind", "kills", "count"),
    [
        ("queue", 4, 16),
        pytest.param("dovecot", 4, 16, marks=[pytest.mark.long, pytest.mark.xdist_group("mail_servers")]),
        pytest.param("postfix", 200, 500, marks=[pytest.mark.long, pytest.mark.xdist_group("mail_servers")]),
        pytest.param("dovecot", 200, 500, marks=[pytest.mark.long, pytest.mark.xdist_group("mail_servers")]),
    ],
)
async def test_killed_process_loses_nothing_and_does_nothing_twice(
    database: Database, database_url: str, kind: str, kills: int, count: int
) -> None:
    if kills > PROCESSES_OF_POSTGRESQL and database_url.startswith("postgresql"):
        kills, count = PROCESSES_OF_POSTGRESQL, count * PROCESSES_OF_POSTGRESQL // kills
    matches, choose = Matches(database, games=GAMES), random.Random(kills)
    mails = await write_mails(database, matches, count)
    assert await count_done(database) == (0, 0, 0)
    async with receiving(database_url, kind) as (process, queue):
        for number in range(kills):
            share = mails[number * count // kills : (number + 1) * count // kills]
            await receive_and_kill(process, queue, share, choose)
        process.send_line("start")
        await read_until(process, "ready")
        async with asyncio.timeout(PATIENCE + 2 * count):
            while await queue.count_waiting():  # noqa: ASYNC110 - of other processes
                await asyncio.sleep(0.1)
    assert await count_done(database) == (count // 2, count // 2, count)


async def receive_and_kill(
    process: ScriptProcess, queue: MailQueue, mails: list[Mail], choose: random.Random
) -> None:
    """Start a process, hand mails over, and kill it shortly after a commit, or when nothing happens."""
    process.send_line("start")
    await read_until(process, "ready")
    delivering = asyncio.create_task(queue.deliver(mails))
    with suppress(TimeoutError):
        async with asyncio.timeout(QUIET_SECONDS):
            for _ in range(choose.randint(1, 6)):
                await process.read_line()
    await asyncio.sleep(choose.choice((0, choose.uniform(0, LATEST))))
    process.send_line("kill")
    await read_until(process, "killed")
    await delivering


async def read_until(process: ScriptProcess, word: str) -> None:
    """Read the lines of a process up to a word."""
    async with asyncio.timeout(PATIENCE):
        while (line := await process.read_line()) != word:
            assert line, "the process has ended"
