"""Matches whose channel can no longer be used: noticed by an event, or when Discord refuses a post.

Discord says that a channel is gone, or that the bot may not see it or write there; then posting again is
pointless, and `matches.places` moves the matches to the direct messages of their players. Permissions are not
watched: players can still read and use old posts, so a match stays until a post is refused.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import discord
import structlog

from bot.outbox.direct_messages import is_dm_refused
from bot.outbox.pace import Priority, prioritized
from bot.shards import server_number
from bot.ui import ids
from bot.ui.access import MemberLookup
from bot.ui.interactions import DELIVERY_ERRORS, reply_ephemeral
from bot.ui.permissions import missing_to_post
from i18n.match_texts import format_outline
from matches import DISCORD, MoveReason, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from bot.context import BotClient, Interaction
    from matches import Announcement

log = structlog.stdlib.get_logger(__name__)

UNKNOWN_CHANNEL = 10003
ARCHIVED_THREAD = 50083  # refuses every edit; a post only if the thread is locked too
# No access, no permission, an archived thread that is locked, a locked thread.
REFUSED_CODES = frozenset({50001, 50013, ARCHIVED_THREAD, 160005})
# The bot and the user share no server; there is no such user. A later attempt does not help by itself.
UNREACHABLE_CODES = frozenset({50278, 10013})


class LostPlaces:
    """Handles the loss of channels and servers, and players who accept no direct messages."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._moving = asyncio.Lock()  # the matches of a server that removes the bot and invites it at once
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
                await self.check_servers(shard)
            for guild in self._client.guilds:
                await self.check_channels(guild)
                await self.bring_back(guild)
            await self._client.matches.posting.places.retry(DISCORD, now=self._client.now())
        except Exception:
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
        if announcement.tournament is not None:
            await client.matches.posting.places.tell_entrants(announcement, now=client.now())
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
        """Move the matches of a deleted thread, after those of its channel if that was deleted with it."""
        guild, server = self._client.get_guild(event.guild_id), ids.stored_id(event.guild_id)
        if guild is not None and guild.get_channel(event.parent_id) is None:
            await self._lose(server, ids.stored_id(event.parent_id), MoveReason.DELETED)
        name = "" if event.thread is None else event.thread.name
        await self._lose(server, ids.stored_id(event.thread_id), MoveReason.DELETED, name)

    async def server_lost(self, guild: discord.Guild) -> None:
        """Move all matches of a server that removed the bot."""
        async with self._moving:
            await self._lose(ids.stored_id(guild.id), None, MoveReason.REMOVED, guild.name)

    async def server_joined(self, guild: discord.Guild) -> None:
        """Bring the matches of a server back, and try again what could not be sent to its members."""
        await self.bring_back(guild)
        await self._client.matches.posting.places.retry(DISCORD, now=self._client.now())

    async def bring_back(self, guild: discord.Guild) -> None:
        """Have matches that left when a server removed the bot continue in their channels.

        Others stay in direct messages: those whose channel is gone or closed to the bot or to a player. The
        questions to Discord leave other requests the right of way.
        """
        client, server = self._client, ids.stored_id(guild.id)
        members, usable = MemberLookup(client), dict[str, bool]()
        async with self._moving:
            for one in await client.matches.posting.places.list_returning(server):
                with prioritized(Priority.BACKGROUND):
                    if one.channel not in usable:
                        usable[one.channel] = await self._is_usable(guild, one.channel)
                    returns = usable[one.channel] and await _see_all(
                        members, server, one.channel, one.players
                    )
                if returns:
                    await client.matches.posting.places.come_back(one.match, server, now=client.now())
                    log.info("place.regained", match=one.match, channel=one.channel)

    async def _is_usable(self, guild: discord.Guild, channel: str) -> bool:
        """Return whether the bot may post in a channel or thread."""
        number = ids.snowflake(channel)
        found: object = guild.get_channel_or_thread(number)
        if found is None:  # perhaps an archived thread
            try:
                found = await guild.fetch_channel(number)
            except (discord.InvalidData, *DELIVERY_ERRORS):
                return False
        if not isinstance(found, discord.abc.GuildChannel | discord.Thread):
            return False
        is_thread = isinstance(found, discord.Thread)
        if isinstance(found, discord.Thread) and found.parent is None:
            return False
        return not missing_to_post(found.permissions_for(guild.me), in_thread=is_thread)

    async def check_servers(self, shard: int) -> None:
        """Move the matches of servers that removed the bot while a shard was not connected."""
        client = self._client
        used = await client.matches.posting.places.list_used(DISCORD)
        for server in dict.fromkeys(one for one, _, _ in used):
            number, snowflake = server_number(server), ids.snowflake(server)
            if number is None or number % client.gateway.count != shard or client.get_guild(snowflake):
                continue
            ask = partial(client.fetch_guild, snowflake, with_counts=False)
            if await self._exists(ask, discord.NotFound, discord.Forbidden) is False:
                await self._lose(server, None, MoveReason.REMOVED)

    async def check_channels(self, guild: discord.Guild) -> None:
        """Move the matches of channels and threads that were deleted while a server was not connected.

        Discord is asked before a match is moved: the client's list of channels may be incomplete, and it has
        no archived threads. These questions leave other requests the right of way.
        """
        client, server, is_there = self._client, ids.stored_id(guild.id), dict[str, bool | None]()
        for _, channel, parent in await client.matches.posting.places.list_used(DISCORD, server):
            for place in (channel,) if parent is None else (parent, channel):
                if client.in_flight.is_closing:
                    return
                if place not in is_there:
                    number = ids.snowflake(place)
                    is_there[place] = guild.get_channel_or_thread(number) is not None or await self._exists(
                        partial(client.fetch_channel, number), discord.NotFound
                    )
                    if is_there[place] is False:
                        await self._lose(server, place, MoveReason.DELETED)
                if not is_there[place]:
                    break  # a thread goes with its channel

    async def _exists(
        self, ask: Callable[[], Awaitable[object]], *refusals: type[discord.HTTPException]
    ) -> bool | None:
        """Return whether Discord has what it is asked for; None if it does not say so now."""
        try:
            with prioritized(Priority.BACKGROUND):
                await ask()
        except refusals:
            return False
        except DELIVERY_ERRORS as error:
            log.info("place.unchecked", error=repr(error))
            return None
        return True

    async def _move_reason(self, server: str, error: discord.HTTPException) -> MoveReason | None:
        """Return why the place of a post cannot be used; None if that is not what Discord says."""
        if error.code == UNKNOWN_CHANNEL:
            return MoveReason.DELETED
        if error.code not in REFUSED_CODES:
            return None
        if self._client.get_guild(ids.snowflake(server)) is not None:
            return MoveReason.FORBIDDEN
        # It may belong to a shard of another process.
        ask = partial(self._client.fetch_guild, ids.snowflake(server), with_counts=False)
        is_there = await self._exists(ask, discord.NotFound, discord.Forbidden)
        if is_there is None:
            return None
        return MoveReason.FORBIDDEN if is_there else MoveReason.REMOVED

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


async def _see_all(members: MemberLookup, server: str, channel: str, accounts: Iterable[str]) -> bool:
    """Return whether those players who are told on Discord can see a channel; False if that is unknown."""
    try:
        seen = [await members.sees(one, server, channel) for one in accounts if ids.is_from_discord(one)]
    except DELIVERY_ERRORS:
        return False
    return all(seen)
