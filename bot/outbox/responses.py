"""Responses to interactions that changed a match: the response itself is the post, in one request.

What cannot be sent that way stays in the outbox; :mod:`bot.outbox.sender` sends it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bot.posts.post import Post
from bot.posts.replies import replace_message
from bot.ui import ids, markdown
from bot.ui.ids import PostId
from bot.ui.interactions import bind_match, mark_committed, reply_ephemeral, response_timeout
from i18n.match_names import format_match_name
from i18n.readers import reading_in
from matches import AnnouncementKind, Delivery, StorageUnavailable

if TYPE_CHECKING:
    from bot.context import BotClient, Interaction
    from matches import Announcement, Challenge, MatchUpdate, MatchView

log = structlog.stdlib.get_logger(__name__)


async def respond_with_update(
    interaction: Interaction,
    update: MatchUpdate,
    replacement: Post | None = None,
    *,
    is_acceptance: bool = False,
) -> PostId | None:
    """Respond with the post of a committed update, or have it posted in the match's channel.

    Returns the id of the response if that is the post.

    `replacement` is the new content of the message whose button was clicked; without it the response is the
    post itself. `is_acceptance` says that this message is the post of the accepted challenge. For an update
    without an announcement only the replacement is sent; the caller responds otherwise.
    """
    mark_committed(interaction)
    bind_match(update.match.id)
    announcement = update.announcement
    if announcement is not None:
        log.info("change.committed", announcement=announcement.id, kind=announcement.kind.value)
    if replacement is not None:
        await replace_message(interaction, replacement)
    if announcement is None:
        return None
    if not is_here(interaction, announcement):
        key = "turn.elsewhere" if announcement.kind is AnnouncementKind.TURN else "done.elsewhere"
        if replacement is None:
            await post_elsewhere(interaction, announcement, key, update.match, is_acceptance=is_acceptance)
        else:
            interaction.client.outbox.send_soon(announcement, challenge_closed=is_acceptance)
        return None
    with reading_in(await interaction.client.languages.of_response(interaction)):
        post = await interaction.client.announcement_renderer.render_match_post(announcement, update.match)
    return await respond_with_post(interaction, post, announcement)


async def respond_with_challenge(
    interaction: Interaction, challenge: Challenge, announcement: Announcement
) -> None:
    """Respond with the public post of a challenge."""
    with reading_in(await interaction.client.languages.of_response(interaction)):
        post = interaction.client.announcement_renderer.render_challenge_post(challenge)
    await respond_with_post(interaction, post, announcement)


async def respond_with_post(interaction: Interaction, post: Post, announcement: Announcement) -> PostId:
    """Send a public post as the response or as a follow-up; record that it was sent, and return its id."""
    post = post.notifying(announcement)
    async with response_timeout(interaction):
        if interaction.response.is_done():
            message = (await interaction.followup.send(**post.send_arguments(), wait=True)).id
        else:
            response = await interaction.response.send_message(**post.send_arguments())
            message = response.message_id or 0
    log.info("announcement.answered", announcement=announcement.id, message=message)
    post_id = PostId(interaction.channel_id or 0, message)
    await mark_sent(interaction.client, announcement, post_id)
    return post_id


async def mark_sent(client: BotClient, announcement: Announcement, post_id: PostId) -> None:
    """Record that an announcement was sent; if that fails, the outbox will find the post in the channel."""
    client.matches.metrics.count_post(announcement.kind.value, is_sent=True)
    try:
        await client.matches.announcements.mark_sent(announcement.id, str(post_id), now=client.now())
    except StorageUnavailable as error:
        log.warning("announcement.unrecorded", announcement=announcement.id, error=str(error))
    if announcement.kind in {AnnouncementKind.OFFER_DECLINED, AnnouncementKind.OFFER_WITHDRAWN}:
        client.outbox.close_offer_soon(announcement)


def is_here(interaction: Interaction, announcement: Announcement) -> bool:
    """Return whether the response to an interaction appears where an announcement is to be posted."""
    if announcement.is_direct:
        return interaction.context.dm_channel and announcement.to == ids.user_account(interaction.user)
    return announcement.channel == ids.stored_id(interaction.channel_id or 0)


async def post_elsewhere(
    interaction: Interaction,
    announcement: Announcement,
    key: str,
    match: MatchView | None,
    *,
    is_acceptance: bool = False,
    edit: bool = False,
    **values: object,
) -> None:
    """Have an announcement posted in its place, and respond (ephemeral) with where that is.

    The texts ``KEY.sent``, ``KEY.waiting`` and ``KEY.direct`` get `values`, the name of the match and its
    channel.
    The response waits a moment for the post, so that it says what really happened. With `edit` it replaces
    the message whose button was clicked.
    """
    client = interaction.client
    await client.outbox.send_and_wait(
        announcement, client.response_timeout / 2, challenge_closed=is_acceptance
    )
    where, place = await _find_delivery(client, announcement)
    channel = "" if announcement.is_direct else markdown.channel_mention(place)
    if match is not None:
        values["match_name"] = format_match_name(client.texts, match, ids.user_account(interaction.user))
    text = client.texts(f"{key}.{where}", channel=channel, **values)
    if edit:
        await replace_message(interaction, Post(text))
    else:
        await reply_ephemeral(interaction, text)


async def _find_delivery(client: BotClient, announcement: Announcement) -> tuple[Delivery, str]:
    if announcement.is_direct:
        return Delivery.DIRECT, announcement.channel
    try:
        return await client.matches.posting.places.delivery(announcement)
    except StorageUnavailable:
        return Delivery.WAITING, announcement.channel
