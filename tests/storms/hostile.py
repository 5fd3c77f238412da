"""One address that asks the website for as much work as it can, while others use the bot and the pages.

Bot and website are one process, as by default. Every command must be answered, every page of another visitor
must come, and the process must end cleanly.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

import aiohttp

from matches import Audience, Matches, Person
from storage import Database
from tests.cluster import Violation
from tests.cluster.audit import audit_logs
from tests.cluster.process import ChildProcess, run_module
from tests.discord_server import DiscordServer
from tests.games import GAMES
from tests.processes import bot_arguments, bot_environment
from tests.storms.players import SECRET
from tests.storms.postgres_server import free_port
from web.analysis_board.board_link import MAX_MOVES, AnalysisBoard

if TYPE_CHECKING:
    from matches import MatchView
    from tests.discord_server import Channel, Member
    from tests.storms import Storm

ATTACKER, VISITOR = "127.0.0.2", "127.0.0.3"
AT_ONCE = 100  # requests; all that one client may have open
LEAVERS = 0.2  # share of the requests whose connection is closed at once
MATCH_PLIES = 60
START_SECONDS = 300.0
ANSWER_SECONDS = 60.0  # for a command: what counts is that it is answered
PAGES = ("/terms", "/", "/rules/morelli", "/matches")
ACCEPTABLE = {200, 304, 429}


async def attack_website(storm: Storm) -> str:
    """Attack the website until `storm.requests` requests were sent; return the counts. Raises Violation."""
    port, rng = free_port(), Random(storm.seed)
    async with DiscordServer(check=False) as discord, await Database.open(storm.url) as database:
        discord.settings.interaction_seconds = ANSWER_SECONDS
        paths = await _costly_paths(Matches(database), rng)
        guild = discord.guild("Salon")
        channel, member = guild.channel("games"), guild.member("Ada")
        own = {"WEB_PORT": str(port), "WEB_SECRET": SECRET, "HEALTH_FILE": str(storm.folder / "health")}
        settings = bot_environment(discord, storm.url) | own
        bot = ChildProcess(
            "bot", run_module, *bot_arguments(discord), log=storm.folder / "bot.log", settings=settings
        )
        bot.start()
        try:
            await discord.wait_until(
                lambda: discord.gateway.is_connected and discord.commands,
                seconds=START_SECONDS,
                what="the bot to connect",
            )
            answers, rounds, uses = Counter[int](), 0, 0
            count = min(AT_ONCE, storm.requests)
            for rounds in storm.attempts(max(1, storm.requests // AT_ONCE)):  # noqa: B007 - the last
                attack = asyncio.create_task(_attack(port, rng.choices(paths, k=count), rng))
                while not attack.done():
                    await asyncio.gather(_use_command(member, channel), _visit(port, rng.choice(PAGES)))
                    uses += 1
                answers += await attack
            await bot.stop()
        finally:
            bot.kill()
        audit_logs([bot], ())
    if answers.keys() - ACCEPTABLE:
        raise Violation(f"answers: {dict(answers)}")
    statuses = ", ".join(f"{count} of {status}" for status, count in sorted(answers.items()))
    return (
        f"{rounds} times {count} requests at once, {answers.total()} of them answered ({statuses}), "
        f"besides {uses} commands and {uses} pages"
    )


async def _costly_paths(matches: Matches, rng: Random) -> list[str]:
    """Return the addresses that cost most: a long analysis and its picture, and those of a finished match."""
    position = start = GAMES["morphos"].initial_position(size=19)
    moves = list[str]()
    while len(moves) < MAX_MOVES:
        moves.append(str(rng.choice(position.legal_moves())))
        position = position.play(position.parse(moves[-1]))
    lines = tuple((*moves[: MAX_MOVES - 1 - number], moves[-1]) for number in range(8))
    board = AnalysisBoard(start, tuple(moves), MAX_MOVES, lines)
    match = (await _play_match(matches, moves[:MATCH_PLIES])).id
    return [
        board.url(),
        f"/analysis/morphos?{board.query()}",
        f"/analysis/morphos/board.png?{board.query()}",
        f"/m/{match}/game.gif",
        *(f"/m/{match}/board.png?turn={turn}" for turn in range(0, MATCH_PLIES, 10)),
    ]


async def _play_match(matches: Matches, moves: list[str]) -> MatchView:
    """Play a match that everybody may see, and end it."""
    now, game = datetime.now(UTC), GAMES["morphos"]
    people = Person("test:ada", "Ada"), Person("test:bob", "Bob")
    made = await matches.challenges.create(
        people[0],
        to=people[1],
        server="test:server",
        channel="test:place",
        game=game.name,
        options={"size": 19},
        colour=game.sides[0],
        audience=Audience.NAMES,
        now=now,
    )
    view = (await matches.challenges.accept(made.challenge.id, people[1], now=now)).match
    for text in moves:
        mover = people[0] if view.to_move is None else view.to_move.person
        view = (await matches.play(view.id, mover, [text], now=now)).match
    return (await matches.resign(view.id, people[0], now=now)).match


async def _attack(port: int, paths: list[str], rng: Random) -> Counter[int]:
    """Send all requests at once, close some connections after the first answer, and count each status."""
    connector = aiohttp.TCPConnector(local_addr=(ATTACKER, 0), limit=0)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", connector=connector) as session:
        tasks = [asyncio.create_task(_get(session, path)) for path in paths]
        _, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        leaving = [task for task in tasks if task in waiting]
        for task in rng.sample(leaving, min(len(leaving), int(LEAVERS * len(tasks)))):
            task.cancel()
        answers = Counter[int]()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                answers[await task] += 1
        return answers


async def _get(session: aiohttp.ClientSession, path: str) -> int:
    async with session.get(path) as answer:
        await answer.read()
        return answer.status


async def _visit(port: int, path: str) -> None:
    """Load a page as another visitor. Raises Violation."""
    connector = aiohttp.TCPConnector(local_addr=(VISITOR, 0))
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", connector=connector) as session:
        if (status := await _get(session, path)) != 200:
            raise Violation(f"{path} was answered with {status}")


async def _use_command(member: Member, channel: Channel) -> None:
    """Use a command in Discord. Raises Violation."""
    reply = await member.command("lobby", {}, channel=channel)
    if reply.failed:
        raise Violation(f"/lobby: {reply.failed}")
