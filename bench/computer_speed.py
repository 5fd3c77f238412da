"""Twenty people who play the computer at once at the loopback Discord: how soon it answers, and the memory.

The bot is a process of its own, which starts one worker. Every person plays random moves, each within five
seconds after the answer to the last one. An answer is posted a second and a half after the move, or later.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.table import Row
from engine import GAMES
from matches import Database, Matches, MatchId, MatchView
from matches.computer.service import ANSWER_DELAY
from tests.discord_server import DiscordServer, LoopbackSettings
from tests.processes import start_bot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.discord_server import Channel, Guild, Member

PEOPLE = 20
TURNS = 6  # of each person
LEVEL = "club"
LONGEST_THOUGHT = 5.0  # seconds of a person
SLOW_DISCORD = LoopbackSettings(interaction_seconds=30.0)  # so that a loaded machine decides nothing
ATTEMPTS = 10  # at a command, while others write
PATIENCE = 120.0  # seconds for one answer
PAGE = os.sysconf("SC_PAGE_SIZE")
MEBIBYTE = 1 << 20


async def rows() -> list[Row]:
    """Return the answer times and the memory of both processes."""
    with TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder)}/rayuela.db"
        log = (Path(folder) / "log").open("wb")
        async with (
            DiscordServer(check=False, settings=SLOW_DISCORD) as discord,
            await Database.open(url) as database,
        ):
            guild = discord.guild("Bench")
            bot = await start_bot(discord, url, log=log, settings={"LOG_LEVEL": "WARNING"})
            try:
                await discord.wait_until(lambda: discord.gateway.identified > 0, what="the bot", seconds=60)
                await _play(guild, 0, Matches(database), turns=1)
                before = _resident(bot.pid)
                waits = await asyncio.gather(
                    *(_play(guild, number, Matches(database)) for number in range(1, PEOPLE + 1))
                )
                (worker,) = _children(bot.pid)
                memory = (before, _resident(bot.pid), _resident(worker))
            finally:
                bot.terminate()
                await bot.wait()
                log.close()
    times = [seconds for one in waits for seconds in one]
    return [
        Row.from_values(f"from a move to the answer's post, {len(times)} turns", times, "s", goal="2.5 s"),
        Row("the same, 99th percentile", quantiles(times, n=100)[-1], "s"),
        Row("of that, the pause before an answer", ANSWER_DELAY.total_seconds(), "s"),
        Row("memory of the bot before the matches", memory[0], "MiB"),
        Row("memory of the bot after them", memory[1], "MiB"),
        Row("memory of the worker", memory[2], "MiB"),
    ]


async def _play(guild: Guild, number: int, matches: Matches, turns: int = TURNS) -> list[float]:
    """Play some turns against the computer; return how many seconds each answer took."""
    channel, person = guild.channel(f"game-{number}"), guild.member(f"Ada {number}")
    games, chance = list(GAMES), random.Random(number)
    names = {"morelli": {"start": "facing"}}
    game = games[number % len(games)]
    options = {"level": LEVEL, "game": game, **names.get(game, {})}
    await _use(person, channel, "challenge", options)
    match, waits = await _find_match(matches, guild, channel), list[float]()
    for _ in range(turns):
        view = await _wait_for_turn(matches, match, person)
        if view.position is None or view.result is not None:
            break
        await asyncio.sleep(chance.uniform(0, LONGEST_THOUGHT))
        move = str(chance.choice(view.position.legal_moves()))
        await _use(person, channel, "move", {"move": move})
        played, last = time.perf_counter(), channel.messages[-1].id
        await channel.wait_for(lambda message: message.id > last, seconds=PATIENCE)  # noqa: B023 - awaited here
        waits.append(time.perf_counter() - played)
    return waits


async def _use(person: Member, channel: Channel, command: str, options: Mapping[str, str]) -> None:
    """Use a command, again if the database was busy."""
    for _ in range(ATTEMPTS):
        reply = await person.command(command, options, channel=channel)
        if not reply.failed and not reply.ephemeral:
            return
    raise RuntimeError(reply.failed or reply.text)


async def _find_match(matches: Matches, guild: Guild, channel: Channel) -> MatchId:
    found = await matches.views.list_recent(f"discord:{guild.id}", channel=f"discord:{channel.id}")
    return found[0].id


async def _wait_for_turn(matches: Matches, match: MatchId, person: Member) -> MatchView:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        view = await matches.views.current(match)
        seat = view.to_move
        if view.result is not None or (seat is not None and seat.person.account == f"discord:{person.id}"):
            return view
        await asyncio.sleep(0.1)
    raise TimeoutError(f"no answer in match {match}")


def _children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def _resident(process: int) -> float:
    """Return the resident memory of a process in MiB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE / MEBIBYTE
