"""Conversations with one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot import people

if TYPE_CHECKING:
    from bot.client import Rayuela

# Discord's ways to say that somebody takes no messages from the bot, or is no more.
CLOSED = frozenset({50007, 50278, 10013})


def is_closed(error: discord.HTTPException) -> bool:
    """Tell whether Discord says that a person takes no direct messages from us."""
    return error.code in CLOSED


async def conversation(client: Rayuela, account: str) -> discord.DMChannel:
    """Give the conversation with a person, opened if need be. Raises discord.HTTPException."""
    return await client.create_dm(discord.Object(people.number(account)))
