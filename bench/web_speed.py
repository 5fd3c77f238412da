"""Benchmark of the website: ``python -m bench.web_speed``.

First the size of the first page view of a match of 100 turns, counted in bytes on the socket, headers
included. Then many spectators watch a match that is played in Discord, with the website in the bot's process:
the time from sending the move until each spectator has the whole event, and how much slower the turn is for
the player. Rounds with and without spectators alternate. Everything runs on loopback addresses.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import structlog

from bench.replay_speed import random_moves
from bench.table import Row, format_table
from bench.turn import ROOT, BenchMatch, begin_match, run_bot
from engine import GAMES
from matches import Database, Matches, Person
from runtime.steady_clock import read_wall_clock
from tests.discord_server import DiscordServer, LoopbackSettings
from web import app
from web.settings import WebSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

GAME = "morelli"
SPECTATORS = 1000
ROUNDS = 5
TURNS = 8  # per round
PAUSE = 1.0  # seconds between two turns
VIEWS = 30
PEOPLE = (Person("bench:1", "Ada"), Person("bench:2", "Bob"))
LINKED_FILE = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
NESTED_FILE = re.compile(rb'(?:from |url\()"(?:\./)?([^"]+)"')


@dataclass(frozen=True, slots=True)
class PageLoad:
    """Cost of the first page view: bytes received, requests, and rounds of requests after the page itself."""

    size: int
    requests: int
    rounds: int


async def fetch(port: int, path: str) -> tuple[int, bytes, bytes]:
    """Fetch a path; return the number of bytes received, the head, and the raw body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    )
    writer.write(request.encode())
    response = await reader.read()
    writer.close()
    head, _, body = response.partition(b"\r\n\r\n")
    return len(response), head, body


async def load_page(port: int, path: str) -> PageLoad:
    """Load a page and all static files that it links to, directly or through other files."""
    from gzip import decompress  # noqa: PLC0415 - used only here

    def decode_body(head: bytes, body: bytes) -> bytes:
        return decompress(decode_chunks(head, body)) if b"gzip" in head else decode_chunks(head, body)

    size, head, body = await fetch(port, path)
    pending = {name.decode() for name in LINKED_FILE.findall(decode_body(head, body))}
    loaded, rounds = set[str](), 0
    while pending:
        rounds += 1
        loaded |= pending
        linked: set[str] = set()
        for name in pending:
            more, head, body = await fetch(port, name)
            size += more
            if name.endswith((".css", ".js")):
                folder = name.rpartition("/")[0]
                linked |= {
                    f"{folder}/{file.decode()}" for file in NESTED_FILE.findall(decode_body(head, body))
                }
        pending = linked - loaded
    return PageLoad(size, 1 + len(loaded), rounds)


def decode_chunks(head: bytes, body: bytes) -> bytes:
    """Return a body without chunked transfer encoding."""
    if b"chunked" not in head:
        return body
    decoded = b""
    while body:
        length, _, body = body.partition(b"\r\n")
        count = int(length, 16)
        decoded, body = decoded + body[:count], body[count + 2 :]
    return decoded


async def play_long_match(database: Database) -> int:
    """Play a random match of 100 turns and return its id."""
    matches = Matches(database)
    step = await matches.challenges.create(
        PEOPLE[0],
        server="bench:1",
        channel="bench:1",
        game=GAME,
        options={"setup": "facing"},
        colour=GAMES[GAME].sides[0],
        now=read_wall_clock(),
    )
    view = (await matches.challenges.accept(step.challenge.id, PEOPLE[1], now=read_wall_clock())).match
    for number, text in enumerate(random_moves()):
        await matches.play(view.id, PEOPLE[number % 2], [text], now=read_wall_clock())
    return int(view.id)


async def measure_page(folder: Path) -> list[Row]:
    """Measure the first page view, and the time of later requests for the page."""
    settings = WebSettings(web_port=0)
    async with await Database.open(f"sqlite+aiosqlite:///{folder}/views.db") as database:
        match = await play_long_match(database)
        with app.bind(settings) as server_socket:
            port = server_socket.getsockname()[1]
            async with app.serve(app.build(database, settings, "s" * 32, port=port), server_socket):
                view = await load_page(port, f"/m/{match}")
                times: list[float] = []
                for _ in range(VIEWS):
                    start = time.perf_counter()
                    await fetch(port, f"/m/{match}")
                    times.append(1000 * (time.perf_counter() - start))
    return [
        Row("first view of a match of 100 turns", view.size / 1000, "kB", goal="at most 60"),
        Row("  requests", view.requests, ""),
        Row("  rounds of requests after the page", view.rounds, "", goal="1"),
        Row.from_values("  the page, asked for again", times, "ms"),
    ]


@dataclass(slots=True)
class SpectatorProcess:
    """The process that runs the spectators."""

    process: asyncio.subprocess.Process

    async def next_event(self) -> tuple[float, float, float]:
        """Wait until all have the next event; return when the first, the median and the last received it."""
        if self.process.stdout is None:
            raise RuntimeError("the output of the spectators is not captured")
        async with asyncio.timeout(60):
            _, first, middle, last = json.loads(await self.process.stdout.readline())
        return first, middle, last


@asynccontextmanager
async def run_spectators(port: int, count: int) -> AsyncIterator[SpectatorProcess]:
    """Run spectators of match 1 while the block runs; all are connected when it starts."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.web_crowd", str(port), "1", str(count), "none"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        spectators = SpectatorProcess(running)
        await spectators.next_event()
        await spectators.next_event()
        yield spectators
    finally:
        running.kill()
        await running.wait()


async def time_unwatched_turns(match: BenchMatch) -> list[float]:
    """Play turns with a pause before each, without spectators; return their times in milliseconds."""
    times = []
    for _ in range(TURNS):
        await asyncio.sleep(PAUSE)
        times.append(await match.play_turn())
    return times


async def time_watched_turns(
    match: BenchMatch, spectators: SpectatorProcess
) -> tuple[list[float], list[float], list[float]]:
    """Play turns with a pause before each; return their times, and when half and all had seen each, in ms."""
    times, half_seen, all_seen = [], [], []
    for _ in range(TURNS):
        await asyncio.sleep(PAUSE)
        start = time.monotonic()
        times.append(await match.play_turn())
        _, middle, last = await spectators.next_event()
        half_seen.append(1000 * (middle - start))
        all_seen.append(1000 * (last - start))
    return times, half_seen, all_seen


async def measure_spectators(folder: Path) -> list[Row]:
    """Measure how soon spectators see a turn, and how much they slow it down."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with DiscordServer(check=False, settings=LoopbackSettings(interaction_seconds=60)) as discord:
        environment = {
            "DISCORD_TOKEN": discord.token,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/crowd.db",
            "HEALTH_FILE": str(folder / "health"),
            "LOG_LEVEL": "WARNING",
            "WEB_PORT": str(port),
        }
        module = ("tests.bot.bot_process", str(discord.port), str(discord.ca_file), "0")
        alone: list[float] = []
        watched: list[float] = []
        half_seen: list[float] = []
        all_seen: list[float] = []
        async with run_bot(discord, *module, environment=environment) as bot:
            match = await begin_match(discord.guild("Bench"), 1)
            await time_unwatched_turns(match)
            before = bot.memory_mib()
            for _ in range(ROUNDS):
                alone += await time_unwatched_turns(match)
                async with run_spectators(port, SPECTATORS) as spectators:
                    found = await time_watched_turns(match, spectators)
                    memory = bot.memory_mib()
                for values, new in zip((watched, half_seen, all_seen), found, strict=True):
                    values.extend(new)
    return [
        Row.from_values(f"{SPECTATORS} spectators: half have seen a turn", half_seen, "ms"),
        Row.from_values("  all have seen it", all_seen, "ms", goal="at most 500"),
        Row("  the slowest of all turns", max(all_seen), "ms", goal="at most 500"),
        Row.from_values("a turn in Discord, nobody watching", alone, "ms"),
        Row.from_values(f"a turn in Discord, {SPECTATORS} watching", watched, "ms"),
        Row("  rises by", 100 * (median(watched) / median(alone) - 1), "%", goal="at most 10"),
        Row("  memory of the bot for each spectator", (memory - before) * 1024 / SPECTATORS, "KiB"),
    ]


async def rows() -> list[Row]:
    """Measure everything, with logging off."""
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        return [*await measure_page(Path(folder)), *await measure_spectators(Path(folder))]


def main() -> None:
    """Print the results."""
    print(format_table("The website", asyncio.run(rows())))


if __name__ == "__main__":
    main()
