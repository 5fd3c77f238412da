"""Faults between Discord and the processes, and kills of these, while somebody acts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.soak.plan import RESPONSE_TIMEOUT

if TYPE_CHECKING:
    from collections import Counter
    from random import Random

    from tests.cluster.posts import PostRecorder
    from tests.discord_server import DiscordServer, Reply
    from tests.discord_server.faults import Fault
    from tests.soak.cluster import Cluster
    from tests.soak.event_log import EventLog

ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
UNKNOWN_INTERACTION = 10062  # Discord's code for an interaction that it no longer knows
DELIVERY_SECONDS = 0.2  # in which an answer that was given reaches the person
OUTAGE_TIMEOUT = 0.2  # how long the bot waits during an outage, where every attempt fails
# Shares of all actions, and of all ticks, that meet a fault:
FAULT_RATE = 0.03
KILL_RATE = 0.002
BREAK_RATE = 0.004
TICK_MEANWHILE_RATE = 0.05  # of the actions on several processes: the others do not wait for an answer
TICK_RATE = 0.05
TICK_KILL_RATE = 0.004
CLUSTER_TICK_KILL_RATE = 0.1  # higher, since most posts of several processes are answers, not a worker's
SLOW_RETRY_RATE = 0.04  # of the faults; rare, since discord.py waits for a real second before it retries


@dataclass(slots=True)
class FaultInjector:
    """Causes random faults; `fault_count` is how many there were, with interactions that nobody got."""

    discord: DiscordServer
    posts: PostRecorder
    cluster: Cluster
    rng: Random
    counts: Counter[str]
    log: EventLog
    fault_count: int = 0
    is_paused: bool = False  # during the audit
    _outage: Fault | None = None

    async def run(self, action: asyncio.Task[Reply]) -> Reply:
        """Wait for the answer to an action, perhaps with a fault."""
        if self._outage is not None:
            return await self._run_during_outage(action, self._outage)
        if not self.cluster.is_complete:
            return await self._run_while_down(action)
        drawn = self.rng.random()
        if drawn < KILL_RATE:
            return await self._kill_while_answering(action)
        if drawn < KILL_RATE + BREAK_RATE:
            await self._break_gateway()
        elif drawn < KILL_RATE + BREAK_RATE + FAULT_RATE:
            await self._run_with_fault(action, self._random_fault())
        elif self.cluster.has_several and drawn > 1 - TICK_MEANWHILE_RATE:
            self._record("ticks during an action")
            await self.cluster.ask("tick")
        return await self._finish(action)

    async def tick(self) -> None:
        """Run the outbox and the clocks; a post of theirs may meet a fault too."""
        drawn = 1.0 if self.is_paused or self._outage is not None else self.rng.random()
        kill_rate = CLUSTER_TICK_KILL_RATE if self.cluster.has_several else TICK_KILL_RATE
        if drawn < kill_rate:
            await self._kill_while_posting()
        elif drawn < kill_rate + TICK_RATE:
            with self.discord.faults.drop("POST", POSTS, after_processing=self.rng.random() < 0.5) as fault:
                await self.cluster.ask("tick")
            if fault.hits:
                self._record("outbox posts dropped")
        else:
            await self.cluster.ask("tick")

    async def begin_outage(self) -> None:
        """From now on Discord refuses every request with 503."""
        self._record("outages of Discord")
        await self.cluster.ask("timeout", OUTAGE_TIMEOUT)
        self._outage = self.discord.faults.refuse("*", "**", status=503, times=None)

    async def end_outage(self) -> None:
        if self._outage is not None:
            self._outage.remove()
            await self.cluster.ask("timeout", RESPONSE_TIMEOUT)
        self._outage = None

    async def _kill_while_posting(self) -> None:
        """Kill a process while the outbox is sent: Discord has the post, but nobody else knows."""
        fault = self.discord.faults.hold("POST", POSTS, after_processing=True)
        ticking = asyncio.create_task(self.cluster.ask("tick"))
        await _wait_for_fault_or_end(ticking, fault)
        is_posting = not ticking.done()
        if is_posting:
            self._record("kills during a post")
            await self.cluster.kill_posting()
        self.discord.faults.clear()
        await ticking
        if is_posting:
            await self.cluster.restart()

    async def _kill_while_answering(self, action: asyncio.Task[Reply]) -> Reply:
        """Kill the bot while it answers: before Discord has processed the answer, or right after."""
        self._record("kills")
        faults, done = self.discord.faults, self.rng.random() < 0.5
        fault = (
            faults.hold("POST", ANSWERS, after_processing=True) if done else faults.silence("POST", ANSWERS)
        )
        await _wait_for_fault_or_end(action, fault)
        if done and not action.done():
            await self.discord.wait_until(
                lambda: self.discord.requests[-1].processed,
                seconds=RESPONSE_TIMEOUT,
                what="Discord to process the answer",
            )
        await self.cluster.kill_answering(self.posts.last_server)
        faults.clear()
        self.discord.advance(RESPONSE_TIMEOUT)
        reply = await action
        await self.cluster.restart()
        return reply

    async def _run_with_fault(self, action: asyncio.Task[Reply], fault: Fault) -> None:
        """Wait until the fault has happened; if no answer comes after that, let the interaction time out."""
        await _wait_for_fault_or_end(action, fault)
        await self.cluster.ask("idle")
        await asyncio.wait({action}, timeout=DELIVERY_SECONDS)
        if not action.done():
            self.discord.advance(RESPONSE_TIMEOUT)

    def _random_fault(self) -> Fault:
        faults, rng = self.discord.faults, self.rng
        names = (
            "answers met by 404",
            "answers met by 429",
            "answers dropped",
            "answers dropped after processing",
            "posts dropped after processing",
        )
        name = "answers met by 500" if rng.random() < SLOW_RETRY_RATE else rng.choice(names)
        self._record(name)
        path = "/webhooks/**" if name.startswith("posts") else ANSWERS
        match name.split()[-1]:
            case "500":
                return faults.refuse("POST", path, status=500)
            case "404":
                return faults.refuse("POST", path, status=404, code=UNKNOWN_INTERACTION)
            case "429":
                return faults.rate_limit("POST", path, retry_after=0.01)
            case last:
                return faults.drop("POST", path, after_processing=last == "processing")

    async def _run_while_down(self, action: asyncio.Task[Reply]) -> Reply:
        """Let the interaction time out at once if nobody gets it: its bot is not running."""
        await asyncio.wait({action}, timeout=0)
        if self.cluster.answers(self.posts.last_server):
            return await self._finish(action)
        self.fault_count += 1
        if not action.done():
            self.discord.advance(RESPONSE_TIMEOUT)
        return await action

    async def _run_during_outage(self, action: asyncio.Task[Reply], outage: Fault) -> Reply:
        """Wait until the bot has tried to answer, then let the interaction time out."""
        self.fault_count += 1
        outage.arrived.clear()
        await _wait_for_fault_or_end(action, outage)
        if not action.done():
            await self.cluster.ask("idle")
            self.discord.advance(RESPONSE_TIMEOUT)
        return await action

    async def _finish(self, action: asyncio.Task[Reply]) -> Reply:
        """Wait for the answer, and for the work that follows it."""
        reply = await asyncio.wait_for(action, RESPONSE_TIMEOUT)
        await self.cluster.ask("idle")
        self.discord.faults.clear()
        return reply

    async def _break_gateway(self) -> None:
        """Break the gateway connection; discord.py resumes by itself."""
        self._record("gateway breaks")
        gateway = self.discord.gateway
        wanted = gateway.identified + gateway.resumed + len(gateway.connected_shards)
        match self.rng.choice(["close", "lose", "reconnect"]):
            case "close":
                await gateway.close()
            case "lose":
                gateway.drop_connections()
            case _:
                await gateway.reconnect()
        await self.discord.wait_until(
            lambda: gateway.identified + gateway.resumed >= wanted,
            seconds=RESPONSE_TIMEOUT,
            what="the bot to reconnect",
        )

    def _record(self, what: str) -> None:
        self.fault_count += 1
        self.counts[what] += 1
        self.log.record(self.discord.world.clock.now(), f"fault: {what}")


async def _wait_for_fault_or_end(action: asyncio.Task[Any], fault: Fault) -> None:
    """Wait until a request meets the fault, or until the action is done without it."""
    arrived = asyncio.create_task(fault.arrived.wait())
    await asyncio.wait({action, arrived}, timeout=RESPONSE_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
    arrived.cancel()
