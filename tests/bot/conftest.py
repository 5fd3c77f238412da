"""Fixtures for the bot's tests: a loopback Discord, a database file and a running bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.environment import RESPONSE_TIMEOUT, BotEnvironment, running_bot, set_no_clock
from tests.databases import open_database
from tests.discord_server import DiscordServer, LoopbackSettings, Member, Permission

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def discord() -> AsyncIterator[DiscordServer]:
    """Run a loopback Discord whose response deadline suits a loaded machine."""
    async with DiscordServer(settings=LoopbackSettings(interaction_seconds=RESPONSE_TIMEOUT)) as server:
        yield server


@pytest.fixture
def database_file(sqlite_file: Path) -> Path:
    """Return an empty migrated SQLite file."""
    return sqlite_file


@pytest.fixture
async def env(discord: DiscordServer, database_file: Path) -> AsyncIterator[BotEnvironment]:
    """Run the bot in a guild with a channel and two members."""
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    set_no_clock(database_file, guild)
    async with open_database(f"sqlite:///{database_file}") as database, running_bot(discord, database) as bot:
        yield BotEnvironment(discord, guild, channel, alice, bob, bot, database)


@pytest.fixture
def eve(env: BotEnvironment) -> Member:
    """Return Eve, who may manage the guild."""
    member = env.guild.member("Eve")
    env.channel.allow(member, Permission.MANAGE_GUILD)
    return member
