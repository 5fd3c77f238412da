"""Which channels everybody on their server can see: only matches in those are shown on the website to others.

Discord tells the bot of every change while it is connected, and all channels when it connects. Threads are
left out: one that was opened for a match is as open as its channel, and any other counts as closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bot.ui import ids
from matches import StorageUnavailable

if TYPE_CHECKING:
    import discord

    from bot.context import BotClient

log = structlog.stdlib.get_logger(__name__)


class OpenChannels:
    """Records the open channels of servers; what could not be recorded is tried again."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._due: set[int] = set()

    async def record(self, *guilds: discord.Guild) -> None:
        """Record which channels of these servers everybody there can see now."""
        self._due.update(guild.id for guild in guilds)
        await self.retry()

    async def retry(self) -> None:
        """Record what is due."""
        for guild_id in sorted(self._due):
            guild = self._client.get_guild(guild_id)
            self._due.discard(guild_id)
            if guild is None or guild.unavailable:
                continue
            try:
                changed = await self._client.matches.visibility.record_channels(
                    ids.stored_id(guild_id), find_open_channels(guild)
                )
            except StorageUnavailable as error:
                self._due.add(guild_id)
                log.warning("open_channels.storage", error=str(error))
                return
            if changed:
                log.info("open_channels.changed", server=guild_id)


def find_open_channels(guild: discord.Guild) -> set[str]:
    """Return the channels of a server that its role @everyone can see."""
    return {
        ids.stored_id(channel.id)
        for channel in guild.channels
        if channel.permissions_for(guild.default_role).view_channel
    }
