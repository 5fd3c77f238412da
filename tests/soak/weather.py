"""Bad weather: what goes wrong between Discord and the bot, and in the bot, while somebody does something."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.soak.house import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.discord_server import DiscordServer, Reply
    from tests.discord_server.faults import Fault
    from tests.soak.figures import Figures
    from tests.soak.house import House
    from tests.soak.story import Story

ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
UNKNOWN = 10062  # Discord's code for an interaction that it no longer knows
MOMENT = 0.2  # seconds in which an answer that was given reaches the person
SHORT = 0.2  # seconds of patience that the bot has while Discord is out: each try is in vain
RATE = 0.03  # of all that is done meets a fault
KILLS = 0.002
BREAKS = 0.004
TICK_RATE = 0.05  # of all looks at the outbox that are met by a fault
TICK_KILLS = 0.004
SLOW_RETRY = 0.04  # of the faults: discord.py waits for a real second before it tries again


class Weather:
    """Strikes at random. `struck` counts how often."""

    def __init__(
        self, discord: DiscordServer, house: House, chance: Random, figures: Figures, story: Story
    ) -> None:
        self._discord = discord
        self._house = house
        self._chance = chance
        self._figures = figures
        self._story = story
        self._outage: Fault | None = None
        self.struck = 0
        self.calm = False  # from the moment on at which accounts are settled

    async def strike(self, doing: asyncio.Task[Reply]) -> Reply:
        """Wait for an answer, perhaps in bad weather."""
        if self._outage is not None:
            return await self._in_vain(doing, self._outage)
        if not self._house.is_up:
            return await self._unheard(doing)
        drawn = self._chance.random()
        if drawn < KILLS:
            return await self._killed(doing)
        if drawn < KILLS + BREAKS:
            await self._broken()
        elif drawn < KILLS + BREAKS + RATE:
            await self._met(doing, self._fault())
        reply = await asyncio.wait_for(doing, PATIENCE)
        await self._house.quiet()
        self._discord.faults.clear()
        return reply

    async def tick(self) -> None:
        """Let the bot look after what time brings; what it posts then may meet bad weather too."""
        drawn = 1.0 if self.calm or self._outage is not None else self._chance.random()
        if drawn < TICK_KILLS:
            await self._killed_posting()
            return
        if drawn >= TICK_KILLS + TICK_RATE:
            await self._house.tick()
            return
        with self._discord.faults.drop("POST", POSTS, when_done=self._chance.random() < 0.5) as fault:
            await self._house.tick()
        if fault.hits:
            self._note("posts of the outbox dropped")

    async def _killed_posting(self) -> None:
        """Kill the bot while it posts from the outbox: its post stands, and nothing tells the bot so."""
        fault = self._discord.faults.hold("POST", POSTS, when_done=True)
        ticking = asyncio.create_task(self._house.tick())
        await _met_or_done(ticking, fault)
        if ticking.done():
            self._discord.faults.clear()
            await ticking
            return
        self._note("kills while posting")
        await self._house.kill(ticking)
        self._discord.faults.clear()
        await self._house.start()

    @property
    def is_outage(self) -> bool:
        return self._outage is not None

    def begin_outage(self) -> None:
        """From now on Discord answers every request of the bot that it cannot."""
        self._note("outages of Discord")
        self._house.bot.patience = SHORT
        self._outage = self._discord.faults.refuse("*", "**", status=503, times=None)

    def end_outage(self) -> None:
        if self._outage is not None:
            self._outage.remove()
            self._house.bot.patience = PATIENCE
        self._outage = None

    async def _met(self, doing: asyncio.Task[Reply], fault: Fault) -> None:
        """Let the bot meet a fault. A refusal that gets lost is not told again, and Discord gives up."""
        await _met_or_done(doing, fault)
        await self._house.quiet()
        await asyncio.wait({doing}, timeout=MOMENT)
        if not doing.done():
            self._discord.advance(PATIENCE)

    def _fault(self) -> Fault:
        faults, chance = self._discord.faults, self._chance
        if chance.random() < SLOW_RETRY:
            self._note("answers met by 500")
            return faults.refuse("POST", ANSWERS, status=500)
        kinds: dict[str, Callable[[], Fault]] = {
            "answers met by 404": lambda: faults.refuse("POST", ANSWERS, status=404, code=UNKNOWN),
            "answers met by 429": lambda: faults.rate_limit("POST", ANSWERS, retry_after=0.01),
            "answers dropped": lambda: faults.drop("POST", ANSWERS),
            "answers dropped when done": lambda: faults.drop("POST", ANSWERS, when_done=True),
            "posts dropped when done": lambda: faults.drop("POST", "/webhooks/**", when_done=True),
        }
        name = chance.choice(list(kinds))
        self._note(name)
        return kinds[name]()

    async def _unheard(self, doing: asyncio.Task[Reply]) -> Reply:
        """Let Discord give up at once: nobody is there to answer."""
        await asyncio.wait({doing}, timeout=0)
        if not doing.done():
            self._discord.advance(PATIENCE)
        return await doing

    async def _in_vain(self, doing: asyncio.Task[Reply], outage: Fault) -> Reply:
        """Wait until the bot has tried to answer, then until Discord gives up."""
        self.struck += 1
        outage.arrived.clear()
        await _met_or_done(doing, outage)
        if not doing.done():
            await self._house.quiet()
            self._discord.advance(PATIENCE)
        return await doing

    async def _killed(self, doing: asyncio.Task[Reply]) -> Reply:
        """Kill the bot just when it answers: before Discord has worked on that, or right after."""
        self._note("kills")
        faults = self._discord.faults
        done = self._chance.random() < 0.5
        fault = faults.hold("POST", ANSWERS, when_done=True) if done else faults.silence("POST", ANSWERS)
        await _met_or_done(doing, fault)
        if done and not doing.done():
            await self._discord.wait_until(
                lambda: self._discord.requests[-1].processed, seconds=PATIENCE, what="Discord to be done"
            )
        await self._house.kill()
        faults.clear()
        self._discord.advance(PATIENCE)
        reply = await doing
        await self._house.start()
        return reply

    async def _broken(self) -> None:
        """Break the gateway's connection; the client resumes by itself."""
        self._note("breaks of the gateway")
        gateway = self._discord.gateway
        before = gateway.identified + gateway.resumed
        match self._chance.choice(["close", "lose", "reconnect"]):
            case "close":
                await gateway.close()
            case "lose":
                gateway.lose()
            case _:
                await gateway.reconnect()
        await self._discord.wait_until(
            lambda: gateway.identified + gateway.resumed > before, seconds=PATIENCE, what="the bot to return"
        )

    def _note(self, what: str) -> None:
        self.struck += 1
        self._figures.deeds[what] += 1
        self._story.tell(self._discord.world.clock.now(), f"weather: {what}")


async def _met_or_done(doing: asyncio.Task[Any], fault: Fault) -> None:
    """Wait until a request meets the fault, or until what was to be done is done without."""
    arrived = asyncio.create_task(fault.arrived.wait())
    await asyncio.wait({doing, arrived}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    arrived.cancel()
