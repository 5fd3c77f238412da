"""This version side by side with an earlier commit: ``BEFORE=COMMIT python -m bench before``.

The commit is checked out into a folder of its own, with an environment of its own in which the packages of
its requirements.lock are installed. Both bots run at once, each at a loopback Discord, and the rounds
alternate between them, so that whatever else the machine does meets both. Processor time is what the system
counts for the bot's process, threads included. Needs git.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.table import Row, format_number
from bench.turn import CONCURRENT_MATCHES, ROOT, BotProcess, begin_match, play_matches, run_bot
from tests.discord_server import DiscordServer, LoopbackSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from contextlib import AbstractAsyncContextManager

    from tests.discord_server import Guild

PICTURE_COST = Path(__file__).with_name("picture_cost.py")
LAUNCHER = ("bench/bot_process.py", "tests/discord_connector.py")
ROUNDS, PICTURE_ROUNDS = 5, 3
IDLE_SECONDS = 60.0
GOALS = {
    "a turn, one match: processor time": "at most 10",
    f"a turn, {CONCURRENT_MATCHES} matches: processor time": "at most 10",
    "  turns per second": "at least 100",
    "memory, idle": "at most 100",
    "picture": "at most 2.5",
    "  its size": "at most 22",
}


@dataclass(slots=True)
class Version:
    """A version in `folder`, run by `python`, and what was measured of it: values by label."""

    folder: Path
    python: str
    measured: dict[str, list[float]] = field(default_factory=dict)

    def add(self, label: str, *values: float) -> None:
        """Add values of one kind."""
        self.measured.setdefault(label, []).extend(values)


@dataclass(slots=True)
class RunningBot:
    """The bot of a version, at a Discord of its own."""

    version: Version
    guild: Guild
    process: BotProcess
    numbers: Iterator[int]

    async def play(self, label: str, matches: int) -> None:
        """Play matches without a pause; add the processor time of a turn, and the turns per second."""
        played = [await begin_match(self.guild, next(self.numbers)) for _ in range(matches)]
        used, start = self.process.cpu_milliseconds(), time.perf_counter()
        turns = len(await play_matches(played))
        self.version.add(f"{label}: processor time", (self.process.cpu_milliseconds() - used) / turns)
        if matches > 1:
            self.version.add("  turns per second", turns / (time.perf_counter() - start))


@contextmanager
def check_out(commit: str) -> Iterator[Path]:
    """Check out a commit into a new folder and install what it needs into its folder ``.venv``.

    Its bot is started by the launcher of this version.
    """
    with TemporaryDirectory(prefix="rayuela-before-") as parent:
        folder = Path(parent) / "tree"
        _run("git", "worktree", "add", "--detach", str(folder), commit)
        try:
            for name in LAUNCHER:
                shutil.copy(ROOT / name, folder / name)
            _run(sys.executable, "-m", "venv", str(folder / ".venv"), folder=folder)
            requirements = ("--quiet", "--require-hashes", "--requirement", "requirements.lock")
            _run(".venv/bin/python", "-m", "pip", "install", *requirements, folder=folder)
            yield folder
        finally:
            _run("git", "worktree", "remove", "--force", str(folder))


def _run(*command: str, folder: Path = ROOT) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603


async def _start_bot(version: Version, stack: AsyncExitStack, folder: Path) -> RunningBot:
    """Start the bot of a version twice: the first time it creates its database."""
    discord = await stack.enter_async_context(
        DiscordServer(check=False, settings=LoopbackSettings(interaction_seconds=60))
    )
    environment = {
        "DISCORD_TOKEN": discord.token,
        "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/rayuela.db",
        "HEALTH_FILE": str(folder / "health"),
        "LOG_LEVEL": "WARNING",
        "WEB_PORT": "0",
    }
    module = ("bench.bot_process", str(discord.port), str(discord.ca_file))

    def run() -> AbstractAsyncContextManager[BotProcess]:
        return run_bot(
            discord, *module, environment=environment, folder=version.folder, python=version.python
        )

    async with run():
        pass
    process = await stack.enter_async_context(run())
    return RunningBot(version, discord.guild("Bench"), process, count())


async def _measure_turns(versions: tuple[Version, ...]) -> None:
    async with AsyncExitStack() as stack:
        bots = []
        for version in versions:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="rayuela-bench-")))
            bots.append(await _start_bot(version, stack, folder))
        await asyncio.sleep(IDLE_SECONDS)
        for bot in bots:
            bot.version.add("memory, idle", bot.process.memory_mib())
        async for bot in _alternate(bots):
            await bot.play("a turn, one match", 1)
            await bot.play(f"a turn, {CONCURRENT_MATCHES} matches", CONCURRENT_MATCHES)
        for bot in bots:
            bot.version.add("memory, after these matches", bot.process.memory_mib())


async def _alternate(bots: list[RunningBot]) -> AsyncIterator[RunningBot]:
    for _ in range(ROUNDS):
        for bot in bots:
            yield bot


def _measure_pictures(versions: tuple[Version, ...]) -> None:
    """Add the picture of each board, the best of several rounds."""
    rounds = [[_picture_costs(version) for version in versions] for _ in range(PICTURE_ROUNDS)]
    for version, costs in zip(versions, zip(*rounds, strict=True), strict=True):
        for game, kinds in costs[0].items():
            for kind, words in (("played", "of a match that goes on"), ("unseen", "of a board never seen")):
                times = zip(*(cost[game][kind]["times"] for cost in costs), strict=True)
                version.add(f"picture {words}, {game}", *map(min, times))
                version.add(f"  its size {words}, {game}", *(size / 1000 for size in kinds[kind]["sizes"]))


def _picture_costs(version: Version) -> dict[str, dict[str, dict[str, list[float]]]]:
    result = subprocess.run(  # noqa: S603 - this interpreter, or that of the other version
        [version.python, str(PICTURE_COST)],
        env=os.environ | {"PYTHONPATH": str(version.folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    costs: dict[str, dict[str, dict[str, list[float]]]] = json.loads(result.stdout)
    return costs


def rows() -> Iterator[Row]:
    """Measure both versions and return the medians of this one, with those before as the comparison."""
    commit = os.environ.get("BEFORE")
    if not commit:
        sys.exit("Set BEFORE to the commit to compare with, such as BEFORE=HEAD~10.")
    with check_out(commit) as folder:
        before, now = Version(folder, str(folder / ".venv/bin/python")), Version(ROOT, sys.executable)
        _measure_pictures((before, now))
        asyncio.run(_measure_turns((before, now)))
    for label, values in now.measured.items():
        earlier, unit = median(before.measured[label]), _unit_of(label)
        comparison = f"before: {format_number(earlier)} {unit}; {median(values) / earlier:.2f} of it"
        goal = next((goal for start, goal in GOALS.items() if label.startswith(start)), "")
        yield Row.from_values(
            label, values, unit, goal=f"{goal} {unit}" if goal else "", comparison=comparison
        )


def _unit_of(label: str) -> str:
    if label.startswith("memory"):
        return "MiB"
    if label.startswith("  its size"):
        return "kB"
    return "a second" if label.endswith("per second") else "ms"
