"""Responses to interactions that changed a match: the response itself is the post, in one request.

What cannot be sent that way stays in the outbox; :mod:`bot.outbox.sender` sends it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bot.ui import ids
from bot.ui.ids import PostId
from bot.ui.interactions import mark_committed, reply_ephemeral, response_timeout
from matches import AnnouncementKind, StorageUnavailable

if TYPE_CHECKING:
    from bot.context import BotClient, Interaction
    from bot.posts.post import Post
    from matches import Announcement, MatchUpdate

log = structlog.stdlib.get_logger(__name__)


async def respond_with_update(
    interaction: Interaction,
    update: MatchUpdate,
    replacement: Post | None = None,
    *,
    is_acceptance: bool = False,
) -> None:
    """Respond with the post of a committed update, or have it posted in the match's channel.

    `replacement` is the new content of the message whose button was clicked; without it the response is the
    post itself. `is_acceptance` says that this message is the post of the accepted challenge. For an update
    without an announcement only the replacement is sent; the caller responds otherwise.
    """
    mark_committed(interaction)
    announcement = update.announcement
    if replacement is not None:
        async with response_timeout(interaction):
            await interaction.response.edit_message(**replacement.edit_arguments())
    if announcement is None:
        return
    if announcement.channel != ids.stored_id(interaction.channel_id or 0):
        await _respond_elsewhere(
            interaction, announcement, is_answered=replacement is not None, is_acceptance=is_acceptance
        )
        return
    post = await interaction.client.announcement_renderer.render_match_post(announcement, update.match)
    await respond_with_post(interaction, post, announcement)


async def respond_with_post(interaction: Interaction, post: Post, announcement: Announcement) -> None:
    """Send a public post as the response or as a follow-up, and record that it was sent."""
    async with response_timeout(interaction):
        if interaction.response.is_done():
            message = (await interaction.followup.send(**post.send_arguments(), wait=True)).id
        else:
            response = await interaction.response.send_message(**post.send_arguments())
            message = response.message_id or 0
    await mark_sent(interaction.client, announcement, PostId(interaction.channel_id or 0, message))


async def mark_sent(client: BotClient, announcement: Announcement, post_id: PostId) -> None:
    """Record that an announcement was sent; if that fails, the outbox will find the post in the channel."""
    try:
        await client.matches.announcements.mark_sent(announcement.id, str(post_id), now=client.now())
    except StorageUnavailable as error:
        log.warning("announcement.unrecorded", announcement=announcement.id, error=str(error))


async def _respond_elsewhere(
    interaction: Interaction, announcement: Announcement, *, is_answered: bool, is_acceptance: bool
) -> None:
    client = interaction.client
    if not is_answered:
        key = "turn.elsewhere" if announcement.kind is AnnouncementKind.TURN else "done.elsewhere"
        channel = ids.channel_mention(announcement.channel)
        await reply_ephemeral(interaction, client.texts(key, match=announcement.match, channel=channel))
    client.outbox.send_soon(announcement, challenge_closed=is_acceptance)
