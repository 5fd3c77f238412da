"""Where somebody is: on a server with the bot, in private, or elsewhere with the bot along."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot import people

if TYPE_CHECKING:
    from bot.client import Interaction
    from matches import MatchSummary, MatchView


def server(interaction: Interaction) -> str | None:
    """Give the server that an interaction comes from; None in private, and where the bot is not."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return None
    return people.place(interaction.guild_id)


def may_look(interaction: Interaction, match: MatchView | MatchSummary) -> bool:
    """Tell whether a person may look at a match: who plays it always, else who sees its channel from here."""
    account = people.account(interaction.user)
    if any(seat.person.account == account for seat in match.seats):
        return True
    return match.server == server(interaction) and sees(interaction, match.place)


def sees(interaction: Interaction, place: str) -> bool:
    """Tell whether a person sees a channel or thread of the server where they are."""
    if place == people.place(interaction.channel_id or 0):
        return True
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    channel = guild.get_channel_or_thread(people.number(place))
    if isinstance(channel, discord.Thread):
        channel = None if channel.is_private() else channel.parent
        return channel is not None and channel.permissions_for(member).view_channel
    # A thread that was archived is not known any more; of a match it was a public one.
    return channel is None or channel.permissions_for(member).view_channel
