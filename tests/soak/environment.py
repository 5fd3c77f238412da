"""The simulated Discord with its bot and people, and how a person does something there."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from i18n import Texts
from matches import Database, Matches, MatchId, MatchView
from tests.cluster.audit import keep_deleted_rows
from tests.cluster.posts import PostRecorder
from tests.discord_server import DiscordServer, LoopbackSettings
from tests.soak.clock import FrozenClock
from tests.soak.cluster import Cluster
from tests.soak.event_log import EventLog
from tests.soak.fault_injector import FaultInjector
from tests.soak.plan import RESPONSE_TIMEOUT, START_TIME, TICK_INTERVAL
from tests.soak.population import Population

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from datetime import datetime
    from pathlib import Path

    from matches import LoggedMove
    from tests.discord_server import Channel, Member, Message, Reply
    from tests.discord_server.guilds import ChannelState
    from tests.soak.plan import SimulationPlan

ERROR_TEXT = "Something went wrong"
HEADER_BYTES = 24  # the part of a PNG that holds its size


@dataclass(slots=True)
class SoakEnvironment:
    """The test Discord, the processes, the people; `matches` reads their database, for checks.

    `finished_logs` are the moves of matches as they were at their end.
    """

    plan: SimulationPlan
    discord: DiscordServer
    cluster: Cluster
    population: Population
    rng: Random
    texts: Texts
    database: Database
    matches: Matches
    log: EventLog
    fault_injector: FaultInjector
    post_recorder: PostRecorder
    counts: Counter[str]
    report_progress: Callable[[str], object]
    expected_turns: dict[MatchId, tuple[int, str]] = field(
        default_factory=dict
    )  # the ply and the text of a turn for which a conditional move waits
    followers: dict[MatchId, list[Member]] = field(default_factory=dict)
    unreachable: set[str] = field(default_factory=set)  # accounts that once closed messages or unfollowed
    notes: dict[tuple[MatchId, int], str] = field(default_factory=dict)
    finished_logs: dict[MatchId, tuple[LoggedMove, ...]] = field(default_factory=dict)
    moderators: dict[int, Member] = field(default_factory=dict)  # by server

    @property
    def now(self) -> datetime:
        return self.discord.world.clock.now()

    async def view(self, match: MatchId) -> MatchView:
        return await self.matches.view(match, now=self.now)

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] += number

    async def advance_to(self, when: datetime) -> None:
        """Advance the clock; running processes get their ticks at multiples of TICK_INTERVAL."""
        while self.now < when:
            tick = self.now + TICK_INTERVAL - (self.now - START_TIME) % TICK_INTERVAL
            self.discord.advance((min(tick, when) - self.now).total_seconds())
            if tick <= when and self.cluster.is_up:
                await self.fault_injector.tick()
        self.release_memory()

    async def command(
        self, who: Member, name: str, about: MatchView | Channel | ChannelState, **options: Any
    ) -> Reply:
        """Use a command in a channel, or about a match in its channel; see :meth:`perform`."""
        what = " ".join((f"/{name}", *map(str, options.values())))
        if not isinstance(about, MatchView):
            return await self.perform(who, what, who.command(name, options, channel=about))
        channel, options = self.population.channel(about.channel), {"match": str(about.id), **options}
        return await self.perform(who, what, who.command(name, options, channel=channel), about.id)

    async def click(
        self, who: Member, on: tuple[Message, str] | tuple[Reply, str], match: MatchId | None = None
    ) -> Reply:
        """Press a button of a post or an answer, by its label or custom id; see :meth:`perform`."""
        return await self.perform(who, f"presses {on[1]}", who.click(*on), match)

    async def perform(
        self, who: Member, what: str, action: Coroutine[Any, Any, Reply], match: MatchId | None = None
    ) -> Reply:
        """Run an action of a person, perhaps with a fault, and return the answer; `failed` says if none came.

        Raises SimulationFailure where the bot reports an internal error, or does not answer without a fault.
        """
        faults_before = self.fault_injector.fault_count
        reply = await self.fault_injector.run(asyncio.create_task(action))
        text = reply.failed or ("a modal" if reply.modal else reply.text if reply.message else "")
        self.log.record(self.now, f"{who.name} {what} -> {text[:160]!r}", match)
        if faults_before == self.fault_injector.fault_count and (reply.failed or text.startswith(ERROR_TEXT)):
            raise self.log.failure(f"{who.name} was answered {text!r}", match)
        return reply

    def release_memory(self) -> None:
        """Drop what is not needed again: logged requests, expired interactions, the bytes of pictures."""
        world = self.discord.world
        self.discord.requests.clear()
        alive = world.settings.token_seconds
        for token, one in tuple(world.interactions.items()):
            if world.clock.time() - one.created > alive:
                del world.interactions[token]
        for file in world.attachments.values():
            file.data = file.data[:HEADER_BYTES]
        world.attachments.clear()
        world.nonces.clear()

    async def finish_month(self) -> None:
        """Drop ephemeral messages, and report the progress."""
        for channel in self.discord.world.channels.values():
            channel.messages[:] = [one for one in channel.messages if not one.ephemeral]
        matches, turns = self.counts["matches"], self.counts["turns"]
        self.report_progress(f"{self.now:%d %B}: {matches:,} matches started, {turns:,} turns")


@asynccontextmanager
async def create_environment(
    plan: SimulationPlan, folder: Path, report_progress: Callable[[str], object], postgres_url: str | None
) -> AsyncIterator[SoakEnvironment]:
    """Open an environment with its processes running."""
    rng, clock_file = Random(plan.seed), folder / "clock"
    discord = DiscordServer(
        settings=LoopbackSettings(interaction_seconds=RESPONSE_TIMEOUT),
        check=plan.check_schema,
        clock=FrozenClock(START_TIME, clock_file),
    )
    url = postgres_url or f"sqlite:///{folder / 'rayuela.db'}?timeout={RESPONSE_TIMEOUT}"
    async with discord, await Database.open(url) as database:
        await keep_deleted_rows(database)
        counts, log = Counter[str](), EventLog(plan.seed)
        cluster = Cluster(discord, url, folder, clock_file, plan, Random(plan.seed + 3), counts)
        population = Population(discord, plan, rng)
        recorder = PostRecorder(discord.world)
        faults = FaultInjector(discord, recorder, cluster, Random(plan.seed + 2), counts, log)
        try:
            await cluster.start()
            yield SoakEnvironment(
                *(plan, discord, cluster, population, rng, Texts.load(), database, Matches(database)),
                *(log, faults, recorder, counts, report_progress),
            )
        finally:
            await cluster.close()
