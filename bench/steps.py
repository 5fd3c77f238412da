"""What a turn passes through: files, functions and calls of this project, and SQL statements.

``python -m bench steps``: a command ``/move``, and a click on Confirm in the browser with the page that
follows. Everything runs in this process, on SQLite, with a loopback Discord; each is counted on its fifth
turn, when caches are filled. Calls into libraries and resumed coroutines are not counted, and no sweeps that
run besides: these belong to no interaction and to no request.
"""

from __future__ import annotations

import asyncio
import dis
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import Engine, event
from structlog.contextvars import get_contextvars

from bench.table import Row
from matches import Database, MatchId
from tests.bot.environment import BotEnvironment, running_bot
from tests.discord_server import DiscordServer
from tests.test_import_rules import PACKAGES, ROOT
from tests.web.environment import ALICE, BOB, SIGN_IN_SETTINGS, SMALL, running_web
from tests.web.test_seat_page import confirm_move, pick_move

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from types import CodeType, FrameType

    from matches import MatchView

TURNS = 4  # before the one that is counted, by default: two of each player


@dataclass(slots=True)
class Steps:
    """What was counted while `is_counting`: calls by code object, and statements by text."""

    calls: Counter[CodeType] = field(default_factory=Counter)
    statements: Counter[str] = field(default_factory=Counter)
    is_counting: bool = False

    def rows(self, what: str) -> list[Row]:
        """Return the counts as rows of a table."""
        return [
            Row(what, len({code.co_filename for code in self.calls}), "files"),
            Row(what, len(self.calls), "functions"),
            Row(what, self.calls.total(), "calls"),
            Row(what, self.statements.total(), "SQL statements"),
        ]


@cache
def first_offset(code: CodeType) -> int:
    """Return where a function begins; where it was resumed lies behind."""
    return next(one.offset for one in dis.get_instructions(code) if one.opname == "RESUME")


def is_of_turn() -> bool:
    """Return whether an interaction or a request has led here."""
    return not {"interaction", "request"}.isdisjoint(get_contextvars())


@contextmanager
def count_steps() -> Iterator[Steps]:
    """Count what this process does, in this thread and in those that begin inside, while it is to."""
    steps, folders = Steps(), tuple(f"{ROOT / package}/" for package in PACKAGES)

    def on_call(frame: FrameType, what: str, _argument: object) -> None:
        code = frame.f_code
        is_own = steps.is_counting and what == "call" and code.co_filename.startswith(folders)
        if is_own and frame.f_lasti <= first_offset(code) and is_of_turn():
            steps.calls[code] += 1

    def on_statement(*values: object) -> None:
        steps.statements[str(values[2])] += steps.is_counting and is_of_turn()

    event.listen(Engine, "before_cursor_execute", on_statement)
    threading.setprofile(on_call)
    sys.setprofile(on_call)
    try:
        yield steps
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        event.remove(Engine, "before_cursor_execute", on_statement)


def first_move(view: MatchView) -> str:
    """Return the first legal move in the order of texts."""
    return min(map(str, view.position.legal_moves())) if view.position else ""


async def count_command(database: Database, turns: int = TURNS, *, earlier: int = 0) -> Steps:
    """Return the steps of ``/move`` after `turns`: until the answer with its picture, and what follows it.

    So many `earlier` matches were played in this process before, and resigned.
    """
    async with DiscordServer() as discord:
        guild = discord.guild("Salon")
        channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
        with count_steps() as steps:
            async with running_bot(discord, database) as bot:
                env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
                for _ in range(earlier):
                    await env.start_match()
                    question = await alice.command("resign", channel=channel)
                    await alice.click(question, "Resign")
                await env.start_match()
                people = cycle((alice, bob))
                for turn in range(turns + 1):
                    await env.wait_until_idle()
                    view = await bot.matches.view(MatchId(earlier + 1), now=bot.now())
                    move = first_move(view)
                    if turn == turns:
                        await bot.outbox.run_once()  # every five seconds, besides
                        steps.is_counting = True
                    await env.move(next(people), move)
                await env.wait_until_idle()
                steps.is_counting = False
    return steps


async def count_click(database: Database, turns: int = TURNS, *, signed_in: bool = False) -> Steps:
    """Return the steps of Confirm on the page of a seat: the form, and the page to which it leads.

    Both players have personal links, or with `signed_in` they have signed in.
    """
    settings = SIGN_IN_SETTINGS if signed_in else {}
    with count_steps() as steps:
        async with running_web(database, **settings) as env, env.visitor() as black, env.visitor() as white:
            match = (await env.start_match(SMALL)).id
            players = ((black, ALICE), (white, BOB))
            seats = []
            for number, (visitor, who) in enumerate(players, 1):
                if signed_in:
                    visitor.session.cookie_jar.update_cookies({"session": await env.start_seat_session(who)})
                    seats.append((visitor, f"/m/{match}/seat/{number}"))
                else:
                    seats.append((visitor, await env.take_seat(visitor, match, who)))
            visitors = cycle(seats)
            for turn in range(turns + 1):
                view = await env.matches.view(match, now=env.clock())
                visitor, seat = next(visitors)
                start, _, end = first_move(view).partition("-")
                page = await pick_move(visitor, seat, start, end)
                steps.is_counting = turn == turns
                await confirm_move(visitor, seat, page)
            steps.is_counting = False
    return steps


def rows(turns: int = TURNS) -> list[Row]:
    """Return the counts of all, each on a new database."""
    counted = []
    for what, count in (
        ("/move", count_command),
        ("a click on Confirm", count_click),
        ("a click on Confirm, signed in", partial(count_click, signed_in=True)),
    ):
        with TemporaryDirectory() as folder:
            counted += asyncio.run(_count_in(Path(folder), count, turns)).rows(what)
    return counted


async def _count_in(folder: Path, count: Callable[[Database, int], Awaitable[Steps]], turns: int) -> Steps:
    async with await Database.open(f"sqlite:///{folder}/steps.db") as database:
        return await count(database, turns)
