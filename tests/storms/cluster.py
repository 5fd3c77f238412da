"""Bots, websites and workers that are killed again and again while people play, or lose their database.

`kills` attacks one bot on any database, `cluster` two bots on disjoint shards, two websites and a worker on a
PostgreSQL of their own. Every acknowledged move must be in the log, once and on the board for
which it was meant; every announcement must be posted once; every process must come back by itself.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from signal import SIGKILL
from typing import TYPE_CHECKING

from sqlalchemy import text

from matches import Matches, MatchState, Terms
from matches.log_audit import list_match_ids
from runtime.settings import EXIT_CANNOT_START
from storage import Database
from tests.cluster import Violation
from tests.cluster.audit import (
    audit_logs,
    audit_matches,
    audit_posts,
    keep_deleted_rows,
    list_rows,
    list_unsent,
)
from tests.cluster.posts import PostRecorder
from tests.cluster.process import ChildProcess, run_module
from tests.discord_server import DiscordServer
from tests.network import Network
from tests.processes import bot_arguments, bot_environment
from tests.storms.players import MAX_THINKING, SECRET, TIMED, TURN_TIME, Journal, Pair, Viewer
from tests.storms.postgres_server import free_port, running_postgres

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterable
    from pathlib import Path

    from sqlalchemy import RowMapping

    from tests.discord_server import Guild
    from tests.storms import Storm
    from tests.storms.postgres_server import PostgresServer
    from tests.storms.told_players import ToldPair

PAIRS_PER_CHANNEL = 4
LONGEST_WAIT = 6.0  # seconds for some moves between two kills,
LONGEST_PAUSE = 2.0  # and then until the kill
START_SECONDS = 300.0  # until everything plays
RECOVERY_SECONDS = 300.0  # after a fault, until everything plays again
CLOCK_LEAD = 30.0  # seconds that a lone bot's clock is ahead of that of the killed one, so that leases end
RETRY_LEAD = 3600.0  # the same for the last ones: every retry is due
DRAIN_ROUNDS = 5
DRAIN_SECONDS = 60.0  # without any progress
STOP_SECONDS = 60.0
RESTART_PAUSE = 1.0  # seconds after a process that found no database
KNOWN_CONNECTIONS = 0.5  # share of those that go on when the network does
CLOCK_TOLERANCE = timedelta(minutes=1)
LOST_DATABASE = {"storage.unavailable"}  # the errors in logs that attacks on the database explain
TERMINATE = text(
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5"
)


@dataclass(slots=True)
class Cluster:
    """Everything that runs, and what is known about it; `url` is the database of the processes."""

    discord: DiscordServer
    database: Database
    url: str
    folder: Path
    rng: Random
    recorder: PostRecorder
    nodes: list[ChildProcess] = field(default_factory=list)
    websites: list[str] = field(default_factory=list)
    pairs: list[Pair | ToldPair] = field(default_factory=list)
    viewers: list[Viewer] = field(default_factory=list)
    journal: Journal = field(default_factory=Journal)
    clock_lead: float = 0.0  # of each bot to the one before; 0 where clocks must be right
    disturbed_until: float = 0.0
    terminated: int = 0  # connections
    recoveries: list[str] = field(default_factory=list)
    audited: str = ""  # the counts of the audit
    _lead: float = 0.0
    _is_over: bool = False

    @property
    def matches(self) -> Matches:
        return Matches(self.database)

    @property
    def shards(self) -> int:
        return self.discord.settings.shards

    @property
    def _expected_status(self) -> int:
        """The exit code with which a process may end now."""
        return 0 if self._is_over else -SIGKILL

    @property
    def must_answer(self) -> list[str]:
        """The shards and websites that must acknowledge moves, and the pairs that must be able to play."""
        shards = [f"shard {shard}" for shard in range(self.shards)]
        return [*shards, *self.websites, *(pair.name for pair in self.pairs)]

    def add_node(self, name: str, *module: str, **own: str) -> None:
        """Add a process of a module, by default the bot, with settings of its own; it is not started yet."""
        settings = bot_environment(self.discord, self.url)
        settings |= {"WEB_SECRET": SECRET, "HEALTH_FILE": str(self.folder / f"{name}.health"), **own}
        arguments, log = module or bot_arguments(self.discord), self.folder / f"{name}.log"
        self.nodes.append(ChildProcess(name, run_module, *arguments, log=log, settings=settings))

    async def add_pairs(self, count: int, terms: Terms, thinking: float = 0.0) -> None:
        """Add pairs of people, in a server of each shard in turn, who think for `thinking` seconds."""
        guilds = [await _guild_of_shard(self.discord, shard) for shard in range(self.shards)]
        rows = range(-(-count // PAIRS_PER_CHANNEL))
        channels = [guild.channel(f"games-{row}") for row in rows for guild in guilds]
        for number in range(count):
            guild, channel = guilds[number % len(guilds)], channels[number % len(channels)]
            members = guild.member(f"Ada {number}"), guild.member(f"Bob {number}")
            self.pairs.append(Pair(self, guild, channel, members, terms, thinking))

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Run the processes and let people play inside this context; at its end everything is posted.

        It is shown to the viewers, too, and the processes have ended cleanly. Raises Violation.
        """
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(self._keep_running(node)) for node in self.nodes]
                await self.wait_until_connected()
                playing = [group.create_task(pair.play()) for pair in self.pairs]
                watching = [group.create_task(viewer.watch()) for viewer in self.viewers]
                yield
                for pair in self.pairs:
                    pair.is_over = True
                await asyncio.wait(playing)
                await self._drain()
                for task in watching:
                    task.cancel()
                await self._stop(running)
        except* Violation as violations:
            raise violations.exceptions[0] from None

    async def _keep_running(self, node: ChildProcess) -> None:
        """Start a process again whenever it is killed, as a supervisor does.

        Raises Violation if it ends by itself; it may do so where it finds no database.
        """
        try:
            while not self._is_over:
                self.discord.gateway.delete_disconnected()
                if self.clock_lead and node.arguments[0] == bot_arguments(self.discord)[0]:
                    self._lead += self.clock_lead
                    node.arguments = bot_arguments(self.discord, ahead=self._lead)
                node.start()
                status = await node.wait()
                if status == EXIT_CANNOT_START and time.monotonic() < self.disturbed_until:
                    await asyncio.sleep(RESTART_PAUSE)
                elif status != self._expected_status:
                    raise Violation(f"{node.name} ended by itself with status {status}")
        finally:
            node.kill()

    async def wait_until_connected(self) -> None:
        await self.discord.wait_until(
            lambda: len(self.discord.gateway.connected_shards) == self.shards and self.discord.commands,
            seconds=START_SECONDS,
            what="the bots to connect",
        )

    async def wait_until_all_play(self, since: float, seconds: float) -> float:
        """Wait until every shard, every website, and for every pair any, has acknowledged a move of later.

        Later than `since`. Returns how many seconds that took. Raises Violation.
        """
        answered_at = self.journal.answered_at
        while missing := [one for one in self.must_answer if answered_at.get(one, 0.0) < since]:
            if time.monotonic() > since + seconds:
                raise Violation(f"{seconds:.0f} s and no move acknowledged by {missing}")
            await asyncio.sleep(0.1)
        return time.monotonic() - since

    async def kill_next(self, moves: int) -> None:
        """Kill the next process a moment after so many more moves were acknowledged, or after a while."""
        wanted, end = self.journal.moves + moves, time.monotonic() + LONGEST_WAIT
        while self.journal.moves < wanted and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await asyncio.sleep(self.rng.uniform(0, LONGEST_PAUSE))
        node = min(self.nodes, key=lambda one: one.kills)
        while not node.kill():  # noqa: ASYNC110 - it is being started
            await asyncio.sleep(0.1)

    async def terminate_connections(self) -> None:
        """End half of the connections to PostgreSQL, at random."""
        self.disturbed_until = time.monotonic() + RECOVERY_SECONDS
        async with self.database.read() as connection:
            self.terminated += (await connection.execute(TERMINATE)).scalar_one()

    async def restart_server(self, server: PostgresServer, mode: str) -> None:
        """Restart PostgreSQL while people play, and wait until everything works again. Raises Violation."""
        self.disturbed_until = time.monotonic() + RECOVERY_SECONDS
        await server.restart(mode)
        await self._recover(f"restart ({mode})")

    async def cut_network(self, network: Network, seconds: float) -> None:
        """Cut the network to PostgreSQL, kill during it, and wait until everything works again.

        Raises Violation.
        """
        self.disturbed_until = time.monotonic() + seconds + RECOVERY_SECONDS
        network.cut()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    await self.kill_next(0)
        network.restore(lambda: self.rng.random() < KNOWN_CONNECTIONS)
        await self._recover(f"cut of {seconds:g} s")

    async def _recover(self, fault: str) -> None:
        seconds = await self.wait_until_all_play(time.monotonic(), RECOVERY_SECONDS)
        self.recoveries.append(f"{fault}: all play again after {seconds:.1f} s")

    async def _drain(self) -> None:
        """Wait until everything is posted, and shown in every browser. Raises Violation."""
        for _ in range(DRAIN_ROUNDS if self.clock_lead else 1):
            if self.clock_lead:
                self.clock_lead = RETRY_LEAD
                self.nodes[0].kill()
                await self.discord.wait_until(lambda: not self.discord.gateway.is_connected)
            await self.wait_until_connected()
            if not (left := await self._wait_until_sent()):
                break
        else:
            raise Violation(f"{len(left)} announcements were never sent, the first: {dict(left[0])}")
        end = time.monotonic() + DRAIN_SECONDS
        while unseen := [one.turns for one in self.viewers if not await one.shows_all()]:
            if time.monotonic() > end:
                raise Violation(f"not shown at last: {unseen}")
            await asyncio.sleep(0.3)

    async def _wait_until_sent(self) -> list[RowMapping]:
        """Wait until every announcement is sent; return those that are left, once there is no progress."""
        left, end = await list_unsent(self.database), time.monotonic() + DRAIN_SECONDS
        while left and time.monotonic() < end:
            await asyncio.sleep(0.3)
            before, left = left, await list_unsent(self.database)
            if len(left) < len(before):
                end = time.monotonic() + DRAIN_SECONDS
        return left

    async def _stop(self, running: Iterable[asyncio.Task[None]]) -> None:
        """Have all processes end cleanly. Raises Violation."""
        self._is_over = True
        for node in self.nodes:
            node.terminate()
        _, late = await asyncio.wait(running, timeout=STOP_SECONDS)
        if late:
            raise Violation(f"{len(late)} processes did not stop within {STOP_SECONDS:.0f} s")

    async def audit(self, expected_errors: Collection[str]) -> None:
        """Check everything. Raises Violation."""
        now = datetime.now(UTC) + timedelta(seconds=self._lead)
        asked = (self.journal.acknowledged, self.journal.attempted)
        plies = await audit_matches(self.database, self.matches, now, *asked)
        rows = await list_rows(self.database)
        audit_posts(rows, self.recorder)
        audit_logs(self.nodes, expected_errors)
        if not self.clock_lead:
            await self._audit_clocks()
        moves = f"{self.journal.moves} acknowledged moves of {plies} in the logs"
        self.audited = f"{moves}, {len(rows)} announcements posted once"

    async def _audit_clocks(self) -> None:
        """Check that no clock was changed. Raises Violation."""
        for match in await list_match_ids(self.database):
            view = await self.matches.view(match, now=datetime.now(UTC))
            if view.state is MatchState.OVER:
                if view.position is None or view.position.outcome is None:
                    raise Violation(f"match {match} ended by {view.result}")
                continue
            deadline = None if view.time is None else view.time.deadline
            if deadline is None or abs(deadline - view.changed_at - TURN_TIME) > CLOCK_TOLERANCE:
                raise Violation(f"match {match}: last turn at {view.changed_at}, deadline at {deadline}")


async def _guild_of_shard(discord: DiscordServer, shard: int) -> Guild:
    """Return a new guild that belongs to a shard."""
    while True:
        guild = discord.guild(f"Salon {shard}")
        if (guild.id >> 22) % discord.settings.shards == shard:
            return guild
        await asyncio.sleep(0.001)


@asynccontextmanager
async def _open_cluster(
    storm: Storm, *, shards: int = 1, own_url: str = "", clock_lead: float = 0.0
) -> AsyncIterator[Cluster]:
    """Open a cluster without processes and people; its own way to the database may be another than theirs."""
    async with DiscordServer(check=False) as discord, await Database.open(own_url or storm.url) as database:
        discord.settings.shards = shards
        await keep_deleted_rows(database)
        place = (discord, database, storm.url, storm.folder)
        yield Cluster(*place, Random(storm.seed), PostRecorder(discord.world), clock_lead=clock_lead)


async def kill_bots(storm: Storm) -> str:
    """Kill the bot again and again while matches are played; return the counts. Raises Violation."""
    done = 0
    async with _open_cluster(storm, clock_lead=CLOCK_LEAD) as cluster:
        cluster.add_node("bot")
        await cluster.add_pairs(storm.matches, Terms())
        async with cluster.playing():
            for done in storm.attempts(storm.kills):  # noqa: B007 - the last one counts
                await cluster.wait_until_connected()
                await cluster.kill_next(cluster.rng.randint(0, 2 * storm.matches))
        await cluster.audit(())
    return f"{done} kills, {storm.matches} matches at once, {cluster.audited}"


async def storm_cluster(storm: Storm) -> str:
    """Kill the processes of a cluster in turn, and end connections to the database; return the counts.

    After a third of the storm PostgreSQL crashes, after a half it is restarted, and after two thirds it
    cannot be reached for `storm.cut` seconds. Raises Violation.
    """
    address = "postgresql://postgres@127.0.0.1:{}/postgres"
    async with running_postgres() as server, Network(server.port) as network:
        place = replace(storm, url=address.format(network.port))
        async with _open_cluster(place, shards=2, own_url=address.format(server.port)) as cluster:
            for shard in range(cluster.shards):
                cluster.add_node(f"bot {shard}", ROLE="bot", SHARDS=f"{shard}/{cluster.shards}")
            for number in range(2):
                port = str(free_port())
                web = {"ROLE": "web", "WEB_PORT": port, "WEB_PROXIES": "127.0.0.1"}
                cluster.add_node(f"web {number}", "web", **web)
                cluster.websites.append(f"http://127.0.0.1:{port}")
            cluster.add_node("worker", ROLE="worker", COMPUTER="off")
            await cluster.add_pairs(storm.matches, TIMED, MAX_THINKING)
            cluster.viewers = [Viewer(pair) for pair in cluster.pairs[:2] if isinstance(pair, Pair)]
            began = time.monotonic()
            async with cluster.playing():
                await cluster.wait_until_all_play(began, START_SECONDS)
                await _attack(cluster, server, network, storm)
                await cluster.wait_until_all_play(time.monotonic(), RECOVERY_SECONDS)
            await cluster.audit(LOST_DATABASE)
    kills = sum(node.kills for node in cluster.nodes)
    return (
        f"{kills} kills, {cluster.terminated} connections terminated; {'; '.join(cluster.recoveries)}; "
        f"{cluster.audited}"
    )


async def _attack(cluster: Cluster, server: PostgresServer, network: Network, storm: Storm) -> None:
    """Kill one process after the other, at random moments, and cause the other faults between these."""
    began = time.monotonic()
    faults = [
        (2 / 3, partial(cluster.cut_network, network, storm.cut)),
        (1 / 2, partial(cluster.restart_server, server, "fast")),
        (1 / 3, partial(cluster.restart_server, server, "immediate")),
    ]
    for number in storm.attempts(storm.kills):
        await cluster.kill_next(cluster.rng.randint(0, len(cluster.pairs)))
        if number % 2:
            await cluster.terminate_connections()
        progress = max(number / storm.kills, (time.monotonic() - began) / storm.seconds)
        while faults and progress >= faults[-1][0]:
            await faults.pop()[1]()
    for _, fault in reversed(faults):
        await fault()
