"""Where all happens, and how somebody does something there, whatever the weather is."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from i18n import Texts
from matches import Database, Matches, MatchId
from tests.discord_server import DiscordServer, LoopbackSettings
from tests.soak.bot_runner import RESPONSE_TIMEOUT, TICK_INTERVAL, BotRunner
from tests.soak.cost_meter import CostMeter
from tests.soak.determinism import FrozenClock, seeded_secrets
from tests.soak.event_log import EventLog
from tests.soak.fault_injector import FaultInjector
from tests.soak.metrics import Metrics, month_of
from tests.soak.plan import MONTH, START_TIME
from tests.soak.population import Population
from tests.soak.post_recorder import PostRecorder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from matches import MatchView
    from tests.discord_server import Member, Reply
    from tests.soak.plan import SimulationPlan

ERROR_TEXT = "Something went wrong"
HEADER_BYTES = 24  # bytes of a picture that tell its size


@dataclass(slots=True)
class SoakEnvironment:
    """The Discord, the bot, the people; `matches` reads matches as whoever looks at a board does."""

    plan: SimulationPlan
    discord: DiscordServer
    runner: BotRunner
    population: Population
    rng: Random
    texts: Texts
    matches: Matches
    log: EventLog
    fault_injector: FaultInjector
    post_recorder: PostRecorder
    meter: CostMeter
    metrics: Metrics
    database_file: Path
    report_progress: Callable[[str], object]
    expected_turns: dict[MatchId, tuple[int, str]] = field(
        default_factory=dict
    )  # somebody's next turn, at a ply
    followers: dict[MatchId, list[Member]] = field(default_factory=dict)  # people beside the two
    unreachable: set[str] = field(default_factory=set)  # accounts that once took no letters, or left a match
    notes: dict[tuple[MatchId, int], str] = field(default_factory=dict)
    moderators: dict[int, Member] = field(default_factory=dict)  # by server

    @property
    def now(self) -> datetime:
        return self.discord.world.clock.now()

    async def view(self, match: MatchId) -> MatchView:
        return await self.matches.view(match, now=self.now)

    def has_command(self, command: str) -> bool:
        """Return whether the bot has such a command."""
        return any(one["name"] == command for one in self.discord.commands)

    async def advance_to(self, when: datetime) -> None:
        """Let time go by; a bot that is up looks after what time brings, at the full hours of its own."""
        while self.now < when:
            tick = self.now + TICK_INTERVAL - (self.now - START_TIME) % TICK_INTERVAL
            self.discord.advance((min(tick, when) - self.now).total_seconds())
            if tick <= when and self.runner.is_up:
                await self.fault_injector.tick()
        self.release_memory()

    async def perform(
        self, who: Member, what: str, action: Coroutine[Any, Any, Reply], match: MatchId | None = None
    ) -> Reply:
        """Do something as a person; the answer may tell that none came. Bad weather may strike meanwhile.

        Raises Soaked where the bot says that something went wrong in it, or never answers in good weather.
        """
        faults_before = self.fault_injector.fault_count
        reply = await self.fault_injector.run(asyncio.create_task(action))
        text = reply.failed or ("a form" if reply.modal else reply.text if reply.message else "")
        self.log.record(self.now, f"{who.name} {what} -> {text[:160]!r}", match)
        if (
            faults_before == self.fault_injector.fault_count
            and self.runner.is_up
            and (reply.failed or text.startswith(ERROR_TEXT))
        ):
            raise self.log.failure(f"{who.name} was answered {text!r}", match)
        return reply

    def release_memory(self) -> None:
        """Let go what nobody will ask for again: requests, dead interactions, the bytes of pictures."""
        world = self.discord.world
        self.metrics.requests[month_of(self.now)] += len(self.discord.requests)
        self.discord.requests.clear()
        alive = world.settings.token_seconds
        for token, one in tuple(world.interactions.items()):
            if world.clock.time() - one.created > alive:
                del world.interactions[token]
        for file in world.attachments.values():
            file.data = file.data[:HEADER_BYTES]
        world.attachments.clear()
        world.nonces.clear()

    def finish_month(self) -> None:
        """Let go of what was told to one person alone, note the database's size, and tell how far we are."""
        for channel in self.discord.world.channels.values():
            channel.messages[:] = [one for one in channel.messages if not one.ephemeral]
        self.metrics.database_sizes[month_of(self.now - TICK_INTERVAL)] = sum(
            path.stat().st_size for path in self.database_file.parent.glob(f"{self.database_file.name}*")
        )
        done, turns = self.metrics.counts["matches"], sum(self.metrics.turns.values())
        self.report_progress(f"{self.now:%d %B}: {done:,} matches begun, {turns:,} turns")


@asynccontextmanager
async def create_environment(
    plan: SimulationPlan, folder: Path, report_progress: Callable[[str], object]
) -> AsyncIterator[SoakEnvironment]:
    """Open the place, with the bot running."""
    started_at = time.monotonic()
    rng = Random(plan.seed)
    discord = DiscordServer(
        settings=LoopbackSettings(interaction_seconds=RESPONSE_TIMEOUT),
        check=plan.check_schema,
        clock=FrozenClock(START_TIME),
    )
    with seeded_secrets(Random(plan.seed + 1)):
        async with discord:
            population = Population(discord, plan, rng)
            database_file = folder / "rayuela.db"
            meter = CostMeter()
            runner = BotRunner(discord, database_file, meter)
            await runner.start()
            metrics, log = Metrics(whole_months=(plan.end - START_TIME) // MONTH), EventLog(plan.seed)
            post_recorder = PostRecorder(discord.world)
            fault_injector = FaultInjector(discord, runner, Random(plan.seed + 2), metrics, log)
            async with await Database.open(runner.database_url) as database:
                yield SoakEnvironment(
                    plan,
                    discord,
                    runner,
                    population,
                    rng,
                    Texts.load(),
                    Matches(database),
                    log,
                    fault_injector,
                    post_recorder,
                    meter,
                    metrics,
                    database_file,
                    report_progress,
                )
                metrics.seconds = time.monotonic() - started_at
                if runner.is_up:
                    await runner.stop()
