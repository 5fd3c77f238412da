"""In which language the bot posts: in public in that of the server, to one user in the chosen one.

Answers to interactions are in the language of the user's Discord (:mod:`bot.ui.interactions`), which is kept
for direct messages to those who have chosen none.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import structlog

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
KNOWN = timedelta(days=1)  # until the language of a user is compared with the kept one again
MAX_KNOWN = 10_000  # users

log = structlog.stdlib.get_logger(__name__)


class LanguageFinder:
    """Finds the language of posts; that of a server is kept for KEPT."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._kept: dict[str, tuple[str, datetime]] = {}
        self._known: dict[str, tuple[str, datetime]] = {}  # by account

    async def record(self, interaction: Interaction) -> None:
        """Keep the language of the Discord of a user about whom something is stored; a failure is logged."""
        account, locale, now = (
            ids.user_account(interaction.user),
            interaction.locale.value,
            self._client.now(),
        )
        known, recorded_at = self._known.get(account, ("", now))
        if known == locale and now < recorded_at + KNOWN:
            return
        try:
            is_recorded = await self._client.matches.people.preferences.record_locale(account, locale)
        except StorageUnavailable as error:
            log.warning("locale.unrecorded", error=str(error))
            return
        if is_recorded:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[account] = (locale, now)

    def forget(self, server: str) -> None:
        """Find the language of a server again: its setting was changed."""
        self._kept.pop(server, None)

    async def of(self, announcement: Announcement) -> str:
        """Return the language of the post of an announcement.

        Somebody who is told alone gets the language that they have chosen, otherwise that of their Discord
        when they last used the bot, by default that of the server.
        """
        if announcement.to is not None:
            try:
                language = await self._client.matches.people.preferences.find_language(announcement.to)
            except StorageUnavailable:
                return ENGLISH
            if language:
                return choose_language(language)
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
