"""The table in the browser: ``python -m bench.web_speed``.

What the first view of a match of a hundred turns costs over the wire, counted on the socket, headers
included. Then a crowd of spectators at one match of the bot's own process, while that is played in Discord:
how long after the player sends the move each has had it whole, and what the crowd costs the player. Turns
with and without the crowd alternate in rounds. All of it on loopback addresses.
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

from bench.replay_speed import moves
from bench.table import Row, printed
from bench.turn import ROOT, Table, process, sit_down
from engine import GAMES
from matches import Matches, Person, Store
from tests.discord_server import DiscordServer, Settings
from web import app
from web.app import present
from web.settings import WebSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

GAME = "morelli"
SPECTATORS = 1000
ROUNDS = 5
TURNS = 8  # of a round
PAUSE = 1.0  # seconds between two turns of the match that is watched
VIEWS = 30
PEOPLE = (Person("bench:1", "Ada"), Person("bench:2", "Bob"))
NAMED = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
FROM_WITHIN = re.compile(rb'(?:from |url\()"(?:\./)?([^"]+)"')


@dataclass(frozen=True, slots=True)
class View:
    """What a browser gets when it first opens a page: bytes on the wire, requests, and rounds of these."""

    size: int
    requests: int
    rounds: int


async def fetched(port: int, path: str) -> tuple[int, bytes, bytes]:
    """Fetch a path as a browser does; give the bytes on the wire, the head, and the body as it came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    asked = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    )
    writer.write(asked.encode())
    whole = await reader.read()
    writer.close()
    head, _, body = whole.partition(b"\r\n\r\n")
    return len(whole), head, body


async def first_view(port: int, path: str) -> View:
    """Open a page and everything that it names, then whatever these name, until nothing is new."""
    from gzip import decompress  # noqa: PLC0415 - nothing else here presses

    def opened(head: bytes, body: bytes) -> bytes:
        return decompress(unchunked(head, body)) if b"gzip" in head else unchunked(head, body)

    size, head, body = await fetched(port, path)
    wanted = {name.decode() for name in NAMED.findall(opened(head, body))}
    known, rounds = set[str](), 0
    while wanted:
        rounds += 1
        known |= wanted
        found: set[str] = set()
        for name in wanted:
            more, head, body = await fetched(port, name)
            size += more
            if name.endswith((".css", ".js")):
                folder = name.rpartition("/")[0]
                found |= {f"{folder}/{one.decode()}" for one in FROM_WITHIN.findall(opened(head, body))}
        wanted = found - known
    return View(size, 1 + len(known), rounds)


def unchunked(head: bytes, body: bytes) -> bytes:
    """Give a body whole that may have come in chunks."""
    if b"chunked" not in head:
        return body
    whole = b""
    while body:
        length, _, body = body.partition(b"\r\n")
        count = int(length, 16)
        whole, body = whole + body[:count], body[count + 2 :]
    return whole


async def long_match(store: Store) -> int:
    """Play a random match of a hundred turns, and give its number."""
    matches = Matches(store)
    step = await matches.challenge(
        PEOPLE[0],
        server="bench:1",
        place="bench:1",
        game=GAME,
        options={"setup": "facing"},
        colour=GAMES[GAME].sides[0],
        now=present(),
    )
    view = (await matches.accept(step.challenge.id, PEOPLE[1], now=present())).match
    for number, text in enumerate(moves()):
        await matches.play(view.id, PEOPLE[number % 2], [text], now=present())
    return int(view.id)


async def views(folder: Path) -> list[Row]:
    """Measure the first view, and how long the page of the match takes."""
    settings = WebSettings.model_validate({"web_port": 0})
    async with await Store.open(f"sqlite+aiosqlite:///{folder}/views.db") as store:
        match = await long_match(store)
        with app.listen(settings) as taken:
            port = taken.getsockname()[1]
            async with app.serving(app.build(store, settings, "s" * 32, port=port), taken):
                view = await first_view(port, f"/m/{match}")
                times: list[float] = []
                for _ in range(VIEWS):
                    start = time.perf_counter()
                    await fetched(port, f"/m/{match}")
                    times.append(1000 * (time.perf_counter() - start))
    return [
        Row("first view of a match of 100 turns", view.size / 1000, "kB", goal="at most 60"),
        Row("  requests", view.requests, ""),
        Row("  rounds of requests after the page", view.rounds, "", goal="1"),
        Row.of("  the page, asked for again", times, "ms"),
    ]


@dataclass(slots=True)
class Crowd:
    """The process of the spectators."""

    running: asyncio.subprocess.Process

    async def told(self) -> tuple[float, float, float]:
        """Wait until all have had the next event; give when the first, the median and the last had it."""
        if self.running.stdout is None:
            raise RuntimeError("nobody listens to the crowd")
        async with asyncio.timeout(60):
            _, first, middle, last = json.loads(await self.running.stdout.readline())
        return first, middle, last


@asynccontextmanager
async def crowd(port: int, count: int) -> AsyncIterator[Crowd]:
    """Have spectators watch match 1 for the block; all are there at its beginning."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.web_crowd", str(port), "1", str(count), "none"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        watching = Crowd(running)
        await watching.told()
        await watching.told()
        yield watching
    finally:
        running.kill()
        await running.wait()


async def quiet_turns(table: Table) -> list[float]:
    """Play turns with a pause before each, and nobody watching."""
    times = []
    for _ in range(TURNS):
        await asyncio.sleep(PAUSE)
        times.append(await table.turn())
    return times


async def watched_turns(table: Table, watching: Crowd) -> tuple[list[float], list[float], list[float]]:
    """Play turns with a pause before each; give their times, and when half and all had seen each."""
    times, half, everybody = [], [], []
    for _ in range(TURNS):
        await asyncio.sleep(PAUSE)
        start = time.monotonic()
        times.append(await table.turn())
        _, middle, last = await watching.told()
        half.append(1000 * (middle - start))
        everybody.append(1000 * (last - start))
    return times, half, everybody


async def spectators(folder: Path) -> list[Row]:
    """Measure what spectators see, and what they cost."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with DiscordServer(check=False, settings=Settings(interaction_seconds=60)) as discord:
        given = {
            "DISCORD_TOKEN": discord.token,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/crowd.db",
            "HEALTH_FILE": str(folder / "health"),
            "LOG_LEVEL": "WARNING",
            "WEB_PORT": str(port),
        }
        module = ("tests.bot.process", str(discord.port), str(discord.ca_file), "0")
        alone: list[float] = []
        watched: list[float] = []
        half: list[float] = []
        everybody: list[float] = []
        async with process(discord, *module, **given) as bot:
            table = await sit_down(discord.guild("Bench"), 1)
            await quiet_turns(table)
            before = bot.memory()
            for _ in range(ROUNDS):
                alone += await quiet_turns(table)
                async with crowd(port, SPECTATORS) as watching:
                    found = await watched_turns(table, watching)
                    memory = bot.memory()
                for kept, new in zip((watched, half, everybody), found, strict=True):
                    kept.extend(new)
    return [
        Row.of(f"{SPECTATORS} spectators: half have seen a turn", half, "ms"),
        Row.of("  all have seen it", everybody, "ms", goal="at most 500"),
        Row("  the slowest of all turns", max(everybody), "ms", goal="at most 500"),
        Row.of("a turn in Discord, nobody watching", alone, "ms"),
        Row.of(f"a turn in Discord, {SPECTATORS} watching", watched, "ms"),
        Row("  rises by", 100 * (median(watched) / median(alone) - 1), "%", goal="at most 10"),
        Row("  memory of the bot for each spectator", (memory - before) * 1024 / SPECTATORS, "KiB"),
    ]


async def rows() -> list[Row]:
    """Measure everything, quietly."""
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        return [*await views(Path(folder)), *await spectators(Path(folder))]


def main() -> None:
    """Print the table of figures."""
    print(printed("The table in the browser", asyncio.run(rows())))


if __name__ == "__main__":
    main()
