"""A hostile visitor of a website in the process of the bot: nobody else may feel it."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

from engine import GAMES
from storage import Database
from tests.bot.environment import RESPONSE_TIMEOUT, running_bot
from tests.cluster import Violation
from tests.databases import migrate_database
from tests.discord_server import DiscordServer, LoopbackSettings
from tests.web.environment import running_web
from tests.web.raw import RawConnection, raw_connection
from web.analysis_board.board_link import MAX_MOVES, AnalysisBoard
from web.server.work_queue import WorkQueue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from aiohttp import web

    from tests.storms import Storm
    from tests.web.environment import WebEnvironment

HOSTILE, FRIENDLY = "127.0.0.2", "127.0.0.3"
AT_ONCE = 50  # requests of the hostile visitor that wait, and as many whose connections are closed
COMMANDS = 5  # in each round
OVERTAKEN = 10  # pieces of the hostile visitor's work that may begin before a page of somebody else


@dataclass(slots=True)
class TurnRecorder:
    """Whose turn it was, in order, and how often the client had gone."""

    clients: list[str] = field(default_factory=list)
    gone: int = 0

    @asynccontextmanager
    async def turn(self, queue: WorkQueue, client: str, request: web.Request) -> AsyncIterator[None]:
        """Do what `WorkQueue.turn` does, and record it."""
        async with TURN(queue, client, request):
            self.clients.append(client)
            self.gone += request.transport is None
            yield


TURN = WorkQueue.turn


async def crowd_website(storm: Storm) -> str:
    """Let one address ask for everything costly at once, again and again; return counts. Raises Violation."""
    await migrate_database(storm.url)
    recorder, rounds = TurnRecorder(), 0
    settings = LoopbackSettings(interaction_seconds=RESPONSE_TIMEOUT)
    async with (
        await Database.open(storm.url) as database,
        DiscordServer(settings=settings) as discord,
        running_bot(discord, database),
        running_web(database) as env,
    ):
        guild = discord.guild("Salon")
        channel, member = guild.channel("games"), guild.member("Ada")

        def turn(queue: WorkQueue, client: str, request: web.Request) -> AbstractAsyncContextManager[None]:
            return recorder.turn(queue, client, request)

        with patch.object(WorkQueue, "turn", turn):
            for rounds in storm.attempts(min(storm.kills, 5)):
                match = await env.start_match({"size": 19}, "morphos")
                async with AsyncExitStack() as stack:
                    await _attack(stack, env, match.id, Random(storm.seed + rounds))
                    for _ in range(COMMANDS):
                        reply = await member.command("lobby", {}, channel=channel)
                        if reply.message is None:
                            raise Violation("a command was not answered")
                    await _visit(env, recorder)
    if recorder.gone:
        raise Violation(f"work began for {recorder.gone} clients that had gone")
    return f"{rounds} attacks with {2 * AT_ONCE} requests, {len(recorder.clients)} pieces of work"


async def _attack(stack: AsyncExitStack, env: WebEnvironment, match: int, rng: Random) -> None:
    """Ask for long pages and leave the connections open, and for animations, and close them."""
    board = _long_board(rng)
    for cursor in range(AT_ONCE):
        connection = await stack.enter_async_context(raw_connection(env.base, HOSTILE))
        connection.request("GET", board.at(cursor).url())
    leaving: list[RawConnection] = []
    for number in range(AT_ONCE):
        leaving.append(await stack.enter_async_context(raw_connection(env.base, HOSTILE)))
        leaving[-1].request("GET", f"/m/{match}/game.gif?side={'black' if number % 2 else 'white'}")
    for connection in leaving:
        connection.writer.transport.abort()


async def _visit(env: WebEnvironment, recorder: TurnRecorder) -> None:
    """Look at a board as somebody else. Raises Violation."""
    before = len(recorder.clients)
    async with env.visitor(FRIENDLY) as visitor:
        page = await visitor.get("/analysis/morphos/board.png?size=9")
    if page.status != 200 or FRIENDLY not in recorder.clients[before:]:
        raise Violation(f"another visitor got {page.status}")
    overtaken = recorder.clients[before:].index(FRIENDLY)
    if overtaken > OVERTAKEN:
        raise Violation(f"another visitor waited for {overtaken} pieces of work")


def _long_board(rng: Random) -> AnalysisBoard:
    """Return a board with as many moves as a link can hold."""
    start = position = GAMES["morphos"].initial_position(size=19)
    moves: list[str] = []
    while position.to_move is not None and len(moves) < MAX_MOVES:
        move = rng.choice(list(position.legal_moves()))
        position = position.play(move)
        moves.append(str(move))
    return AnalysisBoard(start, tuple(moves), len(moves))
