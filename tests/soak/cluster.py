"""Several processes on one database: bots with disjoint shards, a worker and, from four on, a website.

They are processes of the operating system that share nothing but the database. Each reads the simulated clock
from a file, and does what is due when it is told to: see :mod:`tests.soak.cluster_process`.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from runtime.role import Role
from tests.processes import ROOT
from tests.soak.bot_runner import RESPONSE_TIMEOUT
from tests.soak.cluster_process import ProcessPlan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from random import Random

    from tests.discord_server import DiscordServer
    from tests.soak.plan import SimulationPlan

MIN_PROCESSES = 3
SHARDS_PER_BOT = 2
START_SECONDS = 120.0
STOP_SECONDS = 60.0
STOP_ALL_RATE = 0.2  # of the downtimes
EXPECTED_ERRORS = {"answer.failed"}  # Discord was kept from getting a private answer
KILL_WORKER_RATE = 0.6  # of the kills during a post


class ProcessFailure(Exception):  # noqa: N818 - it is what happened
    """A process has ended by itself, or did not answer."""


class ClusterProcess:
    """A process with a name, running or not; it writes its log to NAME.log in the folder."""

    def __init__(self, name: str, plan: ProcessPlan, folder: Path, shards: range) -> None:
        self.name = name
        self.shards = shards
        self.log_file = folder / f"{name}.log"
        self._folder = folder
        self._plan = plan
        self._process: asyncio.subprocess.Process | None = None
        self._asking = asyncio.Lock()

    @property
    def is_up(self) -> bool:
        return self._process is not None

    @property
    def is_worker(self) -> bool:
        return self._plan.role == Role.WORKER.value

    def successor(self) -> ClusterProcess:
        """Return another process that does the same; it is not started yet."""
        return ClusterProcess(self.name, self._plan, self._folder, self.shards)

    async def start(self) -> None:
        """Start it, and wait until it is ready. Raises ProcessFailure."""
        socket_number = self._plan.web_socket
        async with self._asking:
            with self.log_file.open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "tests.soak.cluster_process", self._plan.to_json()),
                    cwd=ROOT,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=log,
                    pass_fds=() if socket_number is None else (socket_number,),
                )
            await self._read(self._process, "ready", START_SECONDS)

    async def ask(self, command: str) -> None:
        """Let it carry out a command, and wait for that, or until it is killed. Raises ProcessFailure."""
        async with self._asking:
            process = self._process
            if process is None or process.stdin is None:
                return
            with suppress(ConnectionError):
                process.stdin.write(f"{command}\n".encode())
                await process.stdin.drain()
            await self._read(process, "done", 2 * RESPONSE_TIMEOUT)

    async def stop(self) -> None:
        """Stop it as a service manager does: what it has begun is finished. Raises ProcessFailure."""
        process = self._process
        if process is None or process.stdin is None:
            return
        process.stdin.write(b"stop\n")
        try:
            async with asyncio.timeout(STOP_SECONDS):
                status = await process.wait()
        except TimeoutError:
            await self.kill()
            raise ProcessFailure(f"the {self.name} does not stop") from None
        self._process = None
        if status:
            raise ProcessFailure(f"the {self.name} ended with status {status}:\n{self._last_lines()}")

    async def kill(self) -> None:
        """End it at once; nothing is finished."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _read(self, process: asyncio.subprocess.Process, expected: str, seconds: float) -> None:
        """Read the expected line; a process that is killed meanwhile need not write it."""
        if process.stdout is None:
            raise ValueError("the process has no pipe")
        try:
            async with asyncio.timeout(seconds):
                line = (await process.stdout.readline()).decode().strip()
        except TimeoutError:
            raise ProcessFailure(f"the {self.name} is silent:\n{self._last_lines()}") from None
        if line != expected and self._process is process:
            raise ProcessFailure(f"the {self.name} wrote {line!r}:\n{self._last_lines()}")

    def _last_lines(self) -> str:
        return "\n".join(self.log_file.read_text(errors="replace").splitlines()[-10:])


class Cluster:
    """The processes of a simulation; it does for them all what :class:`BotRunner` does for one bot."""

    def __init__(
        self,
        discord: DiscordServer,
        database_url: str,
        folder: Path,
        clock_file: Path,
        plan: SimulationPlan,
        rng: Random,
    ) -> None:
        if plan.processes < MIN_PROCESSES:
            raise ValueError(f"a cluster has at least {MIN_PROCESSES} processes")
        self._discord = discord
        self._rng = rng
        self.counts: Counter[str] = Counter()
        bots = max(2, plan.processes - 2)
        self._shards = discord.settings.shards = SHARDS_PER_BOT * bots
        self._socket = socket.create_server(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

        def describe(role: Role, shards: str | None = None) -> ProcessPlan:
            return ProcessPlan(
                role=role.value,
                database_url=database_url,
                discord_token=discord.token,
                discord_port=discord.port,
                ca_file=str(discord.ca_file),
                clock_file=str(clock_file),
                public_url=address,
                pack_after_seconds=plan.pack_after.total_seconds(),
                shards=shards,
                web_socket=self._socket.fileno() if role is Role.WEB else None,
            )

        self._killed: list[ClusterProcess] = []
        self._replaced: ClusterProcess | None = None  # runs until its successor has taken over
        self._processes: list[ClusterProcess] = []
        for number in range(bots):
            own = range(SHARDS_PER_BOT * number, SHARDS_PER_BOT * (number + 1))
            bot = describe(Role.BOT, f"{own[0]}-{own[-1]}/{self._shards}")
            self._processes.append(ClusterProcess(f"bot {number + 1}", bot, folder, own))
        self._processes.append(ClusterProcess("worker", describe(Role.WORKER), folder, range(0)))
        self._website: ClusterProcess | None = None
        if len(self._processes) < plan.processes:
            self._website = ClusterProcess("website", describe(Role.WEB), folder, range(0))
            self._processes.append(self._website)

    @property
    def is_up(self) -> bool:
        """Whether any process runs."""
        return any(one.is_up for one in self._processes)

    @property
    def is_complete(self) -> bool:
        """Whether every process runs."""
        return all(one.is_up for one in self._processes)

    @property
    def is_doubled(self) -> bool:
        """Whether two bots have the same shards."""
        return self._replaced is not None

    @property
    def has_website(self) -> bool:
        """Whether the website runs."""
        return self._website is not None and self._website.is_up

    def find_errors(self) -> list[str]:
        """Return the lines in the logs of errors that no fault of the simulation explains."""
        lines = (line for one in self._processes for line in one.log_file.read_text().splitlines())
        entries = ((line, json.loads(line)) for line in lines if line.startswith("{"))
        return [
            line
            for line, entry in entries
            if entry["level"] == "error" and entry["event"] not in EXPECTED_ERRORS
        ]

    def answers(self, server: int | None) -> bool:
        """Return whether a bot runs that gets the interactions of a server, with None the direct messages."""
        return any(one.is_up for one in self._bots_of(server))

    async def start(self) -> None:
        """Start what is not running."""
        await self._start(one for one in self._processes if not one.is_up)

    async def restart(self) -> None:
        """Start what was killed; what was stopped stays so."""
        await self._start(self._killed)

    async def stop(self) -> str:
        """Stop one process or all, as a service manager does; return which."""
        running = [one for one in self._processes if one.is_up]
        chosen = running if self._rng.random() < STOP_ALL_RATE else [self._rng.choice(running)]
        await asyncio.gather(*(one.stop() for one in chosen))
        self.counts.update(f"stops of the {one.name}" for one in chosen)
        return ", ".join(one.name for one in chosen)

    async def begin_replacement(self) -> str:
        """Start another bot with the shards of one that runs on; return its name."""
        self._replaced = self._rng.choice([one for one in self._processes if one.shards])
        successor = self._replaced.successor()
        await successor.start()
        self._processes.append(successor)
        self.counts[f"replacements of the {successor.name}"] += 1
        return successor.name

    async def end_replacement(self) -> None:
        """Stop the bot that was replaced."""
        if self._replaced is not None:
            self._processes.remove(self._replaced)
            await self._replaced.stop()
            self._replaced = None

    async def close(self) -> None:
        """Stop every process. Raises ProcessFailure."""
        try:
            await asyncio.gather(*(one.stop() for one in self._processes))
        finally:
            for one in self._processes:
                await one.kill()
            self._socket.close()

    async def kill_answering(self, server: int | None) -> str:
        """Kill the bot that answers in a server; return its name."""
        return await self._kill(self._rng.choice(self._bots_of(server)))

    async def kill_posting(self, _ticking: asyncio.Task[None]) -> str:
        """Kill the worker, or any process, while the outbox is sent; return its name."""
        running = [one for one in self._processes if one.is_up]
        workers = [one for one in running if one.is_worker]
        return await self._kill(
            self._rng.choice(workers if workers and self._rng.random() < KILL_WORKER_RATE else running)
        )

    async def tick(self) -> None:
        """Let every process do what is due."""
        await self._ask("tick")

    async def wait_until_idle(self) -> None:
        """Wait until every process has finished the work that follows its answers."""
        await self._ask("idle")

    async def set_response_timeout(self, seconds: float) -> None:
        """Set how long an answer may take to reach Discord."""
        await self._ask(f"timeout {seconds}")

    async def _ask(self, command: str) -> None:
        await asyncio.gather(*(one.ask(command) for one in self._processes if one.is_up))

    def _bots_of(self, server: int | None) -> list[ClusterProcess]:
        shard = 0 if server is None else (server >> 22) % self._shards
        return [one for one in self._processes if shard in one.shards]

    async def _start(self, processes: Iterable[ClusterProcess]) -> None:
        await asyncio.gather(*(one.start() for one in processes))
        self._killed.clear()
        self._discord.gateway.delete_disconnected()
        await self.tick()

    async def _kill(self, process: ClusterProcess) -> str:
        gateway = self._discord.gateway
        left = len(gateway.connected_shards) - len(process.shards)
        await process.kill()
        self._killed.append(process)
        self.counts[f"kills of the {process.name}"] += 1
        await self._discord.wait_until(
            lambda: len(gateway.connected_shards) <= left,
            seconds=RESPONSE_TIMEOUT,
            what="the killed process to be disconnected",
        )
        gateway.delete_disconnected()
        return process.name
