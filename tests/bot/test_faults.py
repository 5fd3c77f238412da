"""Faults of our own: whatever is raised, the person gets one private sentence, the log the whole of it."""

from __future__ import annotations

import io
import json
import logging
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from bot import app
from bot.client import Rayuela
from bot.commands import command
from bot.parts import Part
from bot.presses import Press
from engine import GAMES
from matches import Matches, Store
from running import logs
from tests.bot.stage import Stage, connected
from words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchView
    from tests.discord_server import DiscordServer

TEXTS = {**Words.load().texts, "command.break.name": "break", "command.break.about": "Break something."}


class SpareButton(Press, template=r"spare1"):
    """A button that does nothing."""


class Trouble(Exception):  # noqa: N818 - the fault itself
    """Something that nobody has thought of."""


@asynccontextmanager
async def bot_with(discord: DiscordServer, store: Store, *makers: Any) -> AsyncIterator[Rayuela]:
    client = Rayuela(
        matches=Matches(store),
        games=GAMES,
        words=Words(TEXTS),
        makers=(*app.PARTS, *makers),
        now=discord.world.clock.now,
        connector=discord.connector(),
    )
    async with connected(discord, client):
        yield client


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.set_up("INFO", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
async def store(database: Path) -> AsyncIterator[Store]:
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as opened:
        yield opened


def failures(log: io.StringIO, event: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in lines if line["event"] == event]


def breaking(words: Words, _games: Mapping[str, Game]) -> Part:
    async def work(_interaction: Interaction) -> None:
        raise Trouble

    return Part(commands=(command(words, "break", work),))


async def test_fault_is_told_with_a_number_that_the_log_knows(
    discord: DiscordServer, store: Store, log: io.StringIO
) -> None:
    guild = discord.guild("Salon")
    alice, channel = guild.member("Alice"), guild.channel("games")
    async with bot_with(discord, store, breaking):
        reply = await alice.command("break", {}, channel=channel)
    assert "was **not** taken" in reply.text
    assert reply.ephemeral
    assert "Trouble" not in reply.text
    (line,) = failures(log, "answer.failed")
    assert line["number"] in re.findall(r"\w+", reply.text)
    assert "Trouble" in line["exception"]


async def test_fault_behind_the_commit_says_that_the_move_was_taken(
    discord: DiscordServer, store: Store, log: io.StringIO
) -> None:
    broken = False

    def fragile(_words: Words, _view: MatchView) -> Press:
        if broken:
            raise Trouble
        return SpareButton.labelled("Spare", "spare1")

    def part(_words: Words, _games: Mapping[str, Game]) -> Part:
        return Part(on_board=(fragile,))

    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    async with bot_with(discord, store, part) as bot:
        stage = Stage(discord, guild, channel, alice, bob, bot, store)
        await stage.start()
        broken = True
        reply = await stage.move(alice, "C1-D2")
        assert "**was** taken" in reply.text
        assert reply.ephemeral
        discord.advance(30)
        await bot.outbox.tick()
        assert failures(log, "announcement.failed")
        broken = False
        discord.advance(60)
        await bot.outbox.tick()
        assert "Black C1-D2" in stage.latest.text
        assert bob.pings[-1] is stage.latest


async def test_button_of_another_version_is_told(stage: Stage) -> None:
    board = await stage.start()
    row = board.components[0]["components"]
    row[0] = row[0] | {"custom_id": "move0:1", "label": "Old"}
    reply = await stage.alice.click(board, "Old")
    assert "of another version of mine" in reply.text
    assert reply.ephemeral


async def test_command_that_discord_still_knows_from_an_older_version_is_told(stage: Stage) -> None:
    stage.bot.tree.remove_command("help")
    reply = await stage.alice.command("help", {}, channel=stage.channel)
    assert "My commands have just changed" in reply.text
    assert reply.ephemeral
