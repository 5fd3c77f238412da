"""The website: pages, a click, and many spectators of a match that is played in Discord.

The spectators' website is in the bot's process: measured are the time from sending the move until each
spectator has the whole event, and how much slower the turn is for the player. Rounds with and without
spectators alternate. Everything runs on loopback addresses.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

from bench.games import long_random_game
from bench.table import Row, timed
from bench.turn import begin_match, loopback_discord, run_bot
from i18n import Texts
from matches import Database, Matches, Person, Reader
from matches.platforms import WEBSITE
from matches.terms import DEFAULT_TERMS, format_terms
from matches.times import to_millis
from matches.tournaments.values import Kind
from runtime import logs
from storage.tables import CHALLENGES, PEOPLE, RATINGS, SERVERS
from tests.discord_server import Permission
from tests.processes import ROOT
from tests.web.environment import ALICE, BOB, ManualClock, running_web
from tests.web.prepared_tournaments import create_tournament, decide_games, run_sweeps

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.discord_server import Channel, Guild

LOBBY_TIME = datetime(2026, 5, 1, 12, tzinfo=UTC)
EVENT_SECONDS = 60.0  # until all spectators must have an event


def rows(
    spectators: int = 1000,
    rounds: int = 3,
    turns: int = 8,
    pause: float = 1,
    clicks: int = 40,
    challenges: int = 5000,
    entrants: int = 512,
) -> list[Row]:
    """Measure pages, clicks, the lobby, tournaments; spectators with `pause` seconds before each turn."""
    logs.configure("ERROR")
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        return [
            *asyncio.run(_measure_clicks(Path(folder), clicks)),
            *asyncio.run(_measure_lobby(Path(folder), challenges, clicks)),
            *asyncio.run(_measure_tournaments(Path(folder), entrants, clicks)),
            *asyncio.run(_measure_spectators(Path(folder), spectators, rounds, turns, pause)),
        ]


async def _measure_clicks(folder: Path, clicks: int) -> list[Row]:
    """Measure the processor time of turns that are played in the browser, and of pages of that match."""
    played, seen, front = list[float](), list[float](), list[float]()
    async with (
        await Database.open(f"sqlite:///{folder}/clicks.db") as database,
        running_web(database) as env,
        env.visitor() as alice,
        env.visitor() as bob,
    ):
        view = await env.start_match({"setup": "facing"})
        seats = [(one, await env.take_seat(one, view.id, who)) for one, who in ((alice, ALICE), (bob, BOB))]
        assert view.position is not None  # noqa: S101 - no pick is open
        for ply, move in enumerate(long_random_game(view.position, clicks)):
            visitor, seat = seats[ply % 2]
            with timed(played, time.process_time):
                answer = await visitor.post(f"{seat}/play", data={"board": str(ply), "text": move})
            for times, path in ((seen, f"/m/{view.id}"), (front, "/")):
                with timed(times, time.process_time):
                    answer = await visitor.get(path)
                if answer.status != 200:
                    raise RuntimeError(f"{path}: {answer.status}")
        if (now := (await env.view(view.id)).ply) != clicks:
            raise RuntimeError(f"the website has played {now} turns of {clicks}")
    return [
        Row.from_values("a click that plays a turn, and the page after it: processor time", played, "ms"),
        Row.from_values("the page of the match: processor time", seen, "ms"),
        Row.from_values("the front page: processor time", front, "ms"),
    ]


async def fill_lobby(database: Database, count: int) -> None:
    """Write open challenges to anyone of half as many people, every tenth a standing one."""
    accounts = [f"web:{number:024x}" for number in range(max(1, count // 2))]
    now, later = to_millis(LOBBY_TIME), to_millis(LOBBY_TIME + timedelta(days=7))
    made: dict[str, Any] = {"server": WEBSITE, "place": WEBSITE, "game": "morelli", "options": '{"size": 9}'}
    made |= {"state": "open", "made_at": now, "expires_at": later, "audience": "names"}
    made |= {"terms": format_terms(DEFAULT_TERMS)}
    people = [{"account": one, "name": f"Player {one[-4:]}", "met_at": now} for one in accounts]
    rated: dict[str, Any] = {
        "game": "morelli",
        "rating": 1500 * 10**9,
        "deviation": 10**11,
        "volatility": 6 * 10**7,
    }
    rated |= {"rated_at": now, "played": 9, "settled_until": later}
    rows = [
        {**made, "by": accounts[number % len(accounts)], "games": None if number % 10 else 3}
        for number in range(count)
    ]
    async with database.transaction() as connection:
        await connection.execute(insert(PEOPLE), people)
        await connection.execute(insert(SERVERS), [{"server": WEBSITE, "met_at": now}])
        await connection.execute(insert(RATINGS), [{"person": one, **rated} for one in accounts])
        await connection.execute(insert(CHALLENGES), rows)


async def _measure_lobby(folder: Path, count: int, rounds: int) -> list[Row]:
    """Measure the lobby with many open challenges: the query for a member, and the page for a visitor."""
    times, pages = list[float](), list[float]()
    async with await Database.open(f"sqlite:///{folder}/lobby.db") as database:
        await fill_lobby(database, count)
        queries, reader = Matches(database).public_queries, Reader(frozenset({f"web:{0:024x}"}))
        for _ in range(rounds):
            with timed(times):
                page = await queries.list_lobby(reader, now=LOBBY_TIME)
        if page.older is None and count > len(page.challenges):
            raise RuntimeError("the lobby is not full")
        async with running_web(database, clock=ManualClock(LOBBY_TIME)) as env, env.visitor() as visitor:
            for _ in range(rounds):
                with timed(pages):
                    answer = await visitor.get("/lobby")
                if answer.status != 200 or 'id="challenge-' not in answer.text:
                    raise RuntimeError(f"the page of the lobby: {answer.status}")
    return [
        Row.from_values(f"the query for a lobby of {count} challenges", times, "ms", goal="at most 50"),
        Row.from_values("  its page", pages, "ms", goal="at most 50"),
    ]


async def _measure_tournaments(folder: Path, entrants: int, rounds: int) -> list[Row]:
    """Measure the pages of a cross table of ten and of a large Swiss tournament, beside that of the lobby."""
    players = [Person(f"test:{number}", f"Player {number}") for number in range(entrants)]
    times: dict[str, list[float]] = {name: [] for name in ("lobby", "table", "swiss")}
    async with (
        await Database.open(f"sqlite:///{folder}/tournaments.db") as database,
        running_web(database) as env,
        env.visitor() as visitor,
    ):
        table = await create_tournament(env, Kind.ROUND_ROBIN, players[:10])
        swiss = await create_tournament(env, Kind.SWISS, players)
        env.clock.advance(days=15)
        await run_sweeps(env)
        await decide_games(env, table, share=0.6)
        paths = {"lobby": "/lobby", "table": f"/tournaments/{table}", "swiss": f"/tournaments/{swiss}"}
        for _ in range(rounds):
            for name, path in paths.items():
                with timed(times[name]):
                    answer = await visitor.get(path)
                if answer.status != 200:
                    raise RuntimeError(f"{path}: {answer.status}")
    return [
        Row.from_values("the page of an empty lobby, beside those of tournaments", times["lobby"], "ms"),
        Row.from_values("  of a cross table of 10", times["table"], "ms", goal="at most 50"),
        Row.from_values(f"  of a Swiss tournament of {entrants}", times["swiss"], "ms"),
    ]


@asynccontextmanager
async def run_spectators(
    port: int, match: int, count: int
) -> AsyncIterator[Callable[[], Awaitable[list[float]]]]:
    """Run spectators while the block runs; all are connected when it starts.

    Return a function that waits until all have the next event and returns when the first, the median and the
    last received it. Raises RuntimeError if one of them does not.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.web_crowd", str(port), str(match), str(count)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )

    async def wait_for_event() -> list[float]:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        async with asyncio.timeout(EVENT_SECONDS):
            line = await process.stdout.readline()
        if not line:
            raise RuntimeError("The spectators have ended.")
        times: list[float] = json.loads(line)
        return times

    try:
        await wait_for_event()
        yield wait_for_event
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _make_public(guild: Guild, channel: Channel) -> None:
    """Let everybody see the matches of a server, as a moderator does."""
    texts, moderator = Texts.load(), guild.member("Eve")
    channel.allow(moderator, Permission.MANAGE_GUILD)
    panel = await moderator.command("settings", {}, channel=channel)
    await moderator.select(panel, texts("server.audience_hint"), [texts("server.audience.names")])


async def _measure_spectators(
    folder: Path, spectators: int, rounds: int, turns: int, pause: float
) -> list[Row]:
    """Measure how soon spectators see a turn, and how much they slow it down."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    alone, watched, half_seen, all_seen, memory = (list[float]() for _ in range(5))
    async with loopback_discord() as discord, run_bot(discord, folder, WEB_PORT=str(port)) as bot:
        match = await begin_match(guild := discord.guild("Bench"), 1)
        await _make_public(guild, match.channel)
        await match.play_turns(turns)
        before = bot.memory_mib()
        for _ in range(rounds):
            for _ in range(turns):
                await asyncio.sleep(pause)
                alone += await match.play_turns(1)
            async with run_spectators(port, 1, spectators) as wait_for_event:
                for _ in range(turns):
                    await asyncio.sleep(pause)
                    start = time.monotonic()
                    watched += await match.play_turns(1)
                    _, middle, last = await wait_for_event()
                    half_seen.append(1000 * (middle - start))
                    all_seen.append(1000 * (last - start))
                memory.append((bot.memory_mib() - before) * 1024 / spectators)
    return [
        Row.from_values(f"{spectators} spectators: half have seen a turn", half_seen, "ms"),
        Row.from_values("  all have seen it", all_seen, "ms", goal="at most 500"),
        Row("  the slowest of all turns", max(all_seen), "ms", goal="at most 500"),
        Row.from_values("a turn in Discord, nobody watching", alone, "ms"),
        Row.from_values(f"a turn in Discord, {spectators} watching", watched, "ms"),
        Row("  rises by", 100 * (median(watched) / median(alone) - 1), "%", goal="at most 10"),
        Row("  memory of the bot for each spectator", memory[-1], "KiB"),
    ]
