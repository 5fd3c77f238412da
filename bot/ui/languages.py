"""In which language the bot posts: in public in that of the server, to one user in the chosen one.

Answers to interactions are in the language of the user's Discord (:mod:`bot.ui.interactions`).
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ui import ids
from bot.ui.interactions import DELIVERY_ERRORS
from i18n.plurals import ENGLISH
from i18n.readers import current_language
from i18n.translations import choose_language, list_languages
from matches import StorageUnavailable

if TYPE_CHECKING:
    from datetime import datetime

    from bot.context import BotClient, Interaction
    from matches import Announcement

KEPT = timedelta(minutes=5)  # until the language of a server is found again


class LanguageFinder:
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

    async def of_response(self, interaction: Interaction) -> str:
        """Return the language of a response that others read too; in private messages it is the user's."""
        if interaction.guild_id is None:
            return current_language()
        server, locale = ids.stored_id(interaction.guild_id), interaction.guild_locale
        return await self.of_server(server, None if locale is None else locale.value)

    async def of_server(self, server: str, locale: str | None = None) -> str:
        """Return the language of public posts: the setting of the server, or its language in Discord.

        That is `locale` if it is known. While it cannot be found it is English.
        """
        if not ids.is_from_discord(server) or len(list_languages()) == 1:
            return ENGLISH
        now = self._client.now()
        language, found_at = self._kept.get(server, (ENGLISH, None))
        if found_at is None or not found_at <= now < found_at + KEPT:
            try:
                language = await self._find(server, locale)
            except (StorageUnavailable, *DELIVERY_ERRORS):
                return ENGLISH
            self._kept[server] = (language, now)
        return language

    async def _find(self, server: str, locale: str | None) -> str:
        client, number = self._client, ids.snowflake(server)
        setting = (await client.matches.servers.settings(server, now=client.now())).language
        if setting:
            return choose_language(setting)
        if locale is None:
            # A process does not have the servers of other shards.
            guild = client.get_guild(number) or await client.fetch_guild(number, with_counts=False)
            locale = guild.preferred_locale.value
        return choose_language(locale)
