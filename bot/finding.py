"""Posts found again: an own message among a channel's latest that carries an announcement's mark."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import discord
import structlog
from discord.utils import time_snowflake

from bot.announcer import own_mark
from bot.people import PostId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.client import Rayuela
    from matches import Announcement

log = structlog.stdlib.get_logger(__name__)

SEARCHED = 200  # messages since the thing happened
SKEW = timedelta(minutes=1)  # how far our clock may be ahead of Discord's


async def find(
    client: Rayuela, channel: discord.PartialMessageable | discord.DMChannel, announcement: Announcement
) -> PostId | None:
    """Look for the announcement's own post among what has been said in a channel since."""
    since = discord.Object(time_snowflake(announcement.made_at - SKEW))
    sought = own_mark(announcement)
    try:
        async for message in channel.history(limit=SEARCHED, after=since):
            if _is_own(client, message) and sought in set(_custom_ids(message)):
                log.info("announcement.found", announcement=announcement.id, message=message.id)
                return PostId(channel.id, message.id)
    except discord.Forbidden:
        log.warning("history.forbidden", channel=channel.id)
    return None


def _is_own(client: Rayuela, message: discord.Message) -> bool:
    return client.user is not None and message.author.id == client.user.id


def _custom_ids(message: discord.Message) -> Iterator[str]:
    for component in message.components:
        for child in getattr(component, "children", ()):
            if getattr(child, "custom_id", None):
                yield child.custom_id
