"""Matches whose channel can no longer be used: noticed by an event, or when Discord refuses a post.

Discord says that a channel is gone, or that the bot may not see it or write there; then posting again is
pointless, and `matches.places` moves the matches to the direct messages of their players. Permissions are not
watched: players can still read and use old posts, so a match stays until a post is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import structlog

from bot.outbox.direct_messages import is_dm_refused
from bot.shards import server_number
from bot.ui import ids
from bot.ui.interactions import reply_ephemeral
from i18n.match_texts import format_outline
from matches import DISCORD, MoveReason, StorageUnavailable

if TYPE_CHECKING:
    from bot.context import BotClient, Interaction
    from matches import Announcement

log = structlog.stdlib.get_logger(__name__)

UNKNOWN_CHANNEL = 10003
# No access, no permission, an archived thread that is locked, a locked thread.
REFUSED_CODES = frozenset({50001, 50013, 50083, 160005})
# The bot and the user share no server; there is no such user. A later attempt does not help by itself.
UNREACHABLE_CODES = frozenset({50278, 10013})


class LostPlaces:
    """Handles the loss of channels and servers, and players who accept no direct messages."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._is_check_due = False
        self._untold: frozenset[str] | None = None

    async def look_for_untold(self) -> None:
        """Look who could not be told something, by any process. Raises StorageUnavailable."""
        self._untold = await self._client.matches.posting.places.list_untold(DISCORD)

    def check_again(self) -> None:
        """Have :meth:`retry` look for what an event said, because that could not be stored."""
        self._is_check_due = True

    async def retry(self) -> None:
        """Look for lost places if that is due. Raises StorageUnavailable."""
        if not self._is_check_due:
            return
        self._is_check_due = False
        try:
            for shard in sorted(self._client.gateway.shards):
                await self.check_channels(shard=shard)
            await self.server_joined()
        except StorageUnavailable:
            self._is_check_due = True
            raise

    async def handle_failure(self, announcement: Announcement, error: BaseException) -> bool:
        """Handle an announcement that Discord refused; return False if it is to be tried again as usual.

        Raises StorageUnavailable.
        """
        client = self._client
        if not isinstance(error, discord.HTTPException):
            return False
        if announcement.is_direct and is_dm_refused(error):
            await client.matches.posting.places.record_refused(
                announcement, is_final=error.code in UNREACHABLE_CODES, now=client.now()
            )
            self._untold = None
            return True
        reason = None if announcement.is_direct else await self._move_reason(announcement.server, error)
        if reason is None:
            return False
        await self._lose(announcement.server, announcement.channel, reason)
        if announcement.to is not None:  # a reminder, which is now sent to the player
            await client.matches.announcements.make_due(announcement.id, now=client.now())
        return True

    async def handle_delivered(self, announcement: Announcement) -> None:
        """Record that players who could not be told have been told. Raises StorageUnavailable."""
        if announcement.is_direct or (announcement.to is None and announcement.attempts):
            await self._client.matches.posting.places.record_delivered(announcement, now=self._client.now())

    async def tell_on_contact(self, interaction: Interaction) -> None:
        """Tell a user who accepts no direct messages, and just used the bot, what could not be sent.

        What another process could not send is known after the next pass of the outbox.
        """
        client, account = self._client, ids.user_account(interaction.user)
        if self._untold is not None and account not in self._untold:
            return
        try:
            told = await client.matches.posting.places.record_contact(account, now=client.now())
            views = [await client.matches.view(match, now=client.now()) for match in told]
        except StorageUnavailable as error:
            log.warning("contact.unrecorded", error=str(error))
            return
        if views:
            texts, games = client.texts, client.games
            outlines = [line for view in views for line in format_outline(texts, view, games[view.game])]
            text = texts("place.told", matches=texts.join(outlines, "list.lines"))
            await reply_ephemeral(interaction, text)

    async def channel_deleted(self, channel: discord.abc.GuildChannel) -> None:
        """Move the matches of a deleted channel and of its threads."""
        await self._lose(
            ids.stored_id(channel.guild.id), ids.stored_id(channel.id), MoveReason.DELETED, channel.name
        )

    async def thread_deleted(self, event: discord.RawThreadDeleteEvent) -> None:
        """Move the matches of a deleted thread, or those of its channel if that was deleted with it."""
        guild = self._client.get_guild(event.guild_id)
        is_alone = guild is None or guild.get_channel(event.parent_id) is not None
        channel = event.thread_id if is_alone else event.parent_id
        name = event.thread.name if is_alone and event.thread is not None else ""
        await self._lose(ids.stored_id(event.guild_id), ids.stored_id(channel), MoveReason.DELETED, name)

    async def server_lost(self, guild: discord.Guild) -> None:
        """Move all matches of a server that removed the bot."""
        await self._lose(ids.stored_id(guild.id), None, MoveReason.REMOVED, guild.name)

    async def server_joined(self) -> None:
        """Try again what could not be sent: the bot may write to the members of the server now."""
        await self._client.matches.posting.places.retry(DISCORD, now=self._client.now())

    async def check_channels(self, only: discord.Guild | None = None, *, shard: int | None = None) -> None:
        """Move matches whose channel or server was lost while a shard, or a server, was not connected.

        Discord is asked before a match is moved: the client's list of channels may be incomplete.
        """
        checked: set[tuple[str, str | None]] = set()
        for server, channel, parent in await self._client.matches.posting.places.list_used(DISCORD):
            number = server_number(server)
            if number is None or (shard is not None and number % self._client.gateway.count != shard):
                continue
            if only is not None and server != ids.stored_id(only.id):
                continue
            guild = self._client.get_guild(ids.snowflake(server))
            place = None if guild is None else parent or channel
            if (server, place) in checked:
                continue
            checked.add((server, place))
            try:
                await self._check(server, guild, place)
            except (discord.HTTPException, OSError) as error:
                log.info("place.unchecked", server=server, error=repr(error))

    async def _check(self, server: str, guild: discord.Guild | None, place: str | None) -> None:
        if guild is None:
            try:
                await self._client.fetch_guild(ids.snowflake(server), with_counts=False)
            except (discord.NotFound, discord.Forbidden):
                await self._lose(server, None, MoveReason.REMOVED)
        elif (
            place is not None
            and not guild.unavailable
            and guild.get_channel_or_thread(ids.snowflake(place)) is None
        ):
            try:
                await self._client.fetch_channel(ids.snowflake(place))
            except discord.NotFound:
                await self._lose(server, place, MoveReason.DELETED)

    async def _move_reason(self, server: str, error: discord.HTTPException) -> MoveReason | None:
        """Return why the place of a post cannot be used; None if that is not what Discord says."""
        if error.code == UNKNOWN_CHANNEL:
            return MoveReason.DELETED
        if error.code not in REFUSED_CODES:
            return None
        if self._client.get_guild(ids.snowflake(server)) is not None:
            return MoveReason.FORBIDDEN
        try:  # it may belong to a shard of another process
            await self._client.fetch_guild(ids.snowflake(server), with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return MoveReason.REMOVED
        except (discord.HTTPException, OSError) as unknown:
            log.info("place.unchecked", server=server, error=repr(unknown))
            return None
        return MoveReason.FORBIDDEN

    async def _lose(self, server: str, channel: str | None, reason: MoveReason, name: str = "") -> None:
        client = self._client
        if reason is MoveReason.REMOVED:
            channel = None
        moved = await client.matches.posting.places.lose(
            server, channel, reason, name or self._name(channel), now=client.now()
        )
        if reason is MoveReason.REMOVED:  # nobody says any more who can see its channels
            await client.matches.visibility.forget_channels(server)
        log.info("place.lost", server=server, channel=channel, reason=reason.value, matches=len(moved))

    def _name(self, channel: str | None) -> str:
        found = None if channel is None else self._client.get_channel(ids.snowflake(channel))
        return getattr(found, "name", "")
