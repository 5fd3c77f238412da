"""Search for a post that was already sent, by the marker in its buttons."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import discord
import structlog
from discord.utils import time_snowflake

from bot.posts.announcement_posts import marker_id
from bot.ui.buttons import custom_ids
from bot.ui.ids import PostId

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from bot.context import BotClient
    from matches import Announcement

log = structlog.stdlib.get_logger(__name__)

HISTORY_LIMIT = 200  # messages searched after a time
PAGE_SIZE = 100  # messages that Discord returns at once
CLOCK_SKEW = timedelta(minutes=1)  # by how much our clock may be ahead of Discord's


async def find_sent_message(
    client: BotClient, channel: discord.PartialMessageable | discord.DMChannel, announcement: Announcement
) -> PostId | None:
    """Return the post of an announcement if the channel has one since it was made, else None.

    What an interaction made was posted after it, and Discord's own ids say what came after it.
    """
    request = announcement.request
    found = await find_own_message(
        client,
        channel,
        marker_id(announcement).__eq__,
        made_at=announcement.made_at,
        request=None if request is None or request <= 0 else request,
    )
    if found is None:
        return None
    log.info("announcement.found", announcement=announcement.id, message=found[0].message)
    return found[0]


async def find_own_message(
    client: BotClient,
    channel: discord.PartialMessageable | discord.DMChannel,
    is_marker: Callable[[str], bool],
    *,
    made_at: datetime,
    request: int | None = None,
) -> tuple[PostId, str] | None:
    """Return a post of the bot since `made_at` with a button whose custom id is a marker, and that id.

    `request` is the id of the interaction that made the post, if one did. Otherwise only our clock says when
    it was made, so the latest messages are searched first, whatever it says.
    """
    try:
        if request is not None:
            since = discord.Object(request)
        else:
            oldest: discord.Message | None = None
            count = 0
            async for message in channel.history(limit=PAGE_SIZE):
                for marker in filter(is_marker, _custom_ids(client, message)):
                    return PostId(channel.id, message.id), marker
                oldest, count = message, count + 1
            since = discord.Object(time_snowflake(made_at - CLOCK_SKEW))
            if oldest is None or count < PAGE_SIZE or oldest.id < since.id:
                return None
        async for message in channel.history(limit=HISTORY_LIMIT, after=since):
            for marker in filter(is_marker, _custom_ids(client, message)):
                return PostId(channel.id, message.id), marker
    except discord.Forbidden:
        log.warning("history.forbidden", channel=channel.id)
    return None


def _custom_ids(client: BotClient, message: discord.Message) -> Iterator[str]:
    """Return the custom ids in a message of the bot; none in one of anybody else."""
    is_own = client.user is not None and message.author.id == client.user.id
    return custom_ids(message) if is_own else iter(())
