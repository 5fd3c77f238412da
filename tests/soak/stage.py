"""Where all happens, and how somebody does something there, whatever the weather is."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from matches import Matches, MatchId, Store
from tests.discord_server import DiscordServer, Settings
from tests.soak.cast import Cast
from tests.soak.figures import Figures, month_of
from tests.soak.held import HeldClock, held_chance
from tests.soak.house import PATIENCE, TICK, House
from tests.soak.plan import BEGIN, MONTH
from tests.soak.story import Story
from tests.soak.weather import Weather
from tests.soak.witness import Witness

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from matches import MatchView
    from tests.discord_server import Member, Reply
    from tests.soak.plan import Plan

WRONG = "Something went wrong"
HEADER = 24  # bytes of a picture that tell its size


@dataclass(slots=True)
class Stage:
    """The Discord, the bot, the people; `eye` reads matches as whoever looks at a board does."""

    plan: Plan
    discord: DiscordServer
    house: House
    cast: Cast
    chance: Random
    eye: Matches
    story: Story
    weather: Weather
    witness: Witness
    figures: Figures
    database: Path
    tell: Callable[[str], object]
    expected: dict[MatchId, tuple[int, str]] = field(default_factory=dict)  # somebody's next turn, at a ply
    following: dict[MatchId, list[Member]] = field(default_factory=dict)  # people beside the two
    hidden: set[str] = field(default_factory=set)  # accounts that once took no letters, or left a match
    notes: dict[tuple[MatchId, int], str] = field(default_factory=dict)
    stewards: dict[int, Member] = field(default_factory=dict)  # by server

    @property
    def now(self) -> datetime:
        return self.discord.world.clock.now()

    async def view(self, match: MatchId) -> MatchView:
        return await self.eye.view(match, now=self.now)

    def knows(self, command: str) -> bool:
        """Tell whether the bot has such a command."""
        return any(one["name"] == command for one in self.discord.commands)

    async def pass_until(self, when: datetime) -> None:
        """Let time go by; a bot that is up looks after what time brings, at the full hours of its own."""
        while self.now < when:
            tick = self.now + TICK - (self.now - BEGIN) % TICK
            self.discord.advance((min(tick, when) - self.now).total_seconds())
            if tick <= when and self.house.is_up:
                await self.weather.tick()
        self.forget()

    async def do(
        self, who: Member, what: str, doing: Coroutine[Any, Any, Reply], match: MatchId | None = None
    ) -> Reply:
        """Do something as a person; the answer may tell that none came. Bad weather may strike meanwhile.

        Raises Soaked where the bot says that something went wrong in it, or never answers in good weather.
        """
        struck = self.weather.struck
        reply = await self.weather.strike(asyncio.create_task(doing))
        said = reply.failed or ("a form" if reply.modal else reply.text if reply.message else "")
        self.story.tell(self.now, f"{who.name} {what} -> {said[:160]!r}", match)
        if struck == self.weather.struck and self.house.is_up and (reply.failed or said.startswith(WRONG)):
            raise self.story.fail(f"{who.name} was answered {said!r}", match)
        return reply

    def forget(self) -> None:
        """Let go what nobody will ask for again: requests, dead interactions, the bytes of pictures."""
        world = self.discord.world
        self.figures.requests[month_of(self.now)] += len(self.discord.requests)
        self.discord.requests.clear()
        alive = world.settings.token_seconds
        for token, one in tuple(world.interactions.items()):
            if world.clock.time() - one.created > alive:
                del world.interactions[token]
        for file in world.attachments.values():
            file.data = file.data[:HEADER]
        world.attachments.clear()
        world.nonces.clear()

    def turn_the_month(self) -> None:
        """Let go of what was told to one person alone, note the database's size, and tell how far we are."""
        for channel in self.discord.world.channels.values():
            channel.messages[:] = [one for one in channel.messages if not one.ephemeral]
        self.figures.sizes[month_of(self.now)] = sum(
            path.stat().st_size for path in self.database.parent.glob(f"{self.database.name}*")
        )
        done, turns = self.figures.deeds["matches"], sum(self.figures.turns.values())
        self.tell(f"{self.now:%d %B}: {done:,} matches begun, {turns:,} turns")


@asynccontextmanager
async def set_up(plan: Plan, folder: Path, tell: Callable[[str], object]) -> AsyncIterator[Stage]:
    """Open the place, with the bot running."""
    began = time.monotonic()
    chance = Random(plan.seed)
    discord = DiscordServer(
        settings=Settings(interaction_seconds=PATIENCE), check=plan.checked, clock=HeldClock(BEGIN)
    )
    with held_chance(Random(plan.seed + 1)):
        async with discord:
            cast = Cast(discord, plan, chance)
            database = folder / "rayuela.db"
            house = House(discord, database)
            await house.start()
            figures, story = Figures(whole_months=(plan.end - BEGIN) // MONTH), Story(plan.seed)
            witness = Witness(discord.world)
            weather = Weather(discord, house, Random(plan.seed + 2), figures, story)
            async with await Store.open(house.address) as store:
                yield Stage(
                    plan,
                    discord,
                    house,
                    cast,
                    chance,
                    Matches(store),
                    story,
                    weather,
                    witness,
                    figures,
                    database,
                    tell,
                )
                figures.seconds = time.monotonic() - began
                if house.is_up:
                    await house.stop()
