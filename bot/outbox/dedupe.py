"""Search for an announcement that was already sent, by the marker in its buttons."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import discord
import structlog
from discord.utils import time_snowflake

from bot.posts.announcement_posts import marker_id
from bot.ui.ids import PostId

if TYPE_CHECKING:
    from collections.abc import Iterator

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

    What an interaction made was posted after it, and Discord's own ids say what came after it. For anything
    else only our clock says when it was made, so the latest messages are searched first, whatever it says.
    """
    marker = marker_id(announcement)
    try:
        if announcement.request is not None and announcement.request > 0:
            since = discord.Object(announcement.request)
        else:
            oldest: discord.Message | None = None
            count = 0
            async for message in channel.history(limit=PAGE_SIZE):
                if _is_own(client, message) and marker in set(_custom_ids(message)):
                    return _found(announcement, channel.id, message)
                oldest, count = message, count + 1
            since = discord.Object(time_snowflake(announcement.made_at - CLOCK_SKEW))
            if oldest is None or count < PAGE_SIZE or oldest.id < since.id:
                return None
        async for message in channel.history(limit=HISTORY_LIMIT, after=since):
            if _is_own(client, message) and marker in set(_custom_ids(message)):
                return _found(announcement, channel.id, message)
    except discord.Forbidden:
        log.warning("history.forbidden", channel=channel.id)
    return None


def _found(announcement: Announcement, channel: int, message: discord.Message) -> PostId:
    log.info("announcement.found", announcement=announcement.id, message=message.id)
    return PostId(channel, message.id)


def _is_own(client: BotClient, message: discord.Message) -> bool:
    return client.user is not None and message.author.id == client.user.id


def _custom_ids(message: discord.Message) -> Iterator[str]:
    for component in message.components:
        for child in getattr(component, "children", ()):
            if getattr(child, "custom_id", None):
                yield child.custom_id
