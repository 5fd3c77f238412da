"""The stage of the stories."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from matches import Store
from tests.bot.stage import WAITS, Stage, bot_over
from tests.databases import migrated_file
from tests.discord_server import DiscordServer, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["migrated_file"]


@pytest.fixture
async def discord() -> AsyncIterator[DiscordServer]:
    async with DiscordServer(settings=Settings(interaction_seconds=WAITS)) as server:
        yield server


@pytest.fixture
def database(migrated_file: Path, tmp_path: Path) -> Path:
    """Give a file with all tables and no row: making them takes longer than most stories."""
    return Path(shutil.copy(migrated_file, tmp_path / "rayuela.db"))


@pytest.fixture
async def stage(discord: DiscordServer, database: Path) -> AsyncIterator[Stage]:
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as store, bot_over(discord, store) as bot:
        yield Stage(discord, guild, channel, alice, bob, bot, store)
