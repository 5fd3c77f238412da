"""A Discord with a guild, a channel, two people and a running bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.discord_server import Channel, DiscordServer, Guild, Member
from tests.loopback.bot import SmallBot, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the stories play."""

    discord: DiscordServer
    guild: Guild
    channel: Channel
    alice: Member
    bob: Member
    bot: SmallBot


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as discord:
        yield discord


@pytest.fixture
async def stage(server: DiscordServer) -> AsyncIterator[Stage]:
    guild = server.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    async with running(server) as bot:
        yield Stage(server, guild, channel, alice, bob, bot)
