"""``/relocate``: a match continues in another channel; and the posts about the place of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.outbox.responses import respond_with_update
from bot.ui import ids, match_argument
from bot.ui.commands import CommandField, complete_labels, define_command
from bot.ui.interactions import require_permissions
from i18n.announcements import describe_time
from i18n.match_names import format_match_name
from matches import AnnouncementKind, MatchState, MatchUnknown, Refusal

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from matches import Announcement, MatchView

SEARCH_LIMIT = 200  # of the newest matches, searched for those under way


async def relocate(interaction: Interaction, match: str) -> None:
    """Have a match of this server played in this channel; the response is its board."""
    require_permissions(interaction)
    client, number = interaction.client, match_argument.parse_match_id(match)
    view, server = (
        await client.matches.view(number, now=client.now()),
        ids.stored_id(interaction.guild_id or 0),
    )
    if view.server != server:
        raise MatchUnknown(match=number)
    await _require_players(interaction, view)
    update = await client.matches.posting.places.relocate(
        number,
        ids.to_person(interaction.user),
        server,
        ids.stored_id(interaction.channel_id or 0),
        now=client.now(),
    )
    await respond_with_update(interaction, update)


async def _require_players(interaction: Interaction, view: MatchView) -> None:
    """Raise Refusal unless both players can see this channel."""
    for seat in view.seats:
        account = seat.person.account
        if ids.is_from_discord(account) and not await _can_see(interaction, ids.snowflake(account)):
            raise Refusal("not_in_channel", name=seat.person)


async def _can_see(interaction: Interaction, user: int) -> bool:
    guild, channel = interaction.guild, interaction.channel
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return False
    try:
        member = await guild.fetch_member(user)
    except discord.NotFound:
        return False
    return channel.permissions_for(member).view_channel


async def build_moved_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post that says where a match continues, with its board unless another post shows it."""
    if not (int(announcement.details["board"]) and view.is_current):
        return board_posts.announcement_text_post(view, announcement)
    if view.state is MatchState.CHOOSING:
        time = describe_time(board_posts.texts, announcement, view)
        buttons = board_posts.play_buttons(view)
        return board_posts.announcement_text_post(view, announcement, *buttons, time=time)
    return await board_posts.announcement_post(view, announcement)


async def build_contact_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the message to a player whose opponent cannot be told, or has now been told."""
    time = describe_time(board_posts.texts, announcement, view)
    return board_posts.announcement_text_post(view, announcement, time=time)


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the matches under way on this server, those in direct messages first."""
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    _, found = await client.matches.public_queries.load_lobby(server, now=client.now(), limit=SEARCH_LIMIT)
    labels = (
        (format_match_name(client.texts.plain, one), one.id)
        for one in sorted(found, key=lambda one: not one.is_direct)
        if one.state is not MatchState.OVER
    )
    return complete_labels(labels, current)


FEATURE = Feature(
    commands=(
        define_command(
            "relocate",
            relocate,
            CommandField("match", "command.relocate.match", required=True, completer=_complete),
            managers_only=True,
        ),
    ),
    announcement_posts={
        AnnouncementKind.MOVED: build_moved_post,
        AnnouncementKind.UNREACHED: build_contact_post,
        AnnouncementKind.REACHED: build_contact_post,
    },
)
