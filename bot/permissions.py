"""What the bot must be allowed in a channel, so that a game can be played there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from bot.client import Interaction

NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")
IN_THREADS = {"send_messages": "send_messages_in_threads"}

# What it needs besides to open a thread for a match and to play in it.
FOR_THREADS = ("create_public_threads", "send_messages_in_threads")


def lacking_for_threads(interaction: Interaction) -> tuple[str, ...]:
    """Give the names of the permissions that the bot lacks to play in a new thread of this channel."""
    held = interaction.app_permissions
    return () if held.administrator else tuple(name for name in FOR_THREADS if not getattr(held, name))


def runs_server(interaction: Interaction) -> bool:
    """Tell whether whoever made an interaction may manage the server, as Discord says it."""
    held = interaction.permissions
    return held.administrator or held.manage_guild


def lacking(interaction: Interaction) -> tuple[str, ...]:
    """Give the names of the permissions that the bot lacks where the interaction was made.

    In private, and where it only came along with a person, it posts nothing that would need any.
    """
    if not interaction.is_guild_integration():
        return ()
    held = interaction.app_permissions
    if held.administrator:
        return ()
    in_thread = isinstance(interaction.channel, discord.Thread)
    names = (IN_THREADS.get(name, name) if in_thread else name for name in NEEDED)
    return tuple(name for name in names if not getattr(held, name))
