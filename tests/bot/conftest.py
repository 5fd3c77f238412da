"""The stage of the stories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.stage import WAITS, Stage, bot_over
from tests.databases import migrated_file, opened, sqlite_file
from tests.discord_server import DiscordServer, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

__all__ = ["migrated_file", "sqlite_file"]


@pytest.fixture
async def discord() -> AsyncIterator[DiscordServer]:
    async with DiscordServer(settings=Settings(interaction_seconds=WAITS)) as server:
        yield server


@pytest.fixture
def database(sqlite_file: Path) -> Path:
    return sqlite_file


@pytest.fixture
async def stage(discord: DiscordServer, database: Path) -> AsyncIterator[Stage]:
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    async with opened(f"sqlite:///{database}") as store, bot_over(discord, store) as bot:
        yield Stage(discord, guild, channel, alice, bob, bot, store)
