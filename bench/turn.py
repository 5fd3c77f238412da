"""Turns at a loopback Discord, from sending the interaction to receiving the answer with its picture.

The bot runs as with ``python -m bot``, in a process of its own, on an SQLite file; Discord and the players
are in this process. Moves of random matches are typed as commands, without a pause, so that the bot is never
idle. Processor time is what the system counts for the bot's process, threads included. Two versions run side
by side, each at a Discord of its own.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.table import timed
from bench.versions import Version, check_out, measure_pictures
from engine import GAMES
from i18n import Texts
from i18n.translations import choose_language
from tests.discord_server import Channel, DiscordServer, Guild, LoopbackSettings, Member
from tests.processes import start_bot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from bench.table import Row
    from engine.game import Position
    from tests.discord_server import Reply

GAME = "morelli"
TURNS = 30  # of each match; a random game lasts longer
MAX_TRIES = 100  # of one turn, when the database is busy
ANSWER_SECONDS = 60.0
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
load_texts = cache(Texts.load)


@dataclass(slots=True)
class BotProcess:
    """The bot's process."""

    id: int
    startup_seconds: float  # until it is connected

    def processor_milliseconds(self) -> float:
        """Return the processor time used so far, in milliseconds."""
        fields = Path(f"/proc/{self.id}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def memory_mib(self) -> float:
        """Return the resident memory in MiB."""
        return int(Path(f"/proc/{self.id}/statm").read_text(encoding="ascii").split()[1]) * PAGE_SIZE / 2**20


@dataclass(slots=True)
class BenchMatch:
    """A match between two people in a channel of its own, played with random moves."""

    channel: Channel
    people: dict[str, Member]
    position: Position
    chance: random.Random

    async def play_turns(self, turns: int) -> list[float]:
        """Play turns; return the milliseconds until each was accepted, all attempts included.

        Raises RuntimeError with the text of the answer where the bot refuses one.
        """
        times = list[float]()
        for _ in range(turns):
            move = self.chance.choice(self.position.legal_moves())
            with timed(times):
                for _ in range(MAX_TRIES):
                    if await self._is_accepted(str(move)):
                        break
                else:
                    raise RuntimeError(f"{move} was not accepted in {MAX_TRIES} attempts")
            self.position = self.position.play(move)
        return times

    async def _is_accepted(self, move: str) -> bool:
        """Type a move; return whether it was accepted, which it is not while the database is busy."""
        mover, texts = self.people[str(self.position.to_move)], load_texts()
        reply: Reply = await mover.command("move", {"move": move}, channel=self.channel)
        if reply.failed is None and (reply.attachments or reply.text == texts("error.not_posted")):
            return True
        if reply.failed is None and reply.text == texts("error.storage"):
            return False
        raise RuntimeError(f"{reply.failed or reply.text}\n{self.position}")


def loopback_discord() -> DiscordServer:
    """Return a Discord that waits long enough for a busy machine."""
    return DiscordServer(check=False, settings=LoopbackSettings(interaction_seconds=ANSWER_SECONDS))


@asynccontextmanager
async def run_bot(
    discord: DiscordServer, folder: Path, version: Version | None = None, **settings: str
) -> AsyncIterator[BotProcess]:
    """Run the bot of a version, by default this one, at `discord`, with its database in `folder`."""
    version, known, start = version or Version(), discord.gateway.identified, time.perf_counter()
    process = await start_bot(
        discord,
        f"sqlite+aiosqlite:///{folder}/rayuela.db",
        log=sys.stderr.fileno(),
        settings={"LOG_LEVEL": "ERROR", "HEALTH_FILE": str(folder / "health"), **settings},
        folder=version.folder,
        python=version.python,
    )
    try:
        await discord.wait_until(
            lambda: discord.gateway.identified > known, seconds=ANSWER_SECONDS, what="the bot"
        )
        yield BotProcess(process.pid, time.perf_counter() - start)
    finally:
        process.terminate()
        await process.wait()


async def begin_match(guild: Guild, number: int) -> BenchMatch:
    """Start a match in a new channel, between two people whose Discord has the language of the server."""
    channel = guild.channel(f"table-{number}")
    black, white = guild.member(f"Ada {number}"), guild.member(f"Bob {number}")
    black.user.locale = white.user.locale = guild.state.locale
    options = {"opponent": white, "colour": "black", "start": "facing"}
    accept = Texts.load(language=choose_language(guild.state.locale))("button.accept")
    await white.click(await black.command("challenge", options, channel=channel), accept)
    await channel.wait_for(lambda message: bool(message.attachments), seconds=ANSWER_SECONDS)
    start = GAMES[GAME].initial_position(setup="facing")
    return BenchMatch(channel, {"black": black, "white": white}, start, random.Random(number))


@dataclass(slots=True)
class RunningBot:
    """The bot of a version, at a Discord of its own."""

    version: Version
    discord: DiscordServer
    guild: Guild
    process: BotProcess
    numbers: Iterator[int]

    async def play(self, matches: int) -> None:
        """Play matches at once; add what a turn costs."""
        label = "a turn, one match" if matches == 1 else f"a turn, {matches} matches at once"
        played = [await begin_match(self.guild, next(self.numbers)) for _ in range(matches)]
        requests, used, start = (
            len(self.discord.requests),
            self.process.processor_milliseconds(),
            time.perf_counter(),
        )
        times = [
            took for own in await asyncio.gather(*(one.play_turns(TURNS) for one in played)) for took in own
        ]
        seconds, used = time.perf_counter() - start, self.process.processor_milliseconds() - used
        add, turns = self.version.add, len(times)
        add(label, "ms", *times)
        add(f"{label}: 99th percentile", "ms", sorted(times)[-max(1, turns // 100)])
        add(f"{label}: processor time", "ms", used / turns)
        add(f"{label}: requests to Discord", "", (len(self.discord.requests) - requests) / turns)
        if matches > 1:
            add("turns per second", "", turns / seconds)


async def measure_turns(versions: Sequence[Version], rounds: int, matches: int, idle_seconds: float) -> None:
    """Measure the bots of versions, which run at once; the rounds alternate between them.

    So whatever else the machine does meets all of them. Each is started twice: the first time it creates its
    database.
    """
    async with AsyncExitStack() as stack:
        bots = [await _start(version, stack) for version in versions]
        await asyncio.sleep(idle_seconds)
        for bot in bots:
            bot.version.add("memory, idle", "MiB", bot.process.memory_mib())
        for _ in range(rounds):
            for bot in bots:
                await bot.play(1)
                await bot.play(matches)
        for bot in bots:
            bot.version.add("memory, after these matches", "MiB", bot.process.memory_mib())


async def _start(version: Version, stack: AsyncExitStack) -> RunningBot:
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="rayuela-bench-")))
    discord = await stack.enter_async_context(loopback_discord())
    async with run_bot(discord, folder, version):
        pass
    process = await stack.enter_async_context(run_bot(discord, folder, version))
    version.add("startup until connected", "s", process.startup_seconds)
    return RunningBot(version, discord, discord.guild("Bench"), process, count())


def rows(rounds: int = 4, matches: int = 20, idle_seconds: float = 5) -> Iterable[Row]:
    """Measure this version."""
    version = Version()
    asyncio.run(measure_turns([version], rounds, matches, idle_seconds))
    return version.rows()


def before_rows(
    rounds: int = 5, matches: int = 20, idle_seconds: float = 60, picture_rounds: int = 3, games: int = 4
) -> Iterable[Row]:
    """Measure this version, pictures too, and the commit BEFORE as the comparison."""
    commit = os.environ.get("BEFORE")
    if not commit:
        sys.exit("Set BEFORE to the commit to compare with, such as BEFORE=HEAD~10.")
    with check_out(commit) as before:
        now = Version()
        measure_pictures((before, now), picture_rounds, games)
        asyncio.run(measure_turns((before, now), rounds, matches, idle_seconds))
    return now.rows(before)
