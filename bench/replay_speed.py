"""Replays at a loopback Discord: ``python -m bench.replay_speed``.

A random match of a hundred turns of Morelli is paged through, animated and exported as people do it. The bot
and Discord share this process. A page takes one request, like a turn; an animation and an export first answer
that they are being made, and follow in a second request.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.table import Row, format_table
from bot import app
from bot.ui import ids
from engine import GAMES
from matches import Database, Matches, Person
from runtime import logs
from runtime.steady_clock import read_wall_clock
from tests.discord_server import DiscordServer, LoopbackSettings

if TYPE_CHECKING:
    from matches import MatchId
    from tests.discord_server import Channel, Guild, Member, Reply

GAME = "morelli"
TURNS = 100
ROUNDS = 60
FILE_ROUNDS = 15
KILOBYTE = 1000


@dataclass(frozen=True, slots=True)
class ReplayViewer:
    """A person who looks at the only match of a channel."""

    discord: DiscordServer
    person: Member
    channel: Channel

    async def command(self, name: str) -> Reply:
        """Use a command on the match of the channel."""
        return await self.person.command(name, {}, channel=self.channel)


def random_moves() -> list[str]:
    """Return the moves of the first random game with enough turns. Raises ValueError where there is none."""
    for seed in range(1000):
        rng, position, played = random.Random(seed), GAMES[GAME].initial_position(setup="facing"), list[str]()
        while len(played) < TURNS and (choices := position.legal_moves()):
            move = rng.choice(choices)
            played.append(str(move))
            position = position.play(move)
        if len(played) == TURNS:
            return played
    raise ValueError(f"No random game of {GAME} lasts {TURNS} turns.")


async def play_match(matches: Matches, guild: Guild, channel: Channel) -> MatchId:
    """Play a match through `matches`, without Discord, and return its number."""
    ada, bob = (Person(f"{ids.ID_PREFIX}{number}", name) for number, name in ((1, "Ada"), (2, "Bob")))
    server, channel_account, now = ids.stored_id(guild.id), ids.stored_id(channel.id), read_wall_clock()
    step = await matches.challenges.create(
        ada,
        server=server,
        channel=channel_account,
        game=GAME,
        options={"setup": "facing"},
        colour=GAMES[GAME].sides[0],
        now=now,
    )
    turn = await matches.challenges.accept(step.challenge.id, bob, now=now)
    for text in random_moves():
        seat = turn.match.to_move
        if seat is not None:
            turn = await matches.play(turn.match.id, seat.person, [text], now=now)
    return turn.match.id


async def time_pages(viewer: ReplayViewer) -> tuple[list[float], float]:
    """Page forwards; return the milliseconds of each page and the requests to Discord for one."""
    page, times = await viewer.command("replay"), list[float]()
    before = len(viewer.discord.requests)
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await viewer.person.click(page, "Forward")
        times.append(1000 * (time.perf_counter() - start))
    return times, (len(viewer.discord.requests) - before) / ROUNDS


async def time_animations(viewer: ReplayViewer) -> tuple[list[float], list[float], int]:
    """Ask for the animation; return milliseconds until the first answer and until the file, and its bytes."""
    page, under_way, finished, size = await viewer.command("replay"), list[float](), list[float](), 0
    for _ in range(FILE_ROUNDS):
        start = time.perf_counter()
        reply = await viewer.person.click(page, "Animation")
        under_way.append(1000 * (time.perf_counter() - start))
        await reply.wait_until_complete()
        finished.append(1000 * (time.perf_counter() - start))
        size = reply.attachments[0].size
    return under_way, finished, size


async def time_exports(viewer: ReplayViewer) -> list[float]:
    """Export the match; return the milliseconds until all files have arrived."""
    times = list[float]()
    for _ in range(FILE_ROUNDS):
        start = time.perf_counter()
        await (await viewer.command("export")).wait_until_complete()
        times.append(1000 * (time.perf_counter() - start))
    return times


async def measure(folder: Path) -> list[Row]:
    """Return the rows of the table."""
    logs.configure("ERROR")
    async with DiscordServer(check=False, settings=LoopbackSettings(interaction_seconds=60)) as discord:
        guild = discord.guild("Bench")
        channel = guild.channel("games")
        async with await Database.open(f"sqlite+aiosqlite:///{folder}/rayuela.db") as database:
            await play_match(Matches(database), guild, channel)
            client = app.build_client(database, connector=discord.connector())
            async with client:
                client_task = asyncio.create_task(client.start(discord.token))
                await discord.wait_until(lambda: discord.gateway.identified > 0, seconds=60, what="the bot")
                rows = await measure_viewer(ReplayViewer(discord, guild.member("Eve"), channel))
                await client.close()
                await client_task
    return rows


async def measure_viewer(viewer: ReplayViewer) -> list[Row]:
    """Measure pages, animations and exports, and return the rows."""
    pages, requests = await time_pages(viewer)
    under_way, finished, size = await time_animations(viewer)
    return [
        Row.from_values(f"a page of {TURNS}", pages, "ms", goal="at most 25"),
        Row("  requests to Discord", requests, "", goal="exactly 1"),
        Row.from_values("animation, until the first answer", under_way, "ms"),
        Row.from_values("animation, until the file", finished, "ms"),
        Row("  its size", size / KILOBYTE, "kB", goal="at most 400"),
        Row.from_values("export: record, picture and animation", await time_exports(viewer), "ms"),
    ]


def main() -> None:
    """Print the table."""
    with TemporaryDirectory() as folder:
        rows = asyncio.run(measure(Path(folder)))
    print(format_table(f"A replay of {TURNS} turns of {GAME} at the loopback Discord", rows))


if __name__ == "__main__":
    main()
