"""Replays at a loopback Discord: ``python -m bench.replay_speed``.

A random match of a hundred turns of Morelli is paged through, animated and exported as people do it, with
bot and Discord in this one process. A page, like a turn, is one request; what takes longer says first that
it is under way, and then comes in a second one.
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
    """Somebody who looks at a match in a channel."""

    discord: DiscordServer
    person: Member
    channel: Channel

    async def command(self, name: str) -> Reply:
        """Use a command on the one match of the channel."""
        return await self.person.command(name, {}, channel=self.channel)


def random_moves() -> list[str]:
    """Return the moves of the first random game that is long enough."""
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
    """Play such a match in a channel, past Discord."""
    ada, bob = (Person(f"{ids.ID_PREFIX}{number}", name) for number, name in ((1, "Ada"), (2, "Bob")))
    server, channel_account, now = ids.stored_id(guild.id), ids.stored_id(channel.id), app.utc_now()
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


async def time_pages(reader: ReplayViewer) -> tuple[list[float], float]:
    """Turn pages forwards; give the milliseconds of each and the requests to Discord of one."""
    page, times = await reader.command("replay"), list[float]()
    before = len(reader.discord.requests)
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await reader.person.click(page, "Forward")
        times.append(1000 * (time.perf_counter() - start))
    return times, (len(reader.discord.requests) - before) / ROUNDS


async def time_animations(reader: ReplayViewer) -> tuple[list[float], list[float], int]:
    """Ask for the animation; give the times until it is under way and until it is there, and its bytes."""
    page, under_way, finished, size = await reader.command("replay"), list[float](), list[float](), 0
    for _ in range(FILE_ROUNDS):
        start = time.perf_counter()
        reply = await reader.person.click(page, "Animation")
        under_way.append(1000 * (time.perf_counter() - start))
        await reply.wait_until_complete()
        finished.append(1000 * (time.perf_counter() - start))
        size = reply.attachments[0].size
    return under_way, finished, size


async def time_exports(reader: ReplayViewer) -> list[float]:
    """Export the match; give the milliseconds until all files are there."""
    times = list[float]()
    for _ in range(FILE_ROUNDS):
        start = time.perf_counter()
        await (await reader.command("export")).wait_until_complete()
        times.append(1000 * (time.perf_counter() - start))
    return times


async def measure(folder: Path) -> list[Row]:
    """Return the rows of the table."""
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


async def measure_viewer(reader: ReplayViewer) -> list[Row]:
    """Do all that somebody can do with a match, and give the rows."""
    pages, requests = await time_pages(reader)
    under_way, finished, size = await time_animations(reader)
    return [
        Row.from_values(f"a page of {TURNS}", pages, "ms", goal="at most 25"),
        Row("  requests to Discord", requests, "", goal="exactly 1"),
        Row.from_values("the animation said to be under way", under_way, "ms"),
        Row.from_values("the animation there", finished, "ms"),
        Row("  its size", size / KILOBYTE, "kB", goal="at most 400"),
        Row.from_values("record, picture and animation there", await time_exports(reader), "ms"),
    ]


def main() -> None:
    """Print the table."""
    with TemporaryDirectory() as folder:
        rows = asyncio.run(measure(Path(folder)))
    print(format_table(f"A replay of {TURNS} turns of {GAME} at the loopback Discord", rows))


if __name__ == "__main__":
    main()
