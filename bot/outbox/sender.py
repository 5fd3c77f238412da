"""The outbox: sends announcements that no response has sent, across restarts, exactly once.

A request that failed may have reached Discord. So the channel is first searched for a message of the bot
whose buttons contain the announcement's marker; if there is none, the post is sent with a nonce that Discord
uses to drop duplicates.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import discord
import structlog

from bot.outbox.dedupe import find_sent_message
from bot.outbox.direct_messages import DirectMessageSender
from bot.outbox.lost_places import LostPlaces
from bot.outbox.responses import mark_sent
from bot.outbox.threads import ThreadManager
from bot.posts.announcement_posts import CHALLENGE_EDIT_KINDS
from bot.ui import ids
from bot.ui.ids import PostId
from bot.ui.interactions import DELIVERY_ERRORS
from matches import AnnouncementKind, ChallengeId, ChallengeState, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bot.context import BotClient
    from bot.outbox.direct_messages import FollowerMessages
    from bot.posts.post import Post
    from matches import Announcement, Challenge

log = structlog.stdlib.get_logger(__name__)


class Outbox:
    """Sends announcements and runs everything else that is due.

    `periodic_tasks` run on every pass. `send_timeout` bounds the sending of one post, `interval` is the pause
    between two passes, both in seconds.
    """

    def __init__(
        self,
        client: BotClient,
        *,
        follower_messages: FollowerMessages | None,
        periodic_tasks: Sequence[Callable[[BotClient], Awaitable[None]]],
        send_timeout: float,
        interval: float = 5,
    ) -> None:
        self._client = client
        self._periodic_tasks = periodic_tasks
        self._interval = interval
        self._send_timeout = send_timeout
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._direct_messages = DirectMessageSender(client, follower_messages)
        self.lost_places = LostPlaces(client)
        self._threads = ThreadManager(client, request_timeout=send_timeout)

    async def run(self, stop: asyncio.Event, on_alive: Callable[[], None]) -> None:
        """Run passes until `stop` is set; a failure is logged and retried in the next pass.

        `on_alive` is called whenever the database has answered.
        """
        while not stop.is_set():
            try:
                await self.run_once(on_alive)
            except StorageUnavailable as error:
                log.warning("outbox.storage", error=str(error))
            except Exception:
                log.exception("outbox.failed")
            try:
                async with asyncio.timeout(self._interval):
                    await stop.wait()
            except TimeoutError:
                continue

    async def run_once(self, on_alive: Callable[[], None] | None = None) -> None:
        """Run one pass: clocks, expired challenges, reminders, digests, announcements, threads, features.

        Clocks advance only while the bot is connected, because otherwise nobody can move.
        """
        client = self._client
        if client.connected:
            await self._run_clocks()
        await client.matches.challenges.expire(now=client.now())
        await client.matches.reminders.remind(now=client.now())
        await client.matches.following.announce_digests(now=client.now())
        due = await client.matches.announcements.claim_due(now=client.now())
        for announcement in (None, *due):
            if announcement is not None:
                await self.send(announcement)
            if on_alive is not None:
                on_alive()
        await self._threads.sweep()
        for run_task in self._periodic_tasks:
            await run_task(client)

    def send_soon(self, announcement: Announcement) -> None:
        """Send an announcement in the background, without waiting for the next pass.

        The caller is another part of this process, such as the website.
        """
        task = asyncio.create_task(self._send_in_background(announcement))
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    async def _send_in_background(self, announcement: Announcement) -> None:
        if self._client.in_flight.is_closing:
            return
        with self._client.in_flight.track():
            try:
                await self.send(announcement)
            except StorageUnavailable as error:
                log.warning("outbox.storage", error=str(error))

    async def _run_clocks(self) -> None:
        """Advance the clocks; a match that fails delays no other match."""
        client = self._client
        try:
            await client.matches.clocks.tick(now=client.now())
        except ExceptionGroup:
            log.exception("clocks.failed")

    async def send(self, announcement: Announcement, *, challenge_closed: bool = False) -> None:
        """Send one announcement unless it was sent before. A failure is recorded and retried later.

        `challenge_closed` says that the post of the accepted challenge shows the acceptance already. Raises
        StorageUnavailable.
        """
        client = self._client
        try:
            async with asyncio.timeout(self._send_timeout):
                if announcement.to:
                    post_id = await self._direct_messages.send(announcement)
                else:
                    post_id = await self._send_post(announcement, challenge_closed=challenge_closed)
        except StorageUnavailable:
            raise
        except DELIVERY_ERRORS as error:
            log.warning("announcement.unsent", announcement=announcement.id, error=repr(error))
            if not await self.lost_places.handle_failure(announcement, error):
                await client.matches.announcements.mark_failed(announcement.id, now=client.now())
        except Exception:
            log.exception("announcement.failed", announcement=announcement.id)
            await client.matches.announcements.mark_failed(announcement.id, now=client.now())
        else:
            if post_id is None:
                await client.matches.announcements.discard(announcement.id, now=client.now())
            else:
                await mark_sent(client, announcement, post_id)
                await self.lost_places.handle_delivered(announcement)

    async def _send_post(self, announcement: Announcement, *, challenge_closed: bool) -> PostId | None:
        if announcement.challenge is not None:
            return await self._send_challenge_post(announcement)
        client = self._client
        view = await client.matches.views.at_announcement(announcement)
        if announcement.kind in {AnnouncementKind.CHOOSING, AnnouncementKind.STARTED} and view.challenge:
            challenge = await client.matches.challenges.find(view.challenge, now=client.now())
            seat = view.opponent(challenge.by.account)
            accepted_by = None if seat is None else seat.person
            if not challenge_closed and challenge.post is not None:
                await self._edit_challenge_post(
                    challenge, client.announcement_renderer.render_challenge_post(challenge, accepted_by)
                )
            announcement = await self._threads.ensure_thread(announcement, challenge, view)
        return await self._find_sent(announcement) or await self._send_new(
            announcement, await client.announcement_renderer.render_match_post(announcement, view)
        )

    async def _send_challenge_post(self, announcement: Announcement) -> PostId | None:
        client = self._client
        challenge = await client.matches.challenges.find(
            ChallengeId(announcement.challenge or 0), now=client.now()
        )
        if announcement.kind in CHALLENGE_EDIT_KINDS:
            if challenge.post is None:
                return None  # its channel was lost before it was posted
            return await self._edit_challenge_post(
                challenge, client.announcement_renderer.render_challenge_post(challenge)
            )
        found = await self._find_sent(announcement)
        if found is not None:
            return found
        # Its post may have been answered in the meantime.
        challenge = await client.matches.challenges.find(challenge.id, now=client.now())
        if challenge.post is not None:
            return PostId.parse(challenge.post)
        # Always with the buttons of an open challenge: they contain the marker.
        as_made = replace(challenge, state=ChallengeState.OPEN)
        return await self._send_new(announcement, client.announcement_renderer.render_challenge_post(as_made))

    async def _edit_challenge_post(self, challenge: Challenge, post: Post) -> PostId:
        """Update the post of a challenge; nothing happens if it was deleted."""
        if challenge.post is None:
            raise ValueError(f"challenge {challenge.id} was never posted")
        post_id = PostId.parse(challenge.post)
        message = self._client.get_partial_messageable(post_id.channel).get_partial_message(post_id.message)
        try:
            await message.edit(**post.edit_arguments())
        except discord.NotFound:
            log.info("challenge.post_gone", challenge=challenge.id)
        return post_id

    async def _find_sent(self, announcement: Announcement) -> PostId | None:
        return await find_sent_message(self._client, self._channel_of(announcement), announcement)

    async def _send_new(self, announcement: Announcement, post: Post) -> PostId:
        channel = self._channel_of(announcement)
        message = await channel.send(**post.send_arguments(), nonce=f"rayuela-{announcement.id}")
        log.info("announcement.sent", announcement=announcement.id, message=message.id)
        return PostId(channel.id, message.id)

    def _channel_of(self, announcement: Announcement) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(
            ids.snowflake(announcement.channel), guild_id=ids.snowflake(announcement.server)
        )
