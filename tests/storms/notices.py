"""Notices by mail and push while website, worker and mail server are killed again and again.

On SQLite one process does everything, on PostgreSQL two websites and a worker share the work. People are told
of each challenge and turn before they answer it. At the end every notice has arrived in every way; one that
came twice is the same mail, by its Message-ID, or the same push, by its topic and number; and every
acknowledged move is in the log.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING

import aiohttp

from matches.platforms import MAIL, PUSH
from runtime.heartbeat import heartbeat_age
from storage import Database
from tests.cluster import Violation
from tests.cluster.audit import audit_logs, audit_matches, keep_deleted_rows, list_rows, list_unsent
from tests.cluster.posts import PostRecorder
from tests.cluster.process import ChildProcess
from tests.discord_server import DiscordServer
from tests.mail.scenario import address_of
from tests.push.service import HOST, running_service
from tests.storms.cluster import Cluster
from tests.storms.mailbox import read_mails, serve_mail
from tests.storms.players import PATIENCE
from tests.storms.postgres_server import free_port
from tests.storms.told_players import COPIES, ToldPair, ToldPerson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import RowMapping

    from tests.push.service import PushService
    from tests.storms import Storm

FIRST_LEAD = 150.0  # seconds that the clock of a worker is ahead of the websites: mails are due at once
CLOCK_LEAD = 30.0  # and further with each start, so that the claims of the killed one have ended
RETRY_LEAD = 3600.0  # the same for the last ones: every retry is due
DRAIN_ROUNDS = 5
DRAIN_SECONDS = 30.0  # without any progress
LONGEST_PAUSE = 3.0  # between two kills
START_SECONDS = 300.0
MAIL_FROM = "Rayuela <play@example.org>"


@dataclass(slots=True)
class NoticeCluster(Cluster):
    """Processes that share the work, the first of which sends, a mail server, and people who wait."""

    people: list[ToldPerson] = field(default_factory=list)

    @property
    def mails(self) -> Path:
        """The folder of the mails that the mail server has taken."""
        return self.folder / "mails"

    def add_website(self, name: str, *module: str, **own: str) -> None:
        """Add a process that serves the website."""
        port = str(free_port())
        self.websites.append(f"http://127.0.0.1:{port}")
        self.add_node(name, *module, WEB_PORT=port, WEB_PROXIES="127.0.0.1", **own)

    async def add_people(self, service: PushService, count: int) -> None:
        """Add pairs of people; where there are several, each person plays in two of them."""
        for number in range(max(2, count)):
            self.people.append(await ToldPerson.create(self, service, number))
        for number in range(count):
            neighbour = self.people[(number + 1) % len(self.people)]
            self.pairs.append(ToldPair(self, (self.people[number], neighbour)))

    async def wait_until_connected(self) -> None:
        """Wait until each website answers. Raises Violation."""
        end = time.monotonic() + START_SECONDS
        async with aiohttp.ClientSession(timeout=PATIENCE) as session:
            for website in self.websites:
                while not await _answers(session, website):
                    if time.monotonic() > end:
                        raise Violation(f"{website} does not answer")
                    await asyncio.sleep(0.1)

    async def kill_any(self) -> None:
        """Kill a random process at a random moment."""
        await asyncio.sleep(self.rng.uniform(0, LONGEST_PAUSE))
        while not self.rng.choice(self.nodes).kill():  # noqa: ASYNC110 - it is being started
            await asyncio.sleep(0.05)

    async def _drain(self) -> None:
        for _ in range(DRAIN_ROUNDS):
            self.clock_lead = RETRY_LEAD
            self.nodes[0].kill()
            while not self.nodes[0].is_up:  # noqa: ASYNC110 - it is being started
                await asyncio.sleep(0.05)
            left, end = await self._list_unsent(), time.monotonic() + DRAIN_SECONDS
            while left and time.monotonic() < end:
                await asyncio.sleep(0.3)
                before, left = left, await self._list_unsent()
                if len(left) < len(before):
                    end = time.monotonic() + DRAIN_SECONDS
            if not left:
                return await self._wait_until_started()
        raise Violation(f"{len(left)} notices were never sent, the first: {dict(left[0])}")

    async def _wait_until_started(self) -> None:
        """Wait until every process can be told to stop."""
        await self.wait_until_connected()
        while heartbeat_age(self.folder / f"{self.nodes[0].name}.health") is None:  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    async def _list_unsent(self) -> list[RowMapping]:
        return [row for row in await list_unsent(self.database) if row["platform"] in COPIES]

    async def audit_notices(self) -> str:
        """Check everything, and return the counts. Raises Violation."""
        asked = (self.journal.acknowledged, self.journal.attempted)
        plies = await audit_matches(self.database, self.matches, datetime.now(UTC), *asked)
        audit_logs(self.nodes)
        rows = [row for row in await list_rows(self.database) if row["platform"] in COPIES]
        audit_discarded(rows)
        mails = [(str(mail["To"]), str(mail["Message-ID"]).strip("<>")) for mail in read_mails(self.mails)]
        pushes = [(one, received) for one in self.people for received in one.phone.received]
        addresses = {one.person.account: address_of(one.person) for one in self.people}
        audit_mails([row for row in rows if row["platform"] == MAIL], mails, addresses)
        topics = [(one.person.account, push.payload["id"], push.topic) for one, push in pushes]
        audit_pushes([row for row in rows if row["platform"] == PUSH], topics)
        kills = ", ".join(f"{node.name} {node.kills}" for node in self.nodes)
        return (
            f"{kills}; {self.journal.moves} acknowledged moves of {plies} in the logs, "
            f"{len(mails)} mails with {len(set(mails))} Message-IDs, "
            f"{len(topics)} pushes of {len(set(topics))} notices"
        )


def audit_discarded(rows: Sequence[RowMapping]) -> None:
    """Check that everything was told, but what something newer about the same match replaced.

    Nobody has acted before they were told. Raises Violation.
    """
    latest: dict[tuple[str, str, int | None], int] = {}
    for row in rows:
        latest[row["platform"], row["to"], row["match"]] = row["id"]
    for row in rows:
        is_latest = latest[row["platform"], row["to"], row["match"]] == row["id"]
        if row["sent_at"] is None or (row["post"] is None and (row["match"] is None or is_latest)):
            raise Violation(f"nobody was told: {dict(row)}", row["match"])


def audit_mails(
    rows: Sequence[RowMapping], mails: Sequence[tuple[str, str]], addresses: Mapping[str, str]
) -> None:
    """Check that the mails, by address and Message-ID, are those that the rows name. Raises Violation."""
    arrived, by_id = set(mails), {row["id"]: row for row in rows}
    for row in rows:
        if row["post"] is not None and (addresses[row["to"]], f"{row['post']}@example.org") not in arrived:
            raise Violation(f"this mail has not arrived: {dict(row)}", row["match"])
    for address, message in arrived:
        name = message.partition("@")[0]
        kind, *numbers = name.split("-")
        last = by_id[int(numbers[1 if kind == "notices" else -1])]
        if address != addresses[last["to"]] or last["post"] not in {None, name}:
            raise Violation(f"{address} was told twice, by {name} too: {dict(last)}", last["match"])


def audit_pushes(rows: Sequence[RowMapping], pushes: Sequence[tuple[str, int, str]]) -> None:
    """Check that the pushes, by account, number and topic, are those of the rows. Raises Violation."""
    arrived = set(pushes)
    known = {
        (row["to"], row["id"], f"c{row['challenge']}" if row["match"] is None else f"m{row['match']}"): row
        for row in rows
    }
    for push, row in known.items():
        if row["post"] is not None and push not in arrived:
            raise Violation(f"this push has not arrived: {dict(row)}", row["match"])
    if unknown := arrived - known.keys():
        raise Violation(f"pushes without a notice: {unknown}")


async def kill_senders(storm: Storm) -> str:
    """Kill websites, workers and the mail server while people play; return the counts. Raises Violation."""
    is_shared, port, done = not storm.url.startswith("sqlite"), free_port(), 0
    async with (
        DiscordServer(check=False) as discord,
        await Database.open(storm.url) as database,
        running_service(storm.folder) as service,
    ):
        await keep_deleted_rows(database)
        place = (discord, database, storm.url, storm.folder, Random(storm.seed), PostRecorder(discord.world))
        cluster = NoticeCluster(*place, clock_lead=CLOCK_LEAD, _lead=FIRST_LEAD)
        sending = {"MAIL_URL": f"smtp://127.0.0.1:{port}", "MAIL_FROM": MAIL_FROM, "PUSH_HOSTS": HOST}
        sending |= {"SSL_CERT_FILE": service.authority, "COMPUTER": "off"}
        if is_shared:
            cluster.add_node("worker", ROLE="worker", PUBLIC_URL="http://127.0.0.1", **sending)
            for number in range(2):
                cluster.add_website(f"web {number}", "web", ROLE="web", **sending)
        else:
            cluster.add_website("website and worker", PUBLIC_URL="http://127.0.0.1", **sending)
        await asyncio.to_thread(cluster.mails.mkdir)
        cluster.nodes.append(ChildProcess("mail server", serve_mail, port, cluster.mails))
        await cluster.add_people(service, storm.matches)
        async with cluster.playing():
            for done in storm.attempts(storm.kills):  # noqa: B007 - the last one counts
                await cluster.kill_any()
        counts = await cluster.audit_notices()
    return f"{done} kills, {counts}"


async def _answers(session: aiohttp.ClientSession, website: str) -> bool:
    with suppress(aiohttp.ClientError, TimeoutError):
        async with session.get(website) as answer:
            return answer.status == HTTPStatus.OK
    return False
