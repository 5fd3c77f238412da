"""Mails that arrive: from handing one over to the commit of what it changes.

By LMTP as a mail server does it, and by IMAP through Debian's Dovecot, which has to be installed
(tools/mail_servers). Each mail asks for the list of one's games, so that it reads and writes as a move does,
and there is no end to them.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.table import Row
from mail.receiving.limits import LimitNumbers
from mail.receiving.lmtp import listening
from mail.receiving.mailbox_reader import MailboxReader
from matches import Database, Matches
from metrics.address import bind
from runtime import logs
from runtime.mail_settings import Mailbox, MailSettings
from runtime.settings import parse_settings
from runtime.steps import Steps
from tests.games import GAMES
from tests.mail.mail_servers import find_reason, running_dovecot
from tests.mail.receiving.scenario import make_receiver, pen_of
from tests.mail.receiving.test_lmtp import connected
from tests.mail.scenario import ANN, BEN, REPLIES, give_mail, start_quietly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mail.receiving.receiver import Receiver

MANY = LimitNumbers(own=10**6, total=10**6)
PATIENCE = 30.0  # seconds for one mail
IDLE_SECONDS = 1.5  # between two mails to a mailbox, as players are no quicker


def rows(mails: int = 100) -> Iterator[Row]:
    """Measure so many mails by LMTP, and a quarter of them by IMAP."""
    logs.configure("ERROR")
    yield from _describe("LMTP", asyncio.run(_measure(mails, by_imap=False)), 50)
    reason = find_reason()
    if not reason:
        yield from _describe("IMAP", asyncio.run(_measure((mails + 3) // 4, by_imap=True)), 1000)
    elif os.environ.get("RAYUELA_REQUIRE_POSTFIX") == "1":
        sys.exit(f"mail_latency: {reason}")
    else:
        print(f"IMAP left out: {reason}", file=sys.stderr)


def _describe(way: str, times: list[float], limit: int) -> Iterator[Row]:
    goal = f"below {limit} ms"
    yield Row.from_values(f"{way}: a mail until its commit", times, "ms", goal=goal)
    last = times[0] if len(times) == 1 else quantiles(times, n=20, method="inclusive")[-1]
    yield Row("  95 % of them", last, "ms", goal=goal)


async def _measure(mails: int, *, by_imap: bool) -> list[float]:
    """Return the milliseconds of mails, one after the other."""
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        async with await Database.open(f"sqlite:///{folder}/rayuela.db") as database:
            await give_mail(database, ANN, BEN)
            matches = Matches(database, games=GAMES)
            await start_quietly(matches)
            receiver = make_receiver(matches, numbers=MANY)
            measure = _measure_imap if by_imap else _measure_lmtp
            return await measure(matches, receiver, mails)


async def _measure_lmtp(_matches: Matches, receiver: Receiver, mails: int) -> list[float]:
    times, pen, listener = list[float](), pen_of(ANN), bind("127.0.0.1", 0)
    async with listening(receiver, listener), connected(int(listener.getsockname()[1])) as client:
        for _ in range(mails):
            start = time.perf_counter()
            await client.begin(REPLIES.plain)
            answer = await client.send(pen.write(REPLIES.plain, "games"))
            times.append(1000 * (time.perf_counter() - start))
            if not answer.startswith("250"):
                raise RuntimeError(f"the mail was not taken: {answer}")
    return times


async def _measure_imap(matches: Matches, receiver: Receiver, mails: int) -> list[float]:
    """Return the same; the next mail comes when the reader waits for it again."""
    times, pen, is_committed = list[float](), pen_of(ANN), asyncio.Event()
    async with running_dovecot() as server:
        mailbox = parse_settings(MailSettings, {"mail_in": server.url}).mail_in
        if not isinstance(mailbox, Mailbox):
            raise TypeError("a mailbox was expected")
        with matches.on_commit(is_committed.set):
            async with MailboxReader(mailbox, receiver, Steps()).reading():
                for number in range(mails + 1):
                    is_committed.clear()
                    start = time.perf_counter()
                    server.deliver(pen.write(REPLIES.plain, "games"))
                    async with asyncio.timeout(PATIENCE):
                        await is_committed.wait()
                    if number:  # the first one waits for the connection
                        times.append(1000 * (time.perf_counter() - start))
                    await asyncio.sleep(IDLE_SECONDS)
    return times
