"""What the figures for operators cost: ``python -m bench metrics``.

Two bots as with ``python -m bot``, one with METRICS and one without, each in a process with a Discord and an
SQLite file of its own, play the same matches. They take turns after every move, so that the load of the
machine affects both alike. Compared is the processor time of their processes from one move to the next.

RAYUELA_METRICS_MATCHES is the number of matches that each of them plays.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from bench.table import Row, format_table
from bench.turn import TURNS, begin_match, run_bot
from matches import Database
from metrics.prometheus import PrometheusMetrics
from runtime import logs
from tests.bot.environment import running_bot
from tests.discord_server import DiscordServer, LoopbackSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.discord_server import Guild

MATCHES = int(os.environ.get("RAYUELA_METRICS_MATCHES", "60"))
WARM_UP = 2  # matches before these
REPETITIONS = 300
CONFIDENCE = 1.96  # standard deviations on each side, for 95 %


@dataclass(slots=True)
class Side:
    """A bot, the guild in which it is used, and its processor time of each turn in milliseconds."""

    guild: Guild
    process: int
    turns: list[float] = field(default_factory=list)

    def processor_milliseconds(self) -> float:
        """Return the processor time of all threads so far."""
        threads = Path(f"/proc/{self.process}/task").glob("*/schedstat")
        return sum(int(one.read_text(encoding="ascii").split()[0]) for one in threads) / 1e6


async def play_in_turn(sides: Sequence[Side], number: int) -> None:
    """Play the same match on both sides, one turn on each after the other."""
    matches = [await begin_match(one.guild, number) for one in sides]
    before = [one.processor_milliseconds() for one in sides]
    for turn in range(TURNS):
        order = (0, 1) if (turn + number) % 2 else (1, 0)
        for index in order:
            await matches[index].play_turn()
        after = [one.processor_milliseconds() for one in sides]
        for side, start, end in zip(sides, before, after, strict=True):
            side.turns.append(end - start)
        before = after


@asynccontextmanager
async def running(folder: Path, **settings: str) -> AsyncIterator[Side]:
    """Run a bot with these settings."""
    await asyncio.to_thread(folder.mkdir)
    async with DiscordServer(check=False, settings=LoopbackSettings(interaction_seconds=60)) as discord:
        environment = {
            "DISCORD_TOKEN": discord.token,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/rayuela.db",
            "HEALTH_FILE": str(folder / "health"),
            "LOG_LEVEL": "WARNING",
            "WEB_PORT": "0",
            **settings,
        }
        module = ("tests.bot.bot_process", str(discord.port), str(discord.ca_file), "0")
        async with run_bot(discord, *module, environment=environment) as bot:
            yield Side(discord.guild("Bench"), bot.process.pid)


class Recorder(PrometheusMetrics):
    """Figures that also remember what was counted and how long it took."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def __getattribute__(self, name: str) -> Any:
        """Return a method that remembers its calls."""
        found = super().__getattribute__(name)
        if name != "observe" and not name.startswith("count_"):
            return found

        def call(*values: Any, **named: Any) -> None:
            self.calls.append((name, values, named))
            found(*values, **named)

        return call


async def list_calls(folder: Path) -> list[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Return what a turn counts and measures, for each of a match."""
    logs.configure("ERROR")
    recorder = Recorder()
    async with (
        DiscordServer(check=False, settings=LoopbackSettings(interaction_seconds=60)) as discord,
        await Database.open(f"sqlite+aiosqlite:///{folder}/calls.db", metrics=recorder) as database,
        running_bot(discord, database),
    ):
        match = await begin_match(discord.guild("Bench"), 0)
        recorder.calls.clear()
        for _ in range(TURNS):
            await match.play_turn()
    return recorder.calls


def time_calls(calls: Sequence[tuple[str, tuple[Any, ...], dict[str, Any]]]) -> float:
    """Return the processor time of the calls of a turn in milliseconds: the least of many repetitions."""
    metrics, times = PrometheusMetrics(), list[float]()
    for _ in range(REPETITIONS):
        start = time.thread_time()
        for name, values, named in calls:
            getattr(metrics, name)(*values, **named)
        times.append(1000 * (time.thread_time() - start) / TURNS)
    return min(times)


async def measure(folder: Path) -> list[Row]:
    """Play with both bots in turn, and return the rows."""
    alone = time_calls(await list_calls(folder))
    async with AsyncExitStack() as stack:
        sides = [
            await stack.enter_async_context(running(folder / "without")),
            await stack.enter_async_context(running(folder / "with", METRICS="127.0.0.1:0")),
        ]
        for number in range(WARM_UP + MATCHES):
            await play_in_turn(sides, number)
    plain, counted = (one.turns[WARM_UP * TURNS :] for one in sides)
    costs = sorted(
        100 * (after - before) / median(plain) for before, after in zip(plain, counted, strict=True)
    )
    middle, reach = len(costs) // 2, round(CONFIDENCE * sqrt(len(costs)) / 2)
    low, high = costs[middle - reach], costs[middle + reach]
    return [
        Row.from_values("processor time of a turn without METRICS", plain, "ms"),
        Row.from_values("processor time of a turn with METRICS", counted, "ms"),
        Row(
            "  more",
            median(costs),
            "%",
            goal="at most 2",
            comparison=f"95 % sure: {low:.1f} to {high:.1f} %, {len(costs)} pairs",
        ),
        Row(
            "  what a turn counts and measures, on its own",
            alone,
            "ms",
            comparison=f"{100 * alone / median(plain):.2f} % of a turn",
        ),
    ]


def rows() -> list[Row]:
    """Measure in a new folder."""
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        return asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    print(format_table("The figures for operators", rows()))
