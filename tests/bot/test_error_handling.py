"""Unexpected errors: the person gets one private sentence, the log the details."""

from __future__ import annotations

import io
import json
import logging
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from discord import VoiceClient

from bot import app
from bot.client import Rayuela
from bot.feature import Feature
from bot.ui.buttons import PersistentButton
from bot.ui.commands import define_command
from engine import GAMES
from i18n import Texts
from matches import Database, Matches
from runtime import logs
from tests.bot.environment import BotEnvironment, connected_client
from tests.databases import open_database

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from bot.context import Interaction
    from matches import MatchView
    from tests.discord_server import DiscordServer

TEXTS = {**Texts.load().templates, "command.break.name": "break", "command.break.about": "Break something."}


class UnregisteredButton(PersistentButton, template=r"spare1"):
    """A button without a handler."""


class UnexpectedError(Exception):
    """An exception that no code handles."""


@asynccontextmanager
async def bot_with_feature(
    discord: DiscordServer, database: Database, *features: Feature
) -> AsyncIterator[Rayuela]:
    """Run a bot with additional features."""
    texts = Texts(TEXTS)
    client = Rayuela(
        matches=Matches(database),
        games=GAMES,
        texts=texts,
        features=(*app.FEATURES, *features),
        now=discord.world.clock.now,
        connector=discord.connector(),
    )
    async with connected_client(discord, client):
        yield client


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Capture the log."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure("INFO", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
async def database(database_file: Path) -> AsyncIterator[Database]:
    """Open the database file."""
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as opened:
        yield opened


def logged_failures(log_stream: io.StringIO, event: str) -> list[dict[str, Any]]:
    """Return the log lines of an event."""
    lines = [json.loads(line) for line in log_stream.getvalue().splitlines()]
    return [line for line in lines if line["event"] == event]


async def fail(_interaction: Interaction) -> None:
    """Raise an error that no code expects."""
    raise UnexpectedError


FAILING_FEATURE = Feature(commands=(define_command("break", fail),))


@pytest.mark.plain("its bot has texts of its own")
async def test_error_reply_has_a_number_that_the_log_contains(
    discord: DiscordServer, database: Database, log_stream: io.StringIO
) -> None:
    guild = discord.guild("Salon")
    alice, channel = guild.member("Alice"), guild.channel("games")
    async with bot_with_feature(discord, database, FAILING_FEATURE):
        reply = await alice.command("break", {}, channel=channel)
    assert "was **not** saved" in reply.text
    assert reply.ephemeral
    assert "UnexpectedError" not in reply.text
    (line,) = logged_failures(log_stream, "answer.failed")
    assert line["number"] in re.findall(r"\w+", reply.text)
    assert "UnexpectedError" in line["exception"]


@pytest.mark.long
async def test_error_after_the_commit_says_that_the_move_was_played(
    discord: DiscordServer, database: Database, log_stream: io.StringIO
) -> None:
    broken = False

    def failing_button(_texts: Texts, _view: MatchView) -> PersistentButton:
        if broken:
            raise UnexpectedError
        return UnregisteredButton.create("Spare", "spare1")

    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    async with bot_with_feature(discord, database, Feature(board_buttons=(failing_button,))) as bot:
        env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
        await env.start_match()
        broken = True
        reply = await env.move(alice, "C1-D2")
        assert "**was** saved" in reply.text
        assert reply.ephemeral
        discord.advance(30)
        await bot.outbox.run_once()
        assert logged_failures(log_stream, "announcement.failed")
        broken = False
        discord.advance(60)
        await bot.outbox.run_once()
        assert "Black C1-D2" in env.latest_message.text
        assert bob.pings[-1] is env.latest_message


async def test_button_of_another_version_is_refused(env: BotEnvironment) -> None:
    board = await env.start_match()
    row = board.components[0]["components"]
    row[0] = row[0] | {"custom_id": "move0:1", "label": "Old"}
    reply = await env.alice.click(board, "Old")
    assert "from an older version" in reply.text
    assert reply.ephemeral


async def test_removed_command_that_discord_still_lists_is_refused(env: BotEnvironment) -> None:
    env.bot.tree.remove_command("help")
    reply = await env.alice.command("help", {}, channel=env.channel)
    assert "The commands have changed" in reply.text
    assert reply.ephemeral


@pytest.mark.long
async def test_log_says_nothing_about_voice(
    database: Database,
    discord: DiscordServer,
    log_stream: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for library in ("nacl", "dave"):  # as in a new process
        monkeypatch.setattr(VoiceClient, f"warn_{library}", True)
    async with bot_with_feature(discord, database):
        pass
    assert "voice" not in log_stream.getvalue()


async def test_lost_answer_says_whether_anything_was_saved(env: BotEnvironment) -> None:
    """Opening a page saves nothing; a note was saved although its confirmation was lost."""
    env.discord.faults.drop("POST", "/interactions/**")
    reply = await env.alice.command("rules", {}, channel=env.channel)
    assert "Nothing was changed" in reply.text
    await env.start_match()
    note = await env.alice.command("note", {"match": "1"}, channel=env.channel)
    env.discord.faults.drop("POST", "/interactions/**")
    reply = await env.alice.submit(note, {"note": "beware of D4"})
    assert "**was** saved" in reply.text
    assert "follows" not in reply.text
