"""A loopback Discord with a guild, a channel, two members and a running bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.discord_server import Channel, DiscordServer, Guild, Member, Reply
from tests.loopback.bot import SmallBot, running_bot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from discord import Interaction, PartialMessageable


@dataclass(frozen=True, slots=True)
class HandedInteraction:
    """An interaction that the test answers in the bot's place, and the task of the person who waits."""

    interaction: Interaction[Any]
    waiting: asyncio.Task[Reply]


@dataclass(frozen=True, slots=True)
class LoopbackEnvironment:
    """A loopback Discord, its members and the bot."""

    discord: DiscordServer
    guild: Guild
    channel: Channel
    alice: Member
    bob: Member
    bot: SmallBot

    async def hand(self, person: Member | None = None, channel: Channel | None = None) -> HandedInteraction:
        """Use /hand, by default as Alice, and return the interaction for the test to answer."""
        who = person or self.alice
        waiting = asyncio.create_task(who.command("hand", channel=channel or self.channel))
        return HandedInteraction(await self.bot.got.get(), waiting)

    @property
    def bot_channel(self) -> PartialMessageable:
        """The channel as the bot sees it."""
        return self.bot.get_partial_messageable(self.channel.id, guild_id=self.guild.id)


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as discord:
        yield discord


@pytest.fixture
async def env(server: DiscordServer) -> AsyncIterator[LoopbackEnvironment]:
    guild = server.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    async with running_bot(server) as bot:
        yield LoopbackEnvironment(server, guild, channel, alice, bob, bot)
