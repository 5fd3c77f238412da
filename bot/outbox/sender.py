"""The outbox: sends announcements that no response has sent, across restarts, exactly once.

A request that failed may have reached Discord. So the channel is first searched for a message of the bot
whose buttons contain the announcement's marker; if there is none, the post is sent with a nonce that Discord
uses to drop duplicates.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import discord
import structlog

from bot.outbox.dedupe import find_sent_message
from bot.outbox.deliveries import Deliveries
from bot.outbox.direct_messages import DirectMessageSender
from bot.outbox.lost_places import LostPlaces
from bot.outbox.open_channels import OpenChannels
from bot.outbox.outdated_posts import OutdatedPostEditor
from bot.outbox.pace import GlobalLimit, RequestPace
from bot.outbox.responses import mark_sent
from bot.outbox.threads import ThreadManager
from bot.posts.announcement_posts import CHALLENGE_EDIT_KINDS
from bot.ui import ids
from bot.ui.ids import PostId
from bot.ui.interactions import DELIVERY_ERRORS
from matches import AnnouncementKind, ChallengeId, ChallengeState, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence
    from datetime import datetime

    from bot.context import BotClient
    from bot.outbox.direct_messages import FollowerMessages
    from bot.posts.post import Post
    from matches import Announcement, AnnouncementId, Challenge

log = structlog.stdlib.get_logger(__name__)

TIDY_INTERVAL = timedelta(minutes=1)
# How long a pass may take, and when another process takes over: two that tidy at once edit each post twice.
TIDY_LEASE = timedelta(minutes=2)


class ChallengeNotPosted(OSError):  # noqa: N818 - not an error: the post has to wait
    """The post of the challenge comes first; it was not sent or not recorded yet."""


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """Work of a feature that one process or several do in the background, `every` so often at most.

    With `needs_gateway` it runs in processes with shards, once these are ready; otherwise in those that do
    background work.
    """

    run: Callable[[BotClient], Awaitable[None]]
    every: timedelta = timedelta(0)
    needs_gateway: bool = False


class Outbox:
    """Sends announcements and runs everything else that is due.

    A process without background work leaves to others what it did not begin itself. `periodic_tasks` run
    when they are due. `send_timeout` bounds the sending of one post, `interval` is the pause between two
    passes, both in seconds.
    """

    def __init__(
        self,
        client: BotClient,
        *,
        follower_messages: FollowerMessages | None,
        periodic_tasks: Sequence[PeriodicTask],
        send_timeout: float,
        interval: float = 5,
    ) -> None:
        self._client = client
        self._periodic_tasks = periodic_tasks
        self._ran_at: dict[PeriodicTask, datetime] = {}
        self._interval = interval
        self._send_timeout = send_timeout
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._with_closed_challenge: set[AnnouncementId] = set()
        self._pace = RequestPace()
        self._global_limit = GlobalLimit(client)
        self._deliveries = Deliveries(client, self.send)
        self._direct_messages = DirectMessageSender(client, follower_messages, self._pace)
        self.lost_places = LostPlaces(client)
        self.open_channels = OpenChannels(client)
        self._outdated_posts = OutdatedPostEditor(client, self._pace, request_timeout=send_timeout)
        self._threads = ThreadManager(client, request_timeout=send_timeout)
        self._tidying = PeriodicTask(lambda _client: self._tidy_alone(), TIDY_INTERVAL)
        self._name = secrets.token_hex(8)

    async def run(self, stop: asyncio.Event, on_alive: Callable[[], None]) -> None:
        """Run everything until `stop` is set; a failure is logged and retried in the next pass.

        Clocks and reminders, announcements, and :meth:`_tidy` run side by side: none waits for Discord to
        answer another. `on_alive` is called whenever the database has answered.
        """
        async with asyncio.TaskGroup() as passes:
            passes.create_task(self._repeat(lambda: self._sweep(on_alive), stop))
            if self._client.role.runs_background:
                passes.create_task(self._repeat(self._deliveries.start_due, stop, self._deliveries.wait))
            passes.create_task(self._repeat(self.renew_claims, stop, self._deliveries.wait_to_renew))
            passes.create_task(self._repeat(self._tidy, stop))
            if not self._client.role.has_gateway and self._client.matches.can_listen:
                listening = passes.create_task(self._repeat(self._listen, stop))
                await stop.wait()
                listening.cancel()

    async def _repeat(
        self,
        work: Callable[[], Awaitable[object]],
        stop: asyncio.Event,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        while not stop.is_set():
            try:
                await work()
            except StorageUnavailable as error:
                log.warning("outbox.storage", error=str(error))
            except Exception:
                log.exception("outbox.failed")
            stopped = asyncio.ensure_future(stop.wait())
            waited = asyncio.ensure_future(pause(self._interval))
            try:
                await asyncio.wait({stopped, waited}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopped.cancel()
                waited.cancel()

    async def send_due(self) -> None:
        """Start sending what is due now, such as what another process played. Raises StorageUnavailable."""
        if self._client.is_online:
            await self._deliveries.start_due()

    async def run_once(self) -> None:
        """Run one pass of all that the role does, and wait until all posts were sent or have failed."""
        await self._sweep()
        if self._client.role.runs_background:
            await self._deliveries.finish_due()
        await self._tidy()

    async def _listen(self) -> None:
        """Look for posts to send when another process has changed a match. Raises StorageUnavailable.

        A process that begins posts itself needs no such hint.
        """
        await self._client.matches.listen(self._deliveries.wake, lambda _match: self._deliveries.wake())

    async def renew_claims(self) -> None:
        """Keep what is being sent from being taken over by another process. Raises StorageUnavailable."""
        await self._deliveries.renew()

    async def cancel(self) -> None:
        """Stop sending. What was claimed becomes due again when its lease ends."""
        await self._deliveries.cancel()

    async def _sweep(self, on_alive: Callable[[], None] = lambda: None) -> None:
        """Advance clocks, expire challenges, write reminders and digests; nothing here waits for Discord.

        Clocks advance only where a bot is connected, because otherwise nobody can move.
        """
        client = self._client
        self._global_limit.check()
        if client.is_online:
            await self._run_clocks()
        self._direct_messages.begin_pass()
        await self.lost_places.look_for_untold()
        if not client.role.runs_background:
            on_alive()
            return
        await client.matches.challenges.expire(now=client.now())
        on_alive()
        await client.matches.people.reminders.remind(now=client.now())
        await client.matches.people.following.announce_digests(now=client.now())
        await client.matches.work.requests.forget_old(now=client.now())
        on_alive()
        self._deliveries.wake()

    async def _tidy(self) -> None:
        """Edit outdated boards and archive threads once every TIDY_INTERVAL; run the tasks of features."""
        await self._run_if_due(self._tidying)
        await self.open_channels.retry()
        await self.lost_places.retry()
        for task in self._periodic_tasks:
            await self._run_if_due(task)

    async def _run_if_due(self, task: PeriodicTask) -> None:
        """Run a task that is due here. One that the database stopped is due again in the next pass.

        Raises StorageUnavailable.
        """
        now = self._client.now()
        is_possible = self._client.is_ready() if task.needs_gateway else self._client.role.runs_background
        if is_possible and (task not in self._ran_at or now - self._ran_at[task] >= task.every):
            self._ran_at[task] = now  # a failure of another kind would only repeat
            try:
                await task.run(self._client)
            except StorageUnavailable:
                del self._ran_at[task]
                raise

    async def _tidy_alone(self) -> None:
        """Edit outdated boards and archive threads, for as long as the lease, unless another process does."""
        if await self._client.matches.work.leases.claim("tidying", self._name, TIDY_LEASE):
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(TIDY_LEASE.total_seconds()):
                await self._outdated_posts.sweep()
                await self._threads.sweep()

    def send_soon(self, announcement: Announcement, *, challenge_closed: bool = False) -> None:
        """Send an announcement of this process in the background, without waiting for the next pass.

        It waits for earlier announcements of its match and its channel. `challenge_closed` says that the post
        of the accepted challenge shows the acceptance already.
        """
        if challenge_closed:
            self._with_closed_challenge.add(announcement.id)
        self._start(self._start_now(announcement))

    def close_offer_soon(self, answer: Announcement) -> None:
        """Take the buttons from the post of an offer in the background; `answer` declined or withdrew it."""
        self._start(self._close_offer(answer))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = self._client.in_flight.start(work)
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    async def _close_offer(self, answer: Announcement) -> None:
        try:
            await self._outdated_posts.close_offer(answer)
        except StorageUnavailable as error:
            log.warning("outbox.storage", error=str(error))

    async def send_and_wait(
        self, announcement: Announcement, seconds: float, *, challenge_closed: bool = False
    ) -> None:
        """Send an announcement as :meth:`send_soon` does; wait for it, but not longer than `seconds`.

        A player's copy is not waited for: the earlier ones are sent first.
        """
        delivered = self._deliveries.watch(announcement.id)
        try:
            self.send_soon(announcement, challenge_closed=challenge_closed)
            if not announcement.is_direct:
                await asyncio.wait({delivered}, timeout=seconds)
        finally:
            self._deliveries.unwatch(announcement.id)

    async def _start_now(self, announcement: Announcement) -> None:
        client = self._client
        try:
            await client.matches.announcements.make_due(announcement.id, now=client.now())
            await self._deliveries.start_due()
        except StorageUnavailable as error:
            log.warning("outbox.storage", error=str(error))

    async def _run_clocks(self) -> None:
        """Do this process's part for the clocks; a match that fails delays no other match."""
        client, clocks = self._client, self._client.matches.clocks
        try:
            if not client.role.runs_background:
                await clocks.heartbeat(client.now(), client.gateway.coverage())
            elif not client.role.has_gateway:
                await clocks.sweep(client.now())
            else:
                await clocks.tick(client.now(), client.gateway.coverage())
        except ExceptionGroup:
            log.exception("clocks.failed")

    async def send(self, announcement: Announcement) -> None:
        """Send one claimed announcement unless it was sent before. A failure is recorded and retried later.

        Raises StorageUnavailable.
        """
        client = self._client
        try:
            async with asyncio.timeout(self._send_timeout):
                if announcement.to:
                    post_id = await self._direct_messages.send(announcement)
                else:
                    post_id = await self._send_post(announcement)
        except StorageUnavailable:
            raise
        except DELIVERY_ERRORS as error:
            client.matches.metrics.count_post(announcement.kind.value, is_sent=False)
            log.warning("announcement.unsent", announcement=announcement.id, error=repr(error))
            if not await self.lost_places.handle_failure(announcement, error):
                await client.matches.announcements.mark_failed(announcement.id, now=client.now())
        except Exception:
            client.matches.metrics.count_post(announcement.kind.value, is_sent=False)
            log.exception("announcement.failed", announcement=announcement.id)
            await client.matches.announcements.mark_failed(announcement.id, now=client.now())
        else:
            self._with_closed_challenge.discard(announcement.id)
            if post_id is None:
                await client.matches.announcements.discard(announcement.id, now=client.now())
            else:
                await mark_sent(client, announcement, post_id)
                await self.lost_places.handle_delivered(announcement)

    async def _send_post(self, announcement: Announcement) -> PostId | None:
        if announcement.challenge is not None:
            return await self._send_challenge_post(announcement)
        client = self._client
        view = await client.matches.views.at_announcement(announcement)
        if announcement.kind in {AnnouncementKind.CHOOSING, AnnouncementKind.STARTED} and view.challenge:
            challenge = await client.matches.challenges.find(view.challenge, now=client.now())
            seat = view.opponent(challenge.by.account)
            accepted_by = None if seat is None else seat.person
            announcements = client.matches.announcements
            if challenge.post is None and await announcements.is_challenge_unsent(challenge.id):
                raise ChallengeNotPosted(f"challenge {challenge.id} is posted first")
            if announcement.id not in self._with_closed_challenge and challenge.post is not None:
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
            post_id = await self._edit_challenge_post(
                challenge, client.announcement_renderer.render_challenge_post(challenge)
            )
            if not announcement.recipients:
                return post_id
            return await self._find_sent(announcement) or await self._send_new(
                announcement, client.announcement_renderer.render_closing_post(announcement, challenge)
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
            raise ChallengeNotPosted(f"challenge {challenge.id} is posted first")
        post_id = PostId.parse(challenge.post)
        message = self._client.get_partial_messageable(post_id.channel).get_partial_message(post_id.message)
        await self._pace.wait(private=False)
        try:
            await message.edit(**post.edit_arguments())
        except discord.NotFound:
            log.info("challenge.post_gone", challenge=challenge.id)
        return post_id

    async def _find_sent(self, announcement: Announcement) -> PostId | None:
        await self._pace.wait(private=False)
        return await find_sent_message(self._client, self._channel_of(announcement), announcement)

    async def _send_new(self, announcement: Announcement, post: Post) -> PostId:
        channel = self._channel_of(announcement)
        post = replace(post, mentions=()) if announcement.is_quiet else post
        await self._pace.wait(private=False)
        message = await channel.send(**post.send_arguments(), nonce=f"rayuela-{announcement.id}")
        log.info("announcement.sent", announcement=announcement.id, message=message.id)
        return PostId(channel.id, message.id)

    def _channel_of(self, announcement: Announcement) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(
            ids.snowflake(announcement.channel), guild_id=ids.snowflake(announcement.server)
        )
