"""Permissions of the bot and of users."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.ui import ids
from matches import Refusal

if TYPE_CHECKING:
    from bot.context import Interaction

REQUIRED_PERMISSIONS = (
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
)
# Without these Discord refuses a board.
POST_PERMISSIONS = ("view_channel", "send_messages", "attach_files")
THREAD_EQUIVALENTS = {"send_messages": "send_messages_in_threads"}

# Needed in addition to open a thread for a match and to play in it.
THREAD_PERMISSIONS = ("create_public_threads", "send_messages_in_threads")


def missing_thread_permissions(interaction: Interaction) -> tuple[str, ...]:
    """Return the permissions that the bot lacks to open a thread here and play in it."""
    granted = interaction.app_permissions
    return (
        ()
        if granted.administrator
        else tuple(name for name in THREAD_PERMISSIONS if not getattr(granted, name))
    )


def is_manager(interaction: Interaction) -> bool:
    """Return whether the user may manage the server."""
    granted = interaction.permissions
    return granted.administrator or granted.manage_guild


def missing_permissions(interaction: Interaction) -> tuple[str, ...]:
    """Return the permissions that the bot lacks in the channel of the interaction.

    None are needed in private messages, nor where only the user installed the bot: it posts nothing there.
    """
    return _missing(interaction, REQUIRED_PERMISSIONS)


def cannot_post(interaction: Interaction) -> bool:
    """Return whether Discord would refuse the bot's posts in the channel of the interaction."""
    return bool(_missing(interaction, POST_PERMISSIONS))


def _missing(interaction: Interaction, required: tuple[str, ...]) -> tuple[str, ...]:
    if not interaction.is_guild_integration():
        return ()
    in_thread = isinstance(interaction.channel, discord.Thread)
    return missing_to_post(interaction.app_permissions, required, in_thread=in_thread)


def missing_to_post(
    granted: discord.Permissions, required: tuple[str, ...] = POST_PERMISSIONS, *, in_thread: bool
) -> tuple[str, ...]:
    """Return which of the required permissions are not granted in a channel, by default those for a board."""
    names = (THREAD_EQUIVALENTS.get(name, name) if in_thread else name for name in required)
    return () if granted.administrator else tuple(name for name in names if not getattr(granted, name))


def current_server(interaction: Interaction) -> str | None:
    """Return the stored id of the current server; None in private messages and if the bot is not a member."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return None
    return ids.stored_id(interaction.guild_id)


def check_can_be_challenged(interaction: Interaction, opponent: discord.User | discord.Member) -> None:
    """Raise Refusal if a person would not see a challenge in the channel of the interaction.

    Bots pass: they are refused for what they are.
    """
    if opponent.bot:
        return
    person = ids.to_person(opponent)
    if not isinstance(opponent, discord.Member):
        raise Refusal("not_on_server", name=person)
    granted = opponent.resolved_permissions
    if granted is None and isinstance(interaction.channel, discord.abc.GuildChannel | discord.Thread):
        granted = interaction.channel.permissions_for(opponent)
    if granted is not None and not (granted.administrator or granted.view_channel):
        raise Refusal("cannot_see_channel", name=person)
