"""One turn at a loopback Discord, from sending the interaction to receiving the answer with its picture.

``python -m bench.turn``: the bot runs as ``python -m bot`` does, in a process of its own, over an SQLite
file; Discord and the players are in this one. Matches are random ones on the full board, moves are typed
as commands. At a pace each player thinks for a second in the mean; without a pause each answers at
once, so that the bot is never idle. Then what a turn is made of: each part measured by itself on such
boards; what is left over is the rest.
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
from bench.table import Row, printed
from bot.pictures import paint
from engine import GAMES
from matches import Matches, Person, Store
from tests.discord_server import Channel, DiscordServer, Guild, Member, Settings
from words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from engine.game import Position
    from tests.discord_server import Reply

ROOT = Path(__file__).resolve().parent.parent
GAME = "morelli"
TURNS = 30  # of each match; a random one lasts longer
ROUNDS = 3
AT_ONCE = 20
OPEN = 1000
TRIES = 100  # of one turn, where storage has no time for it
PAUSE = 1.0  # seconds that a player thinks, in the mean, where matches are played at a pace
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
WORDS = cache(Words.load)


@dataclass(slots=True)
class Bot:
    """The bot's process."""

    process: asyncio.subprocess.Process
    seconds: float  # from its start to its being ready

    def processor(self) -> float:
        """Give the processor time that it has used, in milliseconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self) -> float:
        """Give its resident memory in MiB."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * PAGE / 2**20


@dataclass(slots=True)
class Table:
    """One match between two people in a channel of its own, played at random."""

    channel: Channel
    people: dict[str, Member]
    position: Position
    chance: random.Random
    refused: int = 0  # tries for which storage had no time
    late: int = 0  # turns that were taken, but posted by the outbox later: their answer came too late

    async def turn(self) -> float:
        """Play one turn and give the milliseconds that it took, with all tries until it was taken.

        Raises RuntimeError with the answer's text where the bot will not take it.
        """
        move = self.chance.choice(self.position.legal_moves())
        mover = self.people[str(self.position.to_move)]
        start = time.perf_counter()
        for _ in range(TRIES):
            if self.taken(await mover.command("move", {"move": str(move)}, channel=self.channel)):
                break
        else:
            raise RuntimeError(f"{move} was not taken in {TRIES} tries")
        self.position = self.position.play(move)
        return 1000 * (time.perf_counter() - start)

    def taken(self, reply: Reply) -> bool:
        """Tell whether an answer says that the move was taken. Raises RuntimeError for any other refusal."""
        told = WORDS()
        if reply.failed is None and reply.attachments:
            return True
        if reply.failed is None and reply.text == told("trouble.later"):
            self.late += 1
            return True
        if reply.failed is None and reply.text == told("trouble.storage"):
            self.refused += 1
            return False
        raise RuntimeError(f"{reply.failed or reply.text}\n{self.position}")


@asynccontextmanager
async def process(discord: DiscordServer, *module: str, **given: str) -> AsyncIterator[Bot]:
    """Run a bot, ready to answer."""
    known, start = discord.gateway.identified, time.perf_counter()
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *module,
        cwd=ROOT,
        env=os.environ | given | {"PYTHONWARNINGS": "ignore"},
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await discord.wait_until(lambda: discord.gateway.identified > known, seconds=60, what="the bot")
        yield Bot(running, time.perf_counter() - start)
    finally:
        running.terminate()
        await running.wait()


async def sit_down(guild: Guild, number: int) -> Table:
    """Begin a match in a new channel."""
    channel = guild.channel(f"table-{number}")
    black, white = guild.member(f"Ada {number}"), guild.member(f"Bob {number}")
    options = {"opponent": white, "colour": "black", "start": "facing"}
    await white.click(await black.command("challenge", options, channel=channel), "Accept")
    await channel.wait_for(lambda message: bool(message.attachments), seconds=60)
    start = GAMES[GAME].start(setup="facing")
    return Table(channel, {"black": black, "white": white}, start, random.Random(number))


async def played(tables: Sequence[Table], pause: float = 0) -> list[float]:
    """Let all tables play at once, each its next turn after a `pause` of that mean."""

    async def turns(table: Table) -> list[float]:
        times: list[float] = []
        for _ in range(TURNS):
            if pause:
                await asyncio.sleep(table.chance.expovariate(1 / pause))
            times.append(await table.turn())
        return times

    return [took for times in await asyncio.gather(*map(turns, tables)) for took in times]


def slowest(times: Sequence[float]) -> float:
    """Give the time that one in a hundred exceeds."""
    return sorted(times)[-max(1, len(times) // 100)]


async def at_discord(folder: Path) -> tuple[list[Row], float]:
    """Measure whole turns, requests, memory and the start; give the rows and the median of one match."""
    async with DiscordServer(check=False, settings=Settings(interaction_seconds=60)) as discord:
        guild = discord.guild("Bench")
        given = {
            "DISCORD_TOKEN": discord.token,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/rayuela.db",
            "HEALTH_FILE": str(folder / "health"),
            "LOG_LEVEL": "WARNING",
        }
        module = ("tests.bot.process", str(discord.port), str(discord.ca_file), "0")
        starts: list[float] = []
        for _ in range(ROUNDS):
            async with process(discord, *module, **given) as bot:
                starts.append(bot.seconds)
        async with process(discord, *module, **given) as bot:
            idle = bot.memory()
            rows, middle = await turns(discord, guild, bot)
            for number in range(OPEN - len(discord.world.channels)):
                await sit_down(guild, 1000 + number)
            full = bot.memory()
    return [
        *rows,
        Row.of("start to connected", starts, "s"),
        Row("memory, idle", idle, "MiB"),
        Row(f"memory, after {OPEN} open matches", full, "MiB"),
    ], middle


async def turns(discord: DiscordServer, guild: Guild, bot: Bot) -> tuple[list[Row], float]:
    """Measure turns of one match, of many at a pace, and of many without a pause."""
    alone: list[float] = []
    for number in range(ROUNDS):
        table = await sit_down(guild, number)
        before, used = len(discord.requests), bot.processor()
        alone += await played([table])
        requests, used = (len(discord.requests) - before) / TURNS, (bot.processor() - used) / TURNS
    crowd = [await sit_down(guild, 100 + number) for number in range(AT_ONCE)]
    paced = await played(crowd, PAUSE)
    start = time.perf_counter()
    pressed = await played(crowd)
    rate = len(pressed) / (time.perf_counter() - start)
    return [
        Row.of("a turn, one match", alone, "ms", goal="at most 25"),
        Row("  the slowest in a hundred", slowest(alone), "ms"),
        Row("  processor time of the bot", used, "ms"),
        Row("  requests to Discord", requests, "", goal="exactly 1"),
        Row.of(f"a turn, {AT_ONCE} matches at a pace", paced, "ms"),
        Row("  the slowest in a hundred", slowest(paced), "ms", goal="at most 120"),
        Row.of(f"a turn, {AT_ONCE} matches without a pause", pressed, "ms"),
        Row("  turns a second", rate, ""),
        Row("  turns refused for want of time", sum(table.refused for table in crowd), ""),
        Row("  turns posted later for want of time", sum(table.late for table in crowd), ""),
    ], median(alone)


def engine_part(seed: int) -> tuple[list[float], list[tuple[Position, tuple[Any, ...]]]]:
    """Time reading, telling and playing each move of a random match; give the boards after them too."""
    chance, position = random.Random(seed), GAMES[GAME].start(setup="facing")
    times: list[float] = []
    boards: list[tuple[Position, tuple[Any, ...]]] = []
    for _ in range(TURNS):
        text = str(chance.choice(position.legal_moves()))
        fresh = GAMES[GAME].load(str(position))
        start = time.perf_counter()
        move = fresh.parse(text)
        events, position = fresh.events(move), fresh.play(move)
        _ = position.outcome
        times.append(1000 * (time.perf_counter() - start))
        boards.append((position, events))
    return times, boards


async def storage_part(folder: Path, seed: int) -> list[float]:
    """Time committing the turns of a random match, rules included."""
    from bot.app import present  # noqa: PLC0415 - the clock of the bot, nothing else of it

    ada, bob = Person("bench:1", "Ada"), Person("bench:2", "Bob")
    times: list[float] = []
    async with await Store.open(f"sqlite+aiosqlite:///{folder}/parts.db") as store:
        matches = Matches(store)
        step = await matches.challenge(
            ada,
            server="bench:1",
            place="bench:1",
            game=GAME,
            options={"setup": "facing"},
            colour=GAMES[GAME].sides[0],
            now=present(),
        )
        view = (await matches.accept(step.challenge.id, bob, now=present())).match
        chance = random.Random(seed)
        for _ in range(TURNS):
            if view.to_move is None or view.position is None:
                break
            text = str(chance.choice(view.position.legal_moves()))
            start = time.perf_counter()
            turn = await matches.play(view.id, view.to_move.person, [text], seen_ply=view.ply, now=present())
            times.append(1000 * (time.perf_counter() - start))
            view = turn.match
    return times


async def picture_part(boards: Sequence[tuple[Position, tuple[Any, ...]]]) -> list[float]:
    """Time painting each board, its text included."""
    times: list[float] = []
    for position, events in boards:
        start = time.perf_counter()
        await paint(position, render.View(last=events))
        times.append(1000 * (time.perf_counter() - start))
    return times


async def library_part(folder: Path, png: bytes) -> list[float]:
    """Time the same answer by a bot of discord.py alone."""
    (folder / "board.png").write_bytes(png)
    async with DiscordServer(check=False) as discord:
        guild = discord.guild("Bench")
        channel, ada = guild.channel("plain"), guild.member("Ada")
        arguments = (str(discord.port), str(discord.ca_file), discord.token, str(folder / "board.png"))
        times: list[float] = []
        async with process(discord, "bench.turn_plain", *arguments):
            for _ in range(ROUNDS * TURNS):
                start = time.perf_counter()
                await ada.command("plain", {}, channel=channel)
                times.append(1000 * (time.perf_counter() - start))
    return times


async def parts(folder: Path, whole: float) -> list[Row]:
    """Measure what a turn of `whole` milliseconds is made of."""
    engine_times, boards = engine_part(1)
    await picture_part(boards[:3])
    png, _ = await paint(boards[-1][0], render.View(last=boards[-1][1]))
    commits = await storage_part(folder, 1)
    engine_time, commit = median(engine_times), median(commits)
    pictures, library = await picture_part(boards), await library_part(folder, png)
    rest = whole - commit - median(pictures) - median(library)
    return [
        Row("a turn, one match, again", whole, "ms"),
        Row.of("  of it the engine", engine_times, "ms"),
        Row.of("  of it storage", [took - engine_time for took in commits], "ms"),
        Row.of("  of it the picture", pictures, "ms"),
        Row.of("  of it the client library", library, "ms"),
        Row("  of it the rest", rest, "ms"),
    ]


async def rows() -> list[Row]:
    """Measure everything."""
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        whole, middle = await at_discord(Path(folder))
        return [*whole, *await parts(Path(folder), middle)]


def main() -> None:
    """Print the table."""
    print(printed("A turn in Discord", asyncio.run(rows())))


if __name__ == "__main__":
    main()
