"""Telling what was committed: the interaction's own answer carries the post, in one request.

What cannot be told that way stays in the outbox, and :mod:`bot.outbox` tells it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bot import people
from bot.answers import take, tell, within
from bot.people import PostId
from matches import AnnouncementKind, StorageUnavailable

if TYPE_CHECKING:
    from bot.client import Interaction, Rayuela
    from bot.posts import Post
    from matches import Announcement, Turn

log = structlog.stdlib.get_logger(__name__)


async def deliver(
    interaction: Interaction, turn: Turn, closing: Post | None = None, *, accepted: bool = False
) -> None:
    """Tell a committed turn in its match's place.

    `closing` is what becomes of the message whose button was pressed; without it the answer is the
    post itself. `accepted` tells that this message is the challenge's own post. A turn that is not to be
    announced needs an answer of its caller's own.
    """
    take(interaction)
    announcement = turn.announcement
    if closing is not None:
        async with within(interaction):
            await interaction.response.edit_message(**closing.edit())
    if announcement is None:
        return
    if announcement.place != people.place(interaction.channel_id or 0):
        await _deliver_elsewhere(interaction, announcement, told=closing is not None, accepted=accepted)
        return
    post = await interaction.client.announcer.match_post(announcement, turn.match)
    await answer(interaction, post, announcement)


async def answer(interaction: Interaction, post: Post, announcement: Announcement) -> None:
    """Answer, or go on after the answer, with a post for all, and note that it stands."""
    async with within(interaction):
        if interaction.response.is_done():
            message = (await interaction.followup.send(**post.new(), wait=True)).id
        else:
            response = await interaction.response.send_message(**post.new())
            message = response.message_id or 0
    await note(interaction.client, announcement, PostId(interaction.channel_id or 0, message))


async def note(client: Rayuela, announcement: Announcement, where: PostId) -> None:
    """Record that an announcement stands; if that fails, the outbox will find the post in the channel."""
    try:
        await client.matches.announced(announcement.id, str(where), now=client.now())
    except StorageUnavailable as error:
        log.warning("announcement.unrecorded", announcement=announcement.id, error=str(error))


async def _deliver_elsewhere(
    interaction: Interaction, announcement: Announcement, *, told: bool, accepted: bool
) -> None:
    client = interaction.client
    if not told:
        key = "turn.elsewhere" if announcement.kind is AnnouncementKind.TURN else "done.elsewhere"
        place = people.channel_mention(announcement.place)
        await tell(interaction, client.words(key, match=announcement.match, place=place))
    await client.outbox.send(announcement, closed=accepted)
