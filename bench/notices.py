"""Turns in Discord while the same process sends mails and pushes, side by side with turns while it does not.

The notices wait in the database before the bot starts, and some of them become due in each round. Each is
about another match, with its board in the mail. Mail server and push service are in a process of their own.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update

from bench.table import Row
from bench.turn import TURNS, begin_match, loopback_discord, run_bot
from matches import AnnouncementKind, Database, Matches, Person
from matches.platforms import MAIL, PUSH, WEBSITE
from matches.times import to_millis
from runtime import logs
from storage.tables import OUTBOX
from tests.mail.scenario import give_mail
from tests.matches.scenario import play_move, start_match
from tests.processes import ROOT
from tests.push.service import HOST, StubBrowser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bench.turn import BenchMatch
    from tests.discord_server import Guild

NEVER = timedelta(days=20)  # until notices are due that wait for their round
SENDING_SECONDS = 200.0  # in which the notices of a round must be sent
MOST_ALONE = 100  # turns of a round with nothing to send
WAYS = (MAIL, PUSH)
MAIL_FROM = "Rayuela <play@example.org>"


@dataclass(frozen=True, slots=True)
class Services:
    """The running services: the port of the mail server, and the address and certificate for pushes."""

    process: asyncio.subprocess.Process
    port: int
    base: str
    authority: str

    async def count(self) -> tuple[int, int]:
        """Return how many mails and pushes have arrived."""
        assert self.process.stdin is not None  # noqa: S101 - it is a pipe
        self.process.stdin.write(b"\n")
        found = await _read(self.process)
        return found["mails"], found["pushes"]


@dataclass(slots=True)
class Players:
    """People who play one match after the other, each in a channel of its own."""

    guild: Guild
    matches: int = 0
    left: int = 0  # turns of the match
    match: BenchMatch | None = None

    async def play(self, turns: int) -> list[float]:
        """Play turns; return the milliseconds of each, without those that it takes to begin matches."""
        times = list[float]()
        for _ in range(turns):
            if self.match is None or not self.left:
                self.match, self.left = await begin_match(self.guild, self.matches), TURNS
                self.matches += 1
            times += await self.match.play_turns(1)
            self.left -= 1
        return times


def rows(notices: int = 1000, rounds: int = 4) -> list[Row]:
    """Measure turns while so many mails and as many pushes are sent, in some rounds."""
    logs.configure("ERROR")
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        alone, sending, seconds = asyncio.run(_measure(Path(folder), notices, rounds))
    return [
        Row.from_values("a turn in Discord, nothing to send", alone, "ms"),
        Row.from_values(f"a turn while {notices} mails and as many pushes are sent", sending, "ms"),
        Row("  rises by", 100 * (median(sending) / median(alone) - 1), "%", goal="at most 10"),
        Row("  notices per second", 2 * notices / seconds, ""),
    ]


async def _measure(folder: Path, notices: int, rounds: int) -> tuple[list[float], list[float], float]:
    """Return the milliseconds of turns with nothing to send and while notices are sent; for how long that."""
    alone, sending, seconds, url = list[float](), list[float](), 0.0, f"sqlite:///{folder}/rayuela.db"
    async with _running_services(folder) as services, await Database.open(url) as database:
        await _write_notices(database, services, notices)
        settings = {"MAIL_URL": f"smtp://127.0.0.1:{services.port}", "MAIL_FROM": MAIL_FROM}
        settings |= {"PUSH_HOSTS": HOST, "SSL_CERT_FILE": services.authority}
        settings |= {"PUBLIC_URL": "http://127.0.0.1", "WEB_PORT": "0"}
        async with loopback_discord() as discord, run_bot(discord, folder, None, **settings):
            players = Players(discord.guild("Bench"))
            await players.play(TURNS)
            for number in range(rounds):
                start = time.perf_counter()
                found = await _play_while_sending(database, players, len(range(number, notices, rounds)))
                seconds += time.perf_counter() - start
                sending += found
                alone += await players.play(min(len(found), MOST_ALONE))
        if await services.count() != (notices, notices):
            raise RuntimeError(f"{await services.count()} mails and pushes have arrived")
    return alone, sending, seconds


async def _write_notices(database: Database, services: Services, count: int) -> None:
    """Write notices for different people, each about a turn of a match, which are not due yet."""
    matches, now = Matches(database), datetime.now(UTC)
    for number in range(count):
        by, to = (Person(f"web:{2 * number + one:024x}", f"Ada{2 * number + one}") for one in range(2))
        await give_mail(database, to)
        secret = await matches.people.sessions.start(to, None, device="", now=now)
        session = await matches.people.sessions.find(secret, now=now)
        assert session is not None  # noqa: S101 - it was just started
        await StubBrowser(to.name, f"{services.base}/push/{number}").subscribe(matches, session)
        view = await start_match(matches, by=by, to=to, channel=WEBSITE, now=now)
        await matches.people.notices.mark_seen(to.account, view.id, now=now)
        await play_move(matches, view, now=now)
    async with database.transaction() as connection:
        is_copy, is_turn = OUTBOX.c.platform.in_(WAYS), OUTBOX.c.kind == AnnouncementKind.TURN
        await connection.execute(update(OUTBOX).where(is_copy, ~is_turn).values(sent_at=to_millis(now)))
        await connection.execute(update(OUTBOX).where(is_copy).values(due_at=to_millis(now + NEVER)))


async def _play_while_sending(database: Database, players: Players, count: int) -> list[float]:
    """Make so many mails and pushes due, and play until they are sent; return the milliseconds of turns."""
    now, times = to_millis(datetime.now(UTC)), list[float]()
    async with database.transaction() as connection:
        for way in WAYS:
            waiting = select(OUTBOX.c.id).where(OUTBOX.c.platform == way, OUTBOX.c.sent_at.is_(None))
            chosen = (await connection.scalars(waiting.order_by(OUTBOX.c.id).limit(count))).all()
            await connection.execute(update(OUTBOX).where(OUTBOX.c.id.in_(chosen)).values(due_at=now))
    end = time.monotonic() + SENDING_SECONDS
    while await _count_due(database, now) == len(WAYS) * count:  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.05)
    while await _count_due(database, now):
        times += await players.play(1)
        if time.monotonic() > end:
            raise RuntimeError("not all notices were sent")
    return times


async def _count_due(database: Database, now: int) -> int:
    """Count the notices of this round that are not sent yet."""
    is_due = (OUTBOX.c.platform.in_(WAYS), OUTBOX.c.sent_at.is_(None), OUTBOX.c.due_at < now + 10**9)
    async with database.read() as connection:
        return (await connection.execute(select(func.count()).where(*is_due))).scalar_one()


@asynccontextmanager
async def _running_services(folder: Path) -> AsyncIterator[Services]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.notice_services", str(folder)),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Services(process, **await _read(process))
    finally:
        process.kill()
        await process.communicate()


async def _read(process: asyncio.subprocess.Process) -> dict[str, Any]:
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    found: dict[str, Any] = json.loads(await process.stdout.readline())
    return found
