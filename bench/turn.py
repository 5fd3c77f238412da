"""One turn at a loopback Discord, from sending the interaction to receiving the answer with its picture.

``python -m bench.turn``: the bot runs as with ``python -m bot``, in a process of its own, on a SQLite file;
Discord and the players are in this process. Moves of random matches are typed as commands. "At a pace" each
player thinks for a second on average; "without a pause" each answers at once, so that the bot is never idle.
Then the parts of a turn are measured separately; what they do not explain is the rest.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import render
from bench.table import Row, format_table
from bot.posts.pictures import render_board
from engine import GAMES
from i18n import Texts
from matches import Database, Matches, Person
from tests.discord_server import Channel, DiscordServer, Guild, LoopbackSettings, Member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from engine.game import Position
    from tests.discord_server import Reply

ROOT = Path(__file__).resolve().parent.parent
GAME = "morelli"
TURNS = 30  # of each match; a random game lasts longer
ROUNDS = 3
CONCURRENT_MATCHES = 20
OPEN_MATCHES = 1000
MAX_TRIES = 100  # of one turn, when the database is busy
PAUSE = 1.0  # mean seconds of thinking in matches at a pace
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
load_texts = cache(Texts.load)


@dataclass(slots=True)
class BotProcess:
    """The bot's process."""

    process: asyncio.subprocess.Process
    startup_seconds: float  # until it is connected

    def cpu_milliseconds(self) -> float:
        """Return the CPU time used so far, in milliseconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def memory_mib(self) -> float:
        """Return the resident memory in MiB."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * PAGE_SIZE / 2**20


@dataclass(slots=True)
class BenchMatch:
    """A match between two people in a channel of its own, played with random moves."""

    channel: Channel
    people: dict[str, Member]
    position: Position
    chance: random.Random
    refused_count: int = 0  # attempts while the database was busy
    late_count: int = 0  # turns that were accepted, but whose answer came later from the outbox

    async def play_turn(self) -> float:
        """Play one turn and return the milliseconds until it was accepted, all attempts included.

        Raises RuntimeError with the text of the answer where the bot refuses it.
        """
        move = self.chance.choice(self.position.legal_moves())
        mover = self.people[str(self.position.to_move)]
        start = time.perf_counter()
        for _ in range(MAX_TRIES):
            if self.is_accepted(await mover.command("move", {"move": str(move)}, channel=self.channel)):
                break
        else:
            raise RuntimeError(f"{move} was not accepted in {MAX_TRIES} attempts")
        self.position = self.position.play(move)
        return 1000 * (time.perf_counter() - start)

    def is_accepted(self, reply: Reply) -> bool:
        """Return whether the move was accepted; False means that the database was busy.

        Raises RuntimeError for any other answer.
        """
        texts = load_texts()
        if reply.failed is None and reply.attachments:
            return True
        if reply.failed is None and reply.text == texts("error.not_posted"):
            self.late_count += 1
            return True
        if reply.failed is None and reply.text == texts("error.storage"):
            self.refused_count += 1
            return False
        raise RuntimeError(f"{reply.failed or reply.text}\n{self.position}")


@asynccontextmanager
async def run_bot(
    discord: DiscordServer,
    *module: str,
    environment: Mapping[str, str] | None = None,
    folder: Path = ROOT,
    python: str = sys.executable,
) -> AsyncIterator[BotProcess]:
    """Run the bot of the version in `folder` in a process of its own, connected to `discord`.

    `environment` are variables that it gets besides those of this process, `python` is its interpreter.
    """
    logins_before, start = discord.gateway.identified, time.perf_counter()
    running = await asyncio.create_subprocess_exec(
        python,
        "-m",
        *module,
        cwd=folder,
        env={**os.environ, **(environment or {}), "PYTHONWARNINGS": "ignore"},
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await discord.wait_until(
            lambda: discord.gateway.identified > logins_before, seconds=60, what="the bot"
        )
        yield BotProcess(running, time.perf_counter() - start)
    finally:
        running.terminate()
        await running.wait()


async def begin_match(guild: Guild, number: int) -> BenchMatch:
    """Start a match in a new channel."""
    channel = guild.channel(f"table-{number}")
    black, white = guild.member(f"Ada {number}"), guild.member(f"Bob {number}")
    options = {"opponent": white, "colour": "black", "start": "facing"}
    await white.click(await black.command("challenge", options, channel=channel), "Accept")
    await channel.wait_for(lambda message: bool(message.attachments), seconds=60)
    start = GAMES[GAME].initial_position(setup="facing")
    return BenchMatch(channel, {"black": black, "white": white}, start, random.Random(number))


async def play_matches(matches: Sequence[BenchMatch], pause: float = 0) -> list[float]:
    """Play all matches at once, with a mean of `pause` seconds between turns; return milliseconds."""

    async def play_turns(match: BenchMatch) -> list[float]:
        times: list[float] = []
        for _ in range(TURNS):
            if pause:
                await asyncio.sleep(match.chance.expovariate(1 / pause))
            times.append(await match.play_turn())
        return times

    return [took for times in await asyncio.gather(*map(play_turns, matches)) for took in times]


def percentile_99(times: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return sorted(times)[-max(1, len(times) // 100)]


async def measure_discord(folder: Path) -> tuple[list[Row], float]:
    """Measure turns, requests, memory and startup; return the rows and the median turn of one match."""
    async with DiscordServer(check=False, settings=LoopbackSettings(interaction_seconds=60)) as discord:
        guild = discord.guild("Bench")
        environment = {
            "DISCORD_TOKEN": discord.token,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/rayuela.db",
            "HEALTH_FILE": str(folder / "health"),
            "LOG_LEVEL": "WARNING",
        }
        module = ("tests.bot.bot_process", str(discord.port), str(discord.ca_file), "0")
        starts: list[float] = []
        for _ in range(ROUNDS):
            async with run_bot(discord, *module, environment=environment) as bot:
                starts.append(bot.startup_seconds)
        async with run_bot(discord, *module, environment=environment) as bot:
            idle = bot.memory_mib()
            rows, middle = await measure_turns(discord, guild, bot)
            for number in range(OPEN_MATCHES - len(discord.world.channels)):
                await begin_match(guild, 1000 + number)
            full = bot.memory_mib()
    return [
        *rows,
        Row.from_values("startup until connected", starts, "s"),
        Row("memory, idle", idle, "MiB"),
        Row(f"memory, after {OPEN_MATCHES} open matches", full, "MiB"),
    ], middle


async def measure_turns(discord: DiscordServer, guild: Guild, bot: BotProcess) -> tuple[list[Row], float]:
    """Measure turns of one match, of many at a pace, and of many without a pause; return as above."""
    alone: list[float] = []
    for number in range(ROUNDS):
        match = await begin_match(guild, number)
        before, used = len(discord.requests), bot.cpu_milliseconds()
        alone += await play_matches([match])
        requests, used = (len(discord.requests) - before) / TURNS, (bot.cpu_milliseconds() - used) / TURNS
    matches = [await begin_match(guild, 100 + number) for number in range(CONCURRENT_MATCHES)]
    paced = await play_matches(matches, PAUSE)
    start = time.perf_counter()
    unpaused = await play_matches(matches)
    rate = len(unpaused) / (time.perf_counter() - start)
    return [
        Row.from_values("a turn, one match", alone, "ms", goal="at most 25"),
        Row("  99th percentile", percentile_99(alone), "ms"),
        Row("  CPU time of the bot", used, "ms"),
        Row("  requests to Discord", requests, "", goal="exactly 1"),
        Row.from_values(f"a turn, {CONCURRENT_MATCHES} matches at a pace", paced, "ms"),
        Row("  99th percentile", percentile_99(paced), "ms", goal="at most 120"),
        Row.from_values(f"a turn, {CONCURRENT_MATCHES} matches without a pause", unpaused, "ms"),
        Row("  turns per second", rate, ""),
        Row("  turns refused: database busy", sum(match.refused_count for match in matches), ""),
        Row("  turns answered later by the outbox", sum(match.late_count for match in matches), ""),
    ], median(alone)


def time_engine(seed: int) -> tuple[list[float], list[tuple[Position, tuple[Any, ...]]]]:
    """Time parsing and playing each move of a random match with its events; return the boards too."""
    rng, position = random.Random(seed), GAMES[GAME].initial_position(setup="facing")
    times: list[float] = []
    boards: list[tuple[Position, tuple[Any, ...]]] = []
    for _ in range(TURNS):
        text = str(rng.choice(position.legal_moves()))
        fresh = GAMES[GAME].load(str(position))
        start = time.perf_counter()
        move = fresh.parse(text)
        events, position = fresh.events(move), fresh.play(move)
        _ = position.outcome
        times.append(1000 * (time.perf_counter() - start))
        boards.append((position, events))
    return times, boards


async def time_storage(folder: Path, seed: int) -> list[float]:
    """Time the turns of a random match through `matches`, rules included."""
    from runtime.steady_clock import read_wall_clock  # noqa: PLC0415 - only the clock of the bot

    ada, bob = Person("bench:1", "Ada"), Person("bench:2", "Bob")
    times: list[float] = []
    async with await Database.open(f"sqlite+aiosqlite:///{folder}/parts.db") as database:
        matches = Matches(database)
        step = await matches.challenges.create(
            ada,
            server="bench:1",
            channel="bench:1",
            game=GAME,
            options={"setup": "facing"},
            colour=GAMES[GAME].sides[0],
            now=read_wall_clock(),
        )
        view = (await matches.challenges.accept(step.challenge.id, bob, now=read_wall_clock())).match
        rng = random.Random(seed)
        for _ in range(TURNS):
            if view.to_move is None or view.position is None:
                break
            text = str(rng.choice(view.position.legal_moves()))
            start = time.perf_counter()
            turn = await matches.play(
                view.id, view.to_move.person, [text], seen_revision=view.ply, now=read_wall_clock()
            )
            times.append(1000 * (time.perf_counter() - start))
            view = turn.match
    return times


async def time_pictures(boards: Sequence[tuple[Position, tuple[Any, ...]]]) -> list[float]:
    """Time rendering each board, with its text."""
    times: list[float] = []
    for position, events in boards:
        start = time.perf_counter()
        await render_board(position, render.RenderOptions(render.NO_WORDS, last_turn=events))
        times.append(1000 * (time.perf_counter() - start))
    return times


async def time_library(folder: Path, png: bytes) -> list[float]:
    """Time the same answer by a bot that uses only discord.py."""
    (folder / "board.png").write_bytes(png)
    async with DiscordServer(check=False) as discord:
        guild = discord.guild("Bench")
        channel, ada = guild.channel("plain"), guild.member("Ada")
        arguments = (str(discord.port), str(discord.ca_file), discord.token, str(folder / "board.png"))
        times: list[float] = []
        async with run_bot(discord, "bench.turn_plain", *arguments):
            for _ in range(ROUNDS * TURNS):
                start = time.perf_counter()
                await ada.command("plain", {}, channel=channel)
                times.append(1000 * (time.perf_counter() - start))
    return times


async def measure_parts(folder: Path, whole: float) -> list[Row]:
    """Measure the parts of a turn of `whole` milliseconds."""
    engine_times, boards = time_engine(1)
    await time_pictures(boards[:3])
    png, _ = await render_board(boards[-1][0], render.RenderOptions(render.NO_WORDS, last_turn=boards[-1][1]))
    commits = await time_storage(folder, 1)
    engine_time, commit = median(engine_times), median(commits)
    pictures, library = await time_pictures(boards), await time_library(folder, png)
    remainder = whole - commit - median(pictures) - median(library)
    return [
        Row("a turn, one match (as above)", whole, "ms"),
        Row.from_values("  engine", engine_times, "ms"),
        Row.from_values("  matches and storage", [took - engine_time for took in commits], "ms"),
        Row.from_values("  picture", pictures, "ms"),
        Row.from_values("  discord.py", library, "ms"),
        Row("  rest", remainder, "ms"),
    ]


async def rows() -> list[Row]:
    """Measure everything."""
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        whole, middle = await measure_discord(Path(folder))
        return [*whole, *await measure_parts(Path(folder), middle)]


def main() -> None:
    """Print the table."""
    print(format_table("A turn in Discord", asyncio.run(rows())))


if __name__ == "__main__":
    main()
