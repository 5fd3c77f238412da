"""A cluster whose processes are killed in turn, whose database is restarted, and whose network is cut.

Two bots on disjoint shards, two websites, one worker and one PostgreSQL are processes of their own. People
play each match through Discord and both websites, and browsers watch. Every acknowledged move must be in the
log, once and on the board for which it was meant; every announcement must be posted once; every process must
come back by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from signal import SIGKILL
from typing import TYPE_CHECKING

from matches import Matches, MatchState
from matches.log_audit import list_match_ids
from runtime.settings import EXIT_CANNOT_START
from storage import Database
from tests.discord_server import DiscordServer
from tests.network import Network
from tests.processes import bot_arguments, bot_environment
from tests.soak.post_recorder import PostRecorder
from tests.storms import Violation, attempts
from tests.storms.audit import check_logs, check_posts, check_turns, load_outbox
from tests.storms.cluster_players import SECRET, TURN_TIME, Journal, Pair, Viewer
from tests.storms.forks import ForkedProcess, fork_context
from tests.storms.postgres_server import free_port, running_postgres

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext
    from pathlib import Path

    from sqlalchemy import RowMapping

    from tests.discord_server import Guild
    from tests.storms.postgres_server import PostgresServer

SHARDS = 2
PRELOADED = ("bot.app", "bot.__main__", "web.app", "backups.schedule", "asyncpg", "tests.discord_connector")
LONGEST_WAIT = 6.0  # seconds for some moves between two kills,
LONGEST_PAUSE = 2.0  # and then until the kill
START_SECONDS = 300.0  # until everything plays
RECOVERY_SECONDS = 300.0  # after a fault, until everything plays again
DRAIN_SECONDS = 60.0  # without any progress
STOP_SECONDS = 60.0
RESTART_PAUSE = 1.0  # seconds after a process that found no database
KNOWN_CONNECTIONS = 0.5  # share of those that go on when the network does
CLOCK_TOLERANCE = timedelta(minutes=1)


@dataclass(slots=True)
class Node:
    """A process of the cluster. Like a supervisor it is started again whenever it ends."""

    name: str
    start: Callable[[], ForkedProcess]
    is_disturbed: Callable[[], bool]
    process: ForkedProcess | None = None
    kills: int = 0
    failed_starts: int = 0
    is_over: bool = False

    @property
    def expected_status(self) -> int:
        """The exit code with which it may end now."""
        return 0 if self.is_over else -SIGKILL

    async def run(self) -> None:
        """Run it until :meth:`stop`. Raises Violation if it ends by itself.

        It may do so where it finds no database.
        """
        try:
            while not self.is_over:
                self.process = self.start()
                status = await self.process.wait()
                if status == EXIT_CANNOT_START and self.is_disturbed():
                    self.failed_starts += 1
                    await asyncio.sleep(RESTART_PAUSE)
                elif status != self.expected_status:
                    raise Violation(f"{self.name} ended by itself with status {status}")
        finally:
            self.kill()

    def kill(self) -> bool:
        """Kill it unless it is not running; return whether it was."""
        if self.process is None or not self.process.is_running:
            return False
        self.process.kill()
        self.kills += 1
        return True

    def stop(self) -> None:
        """Have it end cleanly."""
        self.is_over = True
        if self.process is not None:
            self.process.terminate()


@dataclass(slots=True)
class Cluster:
    """Everything that runs, and what is known about it."""

    discord: DiscordServer
    server: PostgresServer
    network: Network
    database: Database
    recorder: PostRecorder
    folder: Path
    rng: Random
    context: ForkServerContext
    nodes: list[Node] = field(default_factory=list)
    websites: list[str] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    journal: Journal = field(default_factory=Journal)
    logs: list[Path] = field(default_factory=list)
    disturbed_until: float = 0.0
    recoveries: list[str] = field(default_factory=list)

    @property
    def matches(self) -> Matches:
        return Matches(self.database)

    @property
    def must_answer(self) -> list[str]:
        """The shards and websites that must acknowledge moves, and the pairs that must be able to play."""
        shards = [f"shard {shard}" for shard in range(SHARDS)]
        return [*shards, *self.websites, *(pair.name for pair in self.pairs)]

    def add_nodes(self) -> None:
        """Add the processes, not started yet."""
        bot = bot_arguments(self.discord)
        for shard in range(SHARDS):
            self._add(f"bot {shard}", bot, ROLE="bot", SHARDS=f"{shard}/{SHARDS}")
        for number in range(2):
            port = str(free_port())
            self._add(f"web {number}", ("web",), ROLE="web", WEB_PORT=port, WEB_PROXIES="127.0.0.1")
            self.websites.append(f"http://127.0.0.1:{port}")
        self._add("worker", bot, ROLE="worker", COMPUTER="off")

    def _add(self, name: str, arguments: Sequence[str], **own: str) -> None:
        log, health = self.folder / f"{name}.log", str(self.folder / f"{name}.health")
        url = f"postgresql://postgres@127.0.0.1:{self.network.port}/postgres"
        settings = bot_environment(self.discord, url) | {"WEB_SECRET": SECRET, "HEALTH_FILE": health} | own
        self.logs.append(log)

        def start() -> ForkedProcess:
            self.discord.gateway.delete_disconnected()
            return ForkedProcess(self.context, arguments, settings, log)

        self.nodes.append(Node(name, start, self.is_disturbed))

    async def add_pairs(self, count: int) -> None:
        """Add pairs of people, half of them in a guild of each shard."""
        guilds = [await guild_of_shard(self.discord, shard) for shard in range(SHARDS)]
        for number in range(count):
            guild = guilds[number % SHARDS]
            channel = guild.channel(f"games-{number}")
            members = guild.member(f"Ada {number}"), guild.member(f"Bob {number}")
            pair = (guild, channel, members, self.websites)
            self.pairs.append(Pair(self.discord, self.matches, self.journal, self.rng, *pair))

    def is_disturbed(self) -> bool:
        """Return whether a process may have found no database when it started."""
        return time.monotonic() < self.disturbed_until

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

    async def restart_server(self, mode: str) -> None:
        """Restart PostgreSQL while people play, and wait until everything works again. Raises Violation."""
        self.disturbed_until = time.monotonic() + RECOVERY_SECONDS
        await self.server.restart(mode)
        await self._recover(f"restart ({mode})")

    async def cut_network(self, seconds: float) -> None:
        """Cut the network to PostgreSQL, kill during it, and wait until everything works again.

        Raises Violation.
        """
        self.disturbed_until = time.monotonic() + seconds + RECOVERY_SECONDS
        self.network.cut()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    await self.kill_next(0)
        self.network.restore(lambda: self.rng.random() < KNOWN_CONNECTIONS)
        await self._recover(f"cut of {seconds:g} s")

    async def kill_next(self, moves: int) -> None:
        """Kill the next process a moment after so many more moves were acknowledged, or after a while."""
        wanted, end = self.journal.moves + moves, time.monotonic() + LONGEST_WAIT
        while self.journal.moves < wanted and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await asyncio.sleep(self.rng.uniform(0, LONGEST_PAUSE))
        node = min(self.nodes, key=lambda one: one.kills)
        while not node.kill():  # noqa: ASYNC110 - it is being started
            await asyncio.sleep(0.1)

    async def _recover(self, fault: str) -> None:
        seconds = await self.wait_until_all_play(time.monotonic(), RECOVERY_SECONDS)
        self.recoveries.append(f"{fault}: all play again after {seconds:.1f} s")


async def guild_of_shard(discord: DiscordServer, shard: int) -> Guild:
    """Return a new guild that belongs to a shard."""
    while True:
        guild = discord.guild(f"Salon {shard}")
        if (guild.id >> 22) % SHARDS == shard:
            return guild
        await asyncio.sleep(0.001)


async def storm_cluster(
    folder: Path, seed: int, pairs: int, kills: int, seconds: float, cut_seconds: float
) -> str:
    """Kill the processes of a cluster in turn, at most for so many seconds; return the counts.

    After a third of the storm PostgreSQL crashes, after a half it is restarted, and after two thirds it
    cannot be reached for `cut_seconds`. Raises Violation.
    """
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(running_postgres())
        network = await stack.enter_async_context(Network(server.port))
        discord = await stack.enter_async_context(DiscordServer(check=False))
        discord.settings.shards = SHARDS
        url = f"postgresql://postgres@127.0.0.1:{server.port}/postgres"
        database = await stack.enter_async_context(await Database.open(url))
        recorder, context = PostRecorder(discord.world), fork_context(PRELOADED)
        cluster = Cluster(discord, server, network, database, recorder, folder, Random(seed), context)
        cluster.add_nodes()
        await cluster.add_pairs(pairs)
        viewers = [Viewer(pair, cluster.websites) for pair in cluster.pairs[:2]]
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(node.run()) for node in cluster.nodes]
                began = time.monotonic()
                await discord.wait_until(
                    lambda: len(discord.gateway.connected_shards) == SHARDS and discord.commands,
                    seconds=START_SECONDS,
                    what="the bots to connect",
                )
                playing = [group.create_task(pair.play()) for pair in cluster.pairs]
                watching = [group.create_task(viewer.watch()) for viewer in viewers]
                await cluster.wait_until_all_play(began, START_SECONDS)
                await _attack(cluster, kills, seconds, cut_seconds)
                await cluster.wait_until_all_play(time.monotonic(), RECOVERY_SECONDS)
                for pair in cluster.pairs:
                    pair.is_over = True
                await asyncio.wait(playing)
                await _drain(cluster, viewers)
                for task in watching:
                    task.cancel()
                await _stop(cluster, running)
        except* Violation as violations:
            raise violations.exceptions[0] from None
        return await _check(cluster, viewers)


async def _attack(cluster: Cluster, kills: int, seconds: float, cut_seconds: float) -> None:
    """Kill one process after the other, at random moments, and cause the other faults between."""
    began = time.monotonic()
    faults = deque[tuple[float, Callable[[], Awaitable[None]]]](
        [
            (1 / 3, lambda: cluster.restart_server("immediate")),
            (1 / 2, lambda: cluster.restart_server("fast")),
            (2 / 3, lambda: cluster.cut_network(cut_seconds)),
        ]
    )
    for number in attempts(kills, seconds):
        await cluster.kill_next(cluster.rng.randint(0, len(cluster.pairs)))
        progress = max(number / kills, (time.monotonic() - began) / seconds)
        while faults and progress >= faults[0][0]:
            await faults.popleft()[1]()
    for _, fault in faults:
        await fault()


async def _drain(cluster: Cluster, viewers: Iterable[Viewer]) -> None:
    """Wait until everything is posted, and shown in every browser. Raises Violation."""
    left, end = len(await _unsent(cluster)), time.monotonic() + DRAIN_SECONDS
    while unsent := await _unsent(cluster):
        if len(unsent) < left:
            left, end = len(unsent), time.monotonic() + DRAIN_SECONDS
        if time.monotonic() > end:
            raise Violation(f"{left} announcements were never sent, the first: {dict(unsent[0])}")
        await asyncio.sleep(0.3)
    end = time.monotonic() + DRAIN_SECONDS
    while unseen := [one.turns for one in viewers if not await _shows_all(cluster, one)]:
        if time.monotonic() > end:
            raise Violation(f"not shown at last: {unseen}")
        await asyncio.sleep(0.3)


async def _stop(cluster: Cluster, running: Iterable[asyncio.Task[None]]) -> None:
    """Have all processes end cleanly. Raises Violation."""
    for node in cluster.nodes:
        node.stop()
    _, late = await asyncio.wait(running, timeout=STOP_SECONDS)
    if late:
        raise Violation(f"{len(late)} processes did not stop within {STOP_SECONDS:.0f} s")


async def _unsent(cluster: Cluster) -> list[RowMapping]:
    return [row for row in await load_outbox(cluster.database) if row["sent_at"] is None]


async def _shows_all(cluster: Cluster, viewer: Viewer) -> bool:
    """Return whether a browser shows the last turn of every match that it has watched."""
    plies = {one: (await cluster.matches.view(one, now=datetime.now(UTC))).ply for one in viewer.turns}
    return plies == viewer.turns


async def _check(cluster: Cluster, viewers: Iterable[Viewer]) -> str:
    """Check everything; return the counts. Raises Violation."""
    journal = cluster.journal
    plies = await check_turns(cluster.database, cluster.matches, journal.acknowledged)
    announcements = await check_posts(cluster.database, cluster.recorder)
    check_logs(cluster.logs)
    await _check_boards_and_clocks(cluster)
    kills = ", ".join(f"{node.name} {node.kills}" for node in cluster.nodes)
    names = {website: f"website {number}" for number, website in enumerate(cluster.websites)}
    ways = ", ".join(f"{count} by {names.get(way, way)}" for way, count in sorted(journal.answers.items()))
    return (
        f"{sum(node.kills for node in cluster.nodes)} kills ({kills}), "
        f"{sum(node.failed_starts for node in cluster.nodes)} starts without a database; "
        f"{'; '.join(cluster.recoveries)}; "
        f"{journal.moves} acknowledged moves ({ways}) of {plies} in the logs, "
        f"{announcements} announcements posted once, "
        f"{sum(viewer.connections for viewer in viewers)} event streams"
    )


async def _check_boards_and_clocks(cluster: Cluster) -> None:
    """Check that every move was meant for its board, and that no clock was changed. Raises Violation."""
    for match in await list_match_ids(cluster.database):
        for move in (await cluster.matches.views.history(match)).moves:
            if move.text not in cluster.journal.attempted[match, move.ply]:
                raise Violation(f"match {match}: nobody asked for {move.text} as ply {move.ply}")
        view = await cluster.matches.view(match, now=datetime.now(UTC))
        if view.state is MatchState.OVER:
            if view.position is None or view.position.outcome is None:
                raise Violation(f"match {match} ended by {view.result}")
            continue
        deadline = None if view.time is None else view.time.deadline
        if deadline is None or abs(deadline - view.changed_at - TURN_TIME) > CLOCK_TOLERANCE:
            raise Violation(f"match {match}: last turn at {view.changed_at}, deadline at {deadline}")
