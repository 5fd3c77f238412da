"""What the bot must be allowed in a channel, so that a game can be played there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from bot.client import Interaction

NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")
IN_THREADS = {"send_messages": "send_messages_in_threads"}


def lacking(interaction: Interaction) -> tuple[str, ...]:
    """Give the names of the permissions that the bot lacks where the interaction was made."""
    held = interaction.app_permissions
    if held.administrator:
        return ()
    in_thread = isinstance(interaction.channel, discord.Thread)
    names = (IN_THREADS.get(name, name) if in_thread else name for name in NEEDED)
    return tuple(name for name in names if not getattr(held, name))
