"""A thread for each match, in servers that enable it.

A thread created from a message has the id of that message. So the match stores its thread when it begins, in
the same transaction, and the thread is created from the challenge's post right before the first post in it;
creating it twice does no harm. If Discord refuses the thread, the match moves to the challenge's channel.

A match against the computer has no such post. It begins in the channel, and its thread is created from its
first post; if that fails, the match stays in the channel.

In the background, threads whose matches are over are archived.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import discord
import structlog

from bot.outbox.outdated_posts import SERVER_ERROR, is_request_finished
from bot.ui import ids
from bot.ui.ids import PostId
from bot.ui.interactions import DELIVERY_ERRORS, reply_ephemeral, response_timeout
from bot.ui.permissions import missing_thread_permissions
from i18n.match_names import format_match_name
from matches import DISCORD

if TYPE_CHECKING:
    from bot.context import BotClient, Interaction
    from matches import Announcement, Challenge, MatchThread, MatchView

log = structlog.stdlib.get_logger(__name__)

MAX_NAME_LENGTH = 100
AUTO_ARCHIVE_MINUTES: Final = 10080  # without a post, then Discord archives the thread
THREAD_EXISTS = 160004


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """Where to play a match: `channel` None is the channel of its challenge.

    `missing_permissions` are those that prevent a thread.
    """

    channel: str | None = None
    missing_permissions: tuple[str, ...] = ()


async def plan_thread(interaction: Interaction, post: int | None) -> ThreadPlan:
    """Return where to play the match of a challenge; `post` is the message id of the challenge's post."""
    client = interaction.client
    settings = await client.matches.servers.settings(
        ids.stored_id(interaction.guild_id or 0), now=client.now()
    )
    if not settings.threads or post is None or isinstance(interaction.channel, discord.Thread):
        return ThreadPlan()
    missing = missing_thread_permissions(interaction)
    return ThreadPlan(missing_permissions=missing) if missing else ThreadPlan(ids.stored_id(post))


async def resolve_match_channel(client: BotClient, challenge: Challenge) -> str | None:
    """Return the thread of a match whose challenge is accepted away from its post.

    None is the channel of the challenge. If Discord later refuses the thread, the match moves to the channel.
    """
    settings = await client.matches.servers.settings(challenge.server, now=client.now())
    if not settings.threads or challenge.post is None:
        return None
    channel: object = client.get_channel(ids.snowflake(challenge.channel))
    if channel is None and client.get_guild(ids.snowflake(challenge.server)) is None:
        try:  # the server may belong to a shard of another process
            channel = await client.fetch_channel(ids.snowflake(challenge.channel))
        except (discord.NotFound, discord.Forbidden):
            return None
    if channel is None or isinstance(channel, discord.Thread):
        return None
    return ids.stored_id(PostId.parse(challenge.post).message)


async def continue_in_thread(interaction: Interaction, view: MatchView, post: PostId) -> None:
    """Open the thread of a match from its first post, the response, and move the match there.

    Does nothing where matches have no threads, and where Discord refuses one.
    """
    client, channel = interaction.client, ids.stored_id(post.message)
    plan = await plan_thread(interaction, post.message)
    if plan.channel is not None:
        try:
            async with response_timeout(interaction):
                await _create_thread(client, post.channel, post.message, view)
        except DELIVERY_ERRORS as error:
            log.warning("thread.refused", match=view.id, error=repr(error))
            return
        await client.matches.posting.threads.record_opened(
            channel, view.server, ids.stored_id(post.channel), now=client.now()
        )
        await client.matches.posting.threads.move_match(view.id, channel, now=client.now())
    await report_missing_permissions(interaction, plan)


async def report_missing_permissions(interaction: Interaction, plan: ThreadPlan) -> None:
    """Send an ephemeral reply that names the permissions missing for a thread, if any."""
    if plan.missing_permissions:
        texts = interaction.client.texts
        names = texts.join([texts(f"permission.{name}") for name in plan.missing_permissions])
        await reply_ephemeral(
            interaction, texts("thread.missing_permissions", count=len(plan.missing_permissions), names=names)
        )


class ThreadManager:
    """Creates and archives threads of matches. `request_timeout` bounds each request, in seconds."""

    def __init__(self, client: BotClient, *, request_timeout: float) -> None:
        self._client = client
        self._request_timeout = request_timeout

    async def choose_channel(
        self, announcement: Announcement, challenge: Challenge, view: MatchView
    ) -> Announcement:
        """Move a match into a thread if it was accepted where nobody knows Discord's threads: on the website.

        Return the announcement with the channel to post it in.
        """
        client = self._client
        if announcement.channel != challenge.channel:
            return announcement
        channel = await resolve_match_channel(client, challenge)
        if channel is None:
            return announcement
        await client.matches.posting.threads.move_match(view.id, channel, now=client.now())
        return replace(announcement, channel=channel)

    async def ensure_thread(
        self, announcement: Announcement, challenge: Challenge, view: MatchView
    ) -> Announcement:
        """Create the thread of a match; return the announcement with the channel to post it in.

        Raises DELIVERY_ERRORS if Discord cannot be reached.
        """
        client = self._client
        if announcement.channel == challenge.channel:
            return announcement
        try:
            await _create_thread(
                client, ids.snowflake(challenge.channel), ids.snowflake(announcement.channel), view
            )
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("thread.refused", match=view.id, error=repr(error))
            await client.matches.posting.threads.move_match(view.id, challenge.channel, now=client.now())
            return replace(announcement, channel=challenge.channel)
        server = announcement.server
        await client.matches.posting.threads.record_opened(
            announcement.channel, server, challenge.channel, now=client.now()
        )
        return announcement

    async def sweep(self) -> None:
        """Archive finished threads. Raises StorageUnavailable."""
        client, now = self._client, self._client.now()
        for thread in await client.matches.posting.threads.list_finished(DISCORD, now=now):
            if await is_request_finished(self._archive(thread), self._request_timeout):
                await client.matches.posting.threads.mark_archived(thread.channel, now=now)

    async def _archive(self, thread: MatchThread) -> None:
        channel = await self._client.fetch_channel(ids.snowflake(thread.channel))
        if isinstance(channel, discord.Thread) and not channel.archived:
            await channel.edit(archived=True)
            log.info("thread.archived", thread=channel.id)


async def _create_thread(client: BotClient, channel: int, message: int, view: MatchView) -> None:
    """Create the thread of a match from a message of the channel, unless it exists."""
    name = format_match_name(client.texts.plain, view)
    try:
        # PartialMessage.create_thread refuses the servers of other processes' shards.
        await client.http.start_thread_with_message(
            channel, message, name=name[:MAX_NAME_LENGTH], auto_archive_duration=AUTO_ARCHIVE_MINUTES
        )
    except discord.HTTPException as error:
        if error.code != THREAD_EXISTS:
            raise
    log.info("thread.open", match=view.id)
