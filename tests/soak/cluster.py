"""The processes of a simulation: one bot, or several bots with disjoint shards, a worker and a website.

They share nothing but the database. Each reads the simulated clock from a file, and does what is due when it
is told to: see :mod:`tests.soak.service`.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.shard_range import ShardRange
from runtime.role import Role
from tests.cluster.process import ChildProcess
from tests.soak.plan import RESPONSE_TIMEOUT
from tests.soak.service import ServicePlan, serve

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable
    from pathlib import Path
    from random import Random

    from tests.discord_server import DiscordServer
    from tests.soak.plan import SimulationPlan

MIN_PROCESSES = 3  # of several
SHARDS_PER_BOT = 2
STOP_ALL_RATE = 0.2  # of the downtimes
KILL_WORKER_RATE = 0.6  # of the kills during a post


class Service(ChildProcess):
    """A process of the cluster; it writes its log to NAME.log in the folder."""

    def __init__(self, name: str, plan: ServicePlan, folder: Path) -> None:
        super().__init__(name, serve, log=folder / f"{name}.log")
        self.plan = plan
        self.shards = plan.shards.ids if plan.shards else ()

    async def start_with(self, seed: int) -> None:
        """Start it, and wait until it is ready. Raises Violation."""
        self.arguments = (replace(self.plan, seed=seed),)
        self.start()
        await self.receive()


class Cluster:
    """Starts, stops, kills and replaces the processes, and adds to `counts` how often."""

    def __init__(
        self,
        discord: DiscordServer,
        database_url: str,
        folder: Path,
        clock_file: Path,
        plan: SimulationPlan,
        rng: Random,
        counts: Counter[str],
    ) -> None:
        self._discord = discord
        self._folder = folder
        self._rng = rng
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._killed: list[Service] = []
        self._replaced: Service | None = None  # runs until its successor has taken over
        self._counts = counts
        self.has_several = plan.processes > 1
        bots = max(2, plan.processes - 2) if self.has_several else 1
        discord.settings.shards = SHARDS_PER_BOT * bots
        url = f"http://127.0.0.1:{self._listener.getsockname()[1]}" if self.has_several else None
        discord_address = (discord.token, discord.port, str(discord.ca_file))
        common = ServicePlan(database_url, *discord_address, clock_file, plan.pack_after, url)
        plans = {}
        for number in range(bots):
            first = SHARDS_PER_BOT * number
            shards = ShardRange(first, first + SHARDS_PER_BOT - 1, discord.settings.shards)
            role = Role.BOT if self.has_several else Role.ALL
            plans[f"bot {number + 1}"] = replace(common, role=role, shards=shards)
        if self.has_several:
            plans["worker"] = replace(common, role=Role.WORKER)
        if len(plans) < plan.processes:
            plans["website"] = replace(common, role=Role.WEB, listener=self._listener)
        self.processes = [Service(name, own, folder) for name, own in plans.items()]

    @property
    def is_up(self) -> bool:
        """Whether any process runs."""
        return any(one.is_up for one in self.processes)

    @property
    def is_complete(self) -> bool:
        """Whether every process runs."""
        return all(one.is_up for one in self.processes)

    @property
    def is_doubled(self) -> bool:
        """Whether two bots have the same shards."""
        return self._replaced is not None

    @property
    def has_website(self) -> bool:
        """Whether the website runs."""
        return any(one.is_up and one.plan.role is Role.WEB for one in self.processes)

    def answers(self, server: int | None) -> bool:
        """Return whether a bot runs that gets the interactions of a server, with None the direct messages."""
        return any(one.is_up for one in self._bots_of(server))

    async def start(self) -> None:
        """Start what is not running."""
        await self._start([one for one in self.processes if not one.is_up])

    async def restart(self) -> None:
        """Start what was killed; what was stopped stays so."""
        await self._start(self._killed)

    async def stop(self) -> str:
        """Stop one process or all, as a service manager does; return which. Raises Violation."""
        running = [one for one in self.processes if one.is_up]
        chosen = running if self._rng.random() < STOP_ALL_RATE else [self._rng.choice(running)]
        await asyncio.gather(*(one.stop() for one in chosen))
        self._counts.update(f"stops of the {one.name}" for one in chosen)
        return ", ".join(one.name for one in chosen)

    async def begin_replacement(self) -> str:
        """Start another bot with the shards of one that runs on; return its name."""
        self._replaced = self._rng.choice([one for one in self.processes if one.shards])
        successor = Service(self._replaced.name, self._replaced.plan, self._folder)
        await successor.start_with(self._next_seed())
        self.processes.append(successor)
        self._counts[f"replacements of the {successor.name}"] += 1
        return successor.name

    async def end_replacement(self) -> None:
        """Stop the bot that was replaced."""
        if self._replaced is not None:
            self.processes.remove(self._replaced)
            await self._replaced.stop()
            self._replaced = None

    async def close(self) -> None:
        """Stop every process. Raises Violation."""
        try:
            await asyncio.gather(*(one.stop() for one in self.processes if one.is_up))
        finally:
            for one in self.processes:
                one.kill()
            self._listener.close()

    async def kill_answering(self, server: int | None) -> None:
        """Kill the bot that answers in a server."""
        await self._kill(self._rng.choice(self._bots_of(server)))

    async def kill_posting(self) -> None:
        """Kill the worker, or any process, while the outbox is sent."""
        running = [one for one in self.processes if one.is_up]
        workers = [one for one in running if one.plan.role is Role.WORKER]
        await self._kill(
            self._rng.choice(workers if workers and self._rng.random() < KILL_WORKER_RATE else running)
        )

    async def ask(self, *request: Any) -> None:
        """Let every process that runs carry out a request: see :func:`tests.soak.service.perform`."""
        await asyncio.gather(*(one.ask(request) for one in self.processes if one.is_up))

    def _bots_of(self, server: int | None) -> list[Service]:
        shard = 0 if server is None else (server >> 22) % self._discord.settings.shards
        return [one for one in self.processes if shard in one.shards]

    def _next_seed(self) -> int:
        return self._rng.getrandbits(32)

    async def _start(self, processes: Iterable[Service]) -> None:
        await asyncio.gather(*(one.start_with(self._next_seed()) for one in processes))
        self._killed.clear()
        self._discord.gateway.delete_disconnected()
        await self.ask("tick")

    async def _kill(self, process: Service) -> None:
        gateway = self._discord.gateway
        left = len(gateway.connected_shards) - len(process.shards)
        process.kill()
        await process.wait()
        self._killed.append(process)
        self._counts[f"kills of the {process.name}"] += 1
        await self._discord.wait_until(
            lambda: len(gateway.connected_shards) <= left,
            seconds=RESPONSE_TIMEOUT,
            what="the killed process to be disconnected",
        )
        gateway.delete_disconnected()
