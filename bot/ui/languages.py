"""In which language the bot writes: to one user in that of the user, in public in that of the server."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ui import ids
from bot.ui.interactions import DELIVERY_ERRORS
from i18n.plurals import ENGLISH
from i18n.translations import choose_language, list_languages
from matches import StorageUnavailable

if TYPE_CHECKING:
    from datetime import datetime

    from bot.context import BotClient, Interaction
    from matches import Announcement

KEPT = timedelta(minutes=5)  # until the language of a server is found again


def user_language(interaction: Interaction) -> str:
    """Return the language of whoever has sent an interaction: that of their Discord."""
    return choose_language(interaction.locale.value)


class PostLanguages:
    """Finds the language of posts; that of a server is kept for KEPT."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._kept: dict[str, tuple[str, datetime]] = {}

    def forget(self, server: str) -> None:
        """Find the language of a server again: its setting was changed."""
        self._kept.pop(server, None)

    async def of(self, announcement: Announcement) -> str:
        """Return the language of the post of an announcement.

        Somebody who is told alone gets the language that they have chosen, by default that of the server.
        """
        if announcement.to is not None:
            try:
                preferences = await self._client.matches.people.preferences.get(announcement.to)
            except StorageUnavailable:
                return ENGLISH
            if preferences.language:
                return choose_language(preferences.language)
        return await self.of_server(announcement.server)

    async def of_server(self, server: str) -> str:
        """Return the language of public posts: the setting of the server, or its language in Discord.

        While neither can be found it is English.
        """
        if not ids.is_from_discord(server):
            return ENGLISH
        now = self._client.now()
        language, found_at = self._kept.get(server, (ENGLISH, None))
        if found_at is None or not found_at <= now < found_at + KEPT:
            try:
                language = await self._find(server)
            except (StorageUnavailable, *DELIVERY_ERRORS):
                return ENGLISH
            self._kept[server] = (language, now)
        return language

    async def _find(self, server: str) -> str:
        client, number = self._client, ids.snowflake(server)
        setting = (await client.matches.servers.settings(server, now=client.now())).language
        if setting or len(list_languages()) == 1:
            return choose_language(setting)
        guild = client.get_guild(number)
        if guild is None:  # a server of another process's shards
            guild = await client.fetch_guild(number, with_counts=False)
        return choose_language(guild.preferred_locale.value)
