"""Faults between Discord and the bot, and in the bot, while somebody acts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.soak.bot_runner import RESPONSE_TIMEOUT
from tests.soak.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.discord_server import DiscordServer, Reply
    from tests.discord_server.faults import Fault
    from tests.soak.bot_runner import BotRunner
    from tests.soak.event_log import EventLog
    from tests.soak.metrics import Metrics
    from tests.soak.post_recorder import PostRecorder

ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
UNKNOWN_INTERACTION = 10062  # Discord's code for an interaction that it no longer knows
DELIVERY_SECONDS = 0.2  # in which an answer that was given reaches the person
OUTAGE_TIMEOUT = 0.2  # how long the bot waits during an outage, where every attempt fails
# Shares of all actions, and of all ticks, that meet a fault:
FAULT_RATE = 0.03
KILL_RATE = 0.002
BREAK_RATE = 0.004
TICK_MEANWHILE_RATE = 0.05  # of the actions on a cluster, whose other processes do not wait for an answer
TICK_RATE = 0.05
TICK_KILL_RATE = 0.004
CLUSTER_TICK_KILL_RATE = 0.1  # higher, since most posts of a cluster are answers, not those of a worker
SLOW_RETRY_RATE = 0.04  # of the faults; rare, since discord.py waits for a real second before it retries


class FaultInjector:
    """Causes random faults; `fault_count` is how many there were, with interactions that nobody got."""

    def __init__(
        self,
        discord: DiscordServer,
        posts: PostRecorder,
        runner: BotRunner | Cluster,
        rng: Random,
        metrics: Metrics,
        log: EventLog,
    ) -> None:
        self._discord = discord
        self._posts = posts
        self._runner = runner
        self._rng = rng
        self._metrics = metrics
        self._log = log
        self._outage: Fault | None = None
        self.fault_count = 0
        self.is_paused = False  # during the audit

    async def run(self, action: asyncio.Task[Reply]) -> Reply:
        """Wait for the answer to an action, perhaps with a fault."""
        if self._outage is not None:
            return await self._run_during_outage(action, self._outage)
        if not self._runner.is_complete:
            return await self._run_while_down(action)
        drawn = self._rng.random()
        if drawn < KILL_RATE:
            return await self._kill_while_answering(action)
        if drawn < KILL_RATE + BREAK_RATE:
            await self._break_gateway()
        elif drawn < KILL_RATE + BREAK_RATE + FAULT_RATE:
            await self._run_with_fault(action, self._random_fault())
        elif isinstance(self._runner, Cluster) and drawn > 1 - TICK_MEANWHILE_RATE:
            self._record("ticks during an action")
            await self._runner.tick()
        reply = await asyncio.wait_for(action, RESPONSE_TIMEOUT)
        await self._runner.wait_until_idle()
        self._discord.faults.clear()
        return reply

    async def tick(self) -> None:
        """Run the outbox and the clocks; a post of theirs may meet a fault too."""
        drawn = 1.0 if self.is_paused or self._outage is not None else self._rng.random()
        kill_rate = CLUSTER_TICK_KILL_RATE if isinstance(self._runner, Cluster) else TICK_KILL_RATE
        if drawn < kill_rate:
            await self._kill_while_posting()
            return
        if drawn >= kill_rate + TICK_RATE:
            await self._runner.tick()
            return
        with self._discord.faults.drop("POST", POSTS, after_processing=self._rng.random() < 0.5) as fault:
            await self._runner.tick()
        if fault.hits:
            self._record("outbox posts dropped")

    async def _kill_while_posting(self) -> None:
        """Kill the bot while it posts from the outbox: Discord has the post, but the bot does not know."""
        fault = self._discord.faults.hold("POST", POSTS, after_processing=True)
        ticking = asyncio.create_task(self._runner.tick())
        await _wait_for_fault_or_end(ticking, fault)
        if ticking.done():
            self._discord.faults.clear()
            await ticking
            return
        self._record("kills during a post")
        await self._runner.kill_posting(ticking)
        self._discord.faults.clear()
        await asyncio.wait({ticking})
        await self._runner.restart()

    @property
    def is_outage(self) -> bool:
        return self._outage is not None

    async def begin_outage(self) -> None:
        """From now on Discord refuses every request with 503."""
        self._record("outages of Discord")
        await self._runner.set_response_timeout(OUTAGE_TIMEOUT)
        self._outage = self._discord.faults.refuse("*", "**", status=503, times=None)

    async def end_outage(self) -> None:
        if self._outage is not None:
            self._outage.remove()
            await self._runner.set_response_timeout(RESPONSE_TIMEOUT)
        self._outage = None

    async def _run_with_fault(self, action: asyncio.Task[Reply], fault: Fault) -> None:
        """Wait until the fault has happened; if no answer comes after that, let the interaction time out."""
        await _wait_for_fault_or_end(action, fault)
        await self._runner.wait_until_idle()
        await asyncio.wait({action}, timeout=DELIVERY_SECONDS)
        if not action.done():
            self._discord.advance(RESPONSE_TIMEOUT)

    def _random_fault(self) -> Fault:
        faults, rng = self._discord.faults, self._rng
        if rng.random() < SLOW_RETRY_RATE:
            self._record("answers met by 500")
            return faults.refuse("POST", ANSWERS, status=500)
        kinds: dict[str, Callable[[], Fault]] = {
            "answers met by 404": lambda: faults.refuse(
                "POST", ANSWERS, status=404, code=UNKNOWN_INTERACTION
            ),
            "answers met by 429": lambda: faults.rate_limit("POST", ANSWERS, retry_after=0.01),
            "answers dropped": lambda: faults.drop("POST", ANSWERS),
            "answers dropped after processing": lambda: faults.drop("POST", ANSWERS, after_processing=True),
            "posts dropped after processing": lambda: faults.drop(
                "POST", "/webhooks/**", after_processing=True
            ),
        }
        name = rng.choice(list(kinds))
        self._record(name)
        return kinds[name]()

    async def _run_while_down(self, action: asyncio.Task[Reply]) -> Reply:
        """Let the interaction time out at once if nobody gets it: its bot is not running."""
        await asyncio.wait({action}, timeout=0)
        if self._runner.answers(self._posts.last_server):
            reply = await asyncio.wait_for(action, RESPONSE_TIMEOUT)
            await self._runner.wait_until_idle()
            return reply
        self.fault_count += 1
        if not action.done():
            self._discord.advance(RESPONSE_TIMEOUT)
        return await action

    async def _run_during_outage(self, action: asyncio.Task[Reply], outage: Fault) -> Reply:
        """Wait until the bot has tried to answer, then let the interaction time out."""
        self.fault_count += 1
        outage.arrived.clear()
        await _wait_for_fault_or_end(action, outage)
        if not action.done():
            await self._runner.wait_until_idle()
            self._discord.advance(RESPONSE_TIMEOUT)
        return await action

    async def _kill_while_answering(self, action: asyncio.Task[Reply]) -> Reply:
        """Kill the bot while it answers: before Discord has processed the answer, or right after."""
        self._record("kills")
        faults = self._discord.faults
        done = self._rng.random() < 0.5
        fault = (
            faults.hold("POST", ANSWERS, after_processing=True) if done else faults.silence("POST", ANSWERS)
        )
        await _wait_for_fault_or_end(action, fault)
        if done and not action.done():
            await self._discord.wait_until(
                lambda: self._discord.requests[-1].processed,
                seconds=RESPONSE_TIMEOUT,
                what="Discord to process the answer",
            )
        await self._runner.kill_answering(self._posts.last_server)
        faults.clear()
        self._discord.advance(RESPONSE_TIMEOUT)
        reply = await action
        await self._runner.restart()
        return reply

    async def _break_gateway(self) -> None:
        """Break the gateway connection; discord.py resumes by itself."""
        self._record("gateway breaks")
        gateway = self._discord.gateway
        wanted = gateway.identified + gateway.resumed + len(gateway.connected_shards)
        match self._rng.choice(["close", "lose", "reconnect"]):
            case "close":
                await gateway.close()
            case "lose":
                gateway.drop_connections()
            case _:
                await gateway.reconnect()
        await self._discord.wait_until(
            lambda: gateway.identified + gateway.resumed >= wanted,
            seconds=RESPONSE_TIMEOUT,
            what="the bot to reconnect",
        )

    def _record(self, what: str) -> None:
        self.fault_count += 1
        self._metrics.counts[what] += 1
        self._log.record(self._discord.world.clock.now(), f"fault: {what}")


async def _wait_for_fault_or_end(action: asyncio.Task[Any], fault: Fault) -> None:
    """Wait until a request meets the fault, or until the action is done without it."""
    arrived = asyncio.create_task(fault.arrived.wait())
    await asyncio.wait({action, arrived}, timeout=RESPONSE_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
    arrived.cancel()
