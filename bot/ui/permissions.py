"""Permissions of the bot and of users, and what users may view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.ui import ids

if TYPE_CHECKING:
    from bot.context import Interaction
    from matches import MatchSummary, MatchView

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
    granted = interaction.app_permissions
    if granted.administrator:
        return ()
    in_thread = isinstance(interaction.channel, discord.Thread)
    names = (THREAD_EQUIVALENTS.get(name, name) if in_thread else name for name in required)
    return tuple(name for name in names if not getattr(granted, name))


def current_server(interaction: Interaction) -> str | None:
    """Return the stored id of the current server; None in private messages and if the bot is not a member."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return None
    return ids.stored_id(interaction.guild_id)


def can_view_match(interaction: Interaction, match: MatchView | MatchSummary) -> bool:
    """Return whether the user plays in a match, or can view its channel from the current server."""
    account = ids.user_account(interaction.user)
    if any(seat.person.account == account for seat in match.seats):
        return True
    if match.is_direct and not _is_known(interaction, match.channel):
        return False  # nobody can tell any more who could see its channel
    return match.server == current_server(interaction) and can_view_channel(interaction, match.channel)


def _is_known(interaction: Interaction, channel: str) -> bool:
    guild = interaction.guild
    return guild is not None and guild.get_channel_or_thread(ids.snowflake(channel)) is not None


def can_view_channel(interaction: Interaction, channel: str) -> bool:
    """Return whether the user can view a channel or thread of the current server."""
    if channel == ids.stored_id(interaction.channel_id or 0):
        return True
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    discord_channel = guild.get_channel_or_thread(ids.snowflake(channel))
    if isinstance(discord_channel, discord.Thread):
        discord_channel = None if discord_channel.is_private() else discord_channel.parent
        return discord_channel is not None and discord_channel.permissions_for(member).view_channel
    # discord.py does not cache archived threads; the threads of matches are public.
    return discord_channel is None or discord_channel.permissions_for(member).view_channel
