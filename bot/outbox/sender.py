"""The outbox: sends announcements that no response has sent, across restarts, exactly once.

A request that failed may have reached Discord. So the channel is first searched for a message of the bot
whose buttons contain the announcement's marker; if there is none, the post is sent with a nonce that Discord
uses to drop duplicates.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import discord
import structlog

from bot.outbox.dedupe import find_sent_message
from bot.outbox.deliveries import Deliveries
from bot.outbox.direct_messages import DirectMessageSender
from bot.outbox.lost_places import ARCHIVED_THREAD, LostPlaces
from bot.outbox.open_channels import OpenChannels
from bot.outbox.outdated_posts import OutdatedPostEditor, is_final
from bot.outbox.pace import GlobalLimit, Priority, SharedPace, prioritized
from bot.outbox.responses import mark_sent
from bot.outbox.threads import ThreadManager
from bot.posts.announcement_posts import CHALLENGE_EDIT_KINDS
from bot.ui import ids
from bot.ui.ids import PostId
from bot.ui.interactions import DELIVERY_ERRORS
from i18n.readers import reading_in
from matches import AnnouncementKind, ChallengeId, ChallengeState, StorageUnavailable
from matches.work.sweeps import Sweep, Sweeps, list_prompt_sweeps, list_slow_sweeps
from runtime.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from bot.context import BotClient
    from bot.outbox.direct_messages import FollowerMessages
    from bot.posts.post import Post
    from matches import Announcement, AnnouncementId, Challenge

log = structlog.stdlib.get_logger(__name__)

# The shares of processes in Discord's limit: a bot posts only what its own answers began.
WORKER_WEIGHT, BOT_WEIGHT = 4, 1
TIDY_INTERVAL = timedelta(minutes=1)
# How long a pass may take, and when another process takes over: two that tidy at once edit each post twice.
TIDY_LEASE = timedelta(minutes=2)


class ChallengeNotPosted(OSError):  # noqa: N818 - not an error: the post has to wait
    """The post of the challenge comes first; it was not sent or not recorded yet."""


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """Work of a feature that one process or several do in the background, `every` so often at most.

    The name of `run` is that of the step in figures and logs. With `needs_gateway` it runs in processes with
    shards, once these are ready; otherwise in those that do background work.
    """

    run: Callable[[BotClient], Awaitable[None]]
    every: timedelta = timedelta(0)
    needs_gateway: bool = False


Step = tuple[str, Callable[[], Awaitable[object]]]  # the name of a step, and what it does


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
        self._interval = interval
        self._send_timeout = send_timeout
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._with_closed_challenge: set[AnnouncementId] = set()
        self._global_limit = GlobalLimit(client.http, client.now)
        self._deliveries = Deliveries(client, self.send)
        self._direct_messages = DirectMessageSender(client, follower_messages)
        self.lost_places = LostPlaces(client)
        self.open_channels = OpenChannels(client)
        self._outdated_posts = OutdatedPostEditor(client, request_timeout=send_timeout)
        self._threads = ThreadManager(client, request_timeout=send_timeout)
        self._name = secrets.token_hex(8)
        self._steps = Steps(client.matches.metrics, (StorageUnavailable, OSError))
        self._prompt_sweeps = Sweeps(list_prompt_sweeps(client.matches), self._steps.run)
        slow_sweeps = (
            Sweep("edit_outdated_posts", lambda _now: self.edit_outdated_posts(), TIDY_INTERVAL),
            Sweep("archive_threads", lambda _now: self.archive_threads(), TIDY_INTERVAL),
            *(self._as_sweep(one) for one in periodic_tasks if not one.needs_gateway),
            *list_slow_sweeps(client.matches),
        )
        self._slow_sweeps = Sweeps(slow_sweeps, self._steps.run)
        gateway_sweeps = tuple(self._as_sweep(one) for one in periodic_tasks if one.needs_gateway)
        self._gateway_sweeps = Sweeps(gateway_sweeps, self._steps.run)
        weight = WORKER_WEIGHT if client.role.runs_background else BOT_WEIGHT
        self._shared_pace = SharedPace(client.matches.work.leases, client.pace, weight)

    async def run(self, stop: asyncio.Event, on_alive: Callable[[], None]) -> None:
        """Run everything until `stop` is set. A step that fails keeps no other from running.

        Clocks and reminders, announcements, and :meth:`_tidy` run side by side: none waits for Discord to
        answer another. `on_alive` is called after each pass in which the database has answered.
        """
        async with asyncio.TaskGroup() as passes:
            passes.create_task(self._repeat("sweep", lambda: self._sweep(on_alive), stop))
            if self._client.role.runs_background:
                work = self._deliveries.start_due
                passes.create_task(self._repeat("outbox", work, stop, self._deliveries.wait))
            passes.create_task(self._repeat("renew", self._renew, stop, self._deliveries.wait_to_renew))
            passes.create_task(self._repeat("tidy", self._tidy, stop))
            if not self._client.role.has_gateway and self._client.matches.can_listen:
                listening = passes.create_task(self._repeat("listening", self._listen, stop))
                await stop.wait()
                listening.cancel()

    async def _repeat(
        self,
        name: str,
        work: Callable[[], Awaitable[object]],
        stop: asyncio.Event,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        while not stop.is_set():
            await self._steps.run(name, work)
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
        """Run one pass of all that the role does, and wait until all posts were sent or have failed.

        Raises the first error of its steps, after all of them.
        """
        errors = await self._sweep()
        if self._client.role.runs_background:
            await self._deliveries.finish_due()
        errors += await self._tidy()
        for error in errors:
            raise error

    async def _listen(self) -> None:
        """Look for posts to send when another process has changed a match. Raises StorageUnavailable.

        A process that begins posts itself needs no such hint.
        """
        await self._client.matches.listen(self._deliveries.wake, lambda _match: self._deliveries.wake())

    async def _renew(self) -> None:
        await self._run_steps([("claims", self.renew_claims)])
        await self.share_limit()

    async def share_limit(self) -> None:
        """Agree with the other processes on the requests that each may send; a failure is logged."""
        await self._run_steps([("request_share", self._shared_pace.negotiate)])

    async def renew_claims(self) -> None:
        """Keep what is being sent from being taken over by another process. Raises StorageUnavailable."""
        await self._deliveries.renew()

    async def cancel(self) -> None:
        """Stop sending. What was claimed becomes due again when its lease ends."""
        await self._deliveries.cancel()
        await self._run_steps([("request_share", self._shared_pace.leave)])

    async def _sweep(self, on_alive: Callable[[], None] = lambda: None) -> list[Exception]:
        """Run what players wait for (:func:`list_prompt_sweeps`); nothing here waits for Discord.

        Return the errors of the steps. Clocks advance only where a bot is connected, because otherwise nobody
        can move.
        """
        client, matches = self._client, self._client.matches
        self._direct_messages.begin_pass()
        steps: list[Step] = [("global_limit", _as_step(self._global_limit.check))]
        if client.is_online and client.role.has_gateway:
            steps.append(
                ("heartbeat", lambda: matches.clocks.heartbeat(client.now(), client.gateway.coverage()))
            )
        steps.append(("untold", self.lost_places.look_for_untold))
        errors = await self._run_steps(steps)
        if client.role.runs_background:
            errors += await self._prompt_sweeps.run(
                client.now(), can_run=lambda sweep: client.is_online or not sweep.needs_players
            )
        if not any(isinstance(error, StorageUnavailable) for error in errors):
            errors += await self._run_steps([("health_file", _as_step(on_alive))])
        self._deliveries.wake()
        return errors

    async def _tidy(self) -> list[Exception]:
        """Run what can wait: old boards, archived threads, tasks of features, and what all front ends share.

        Return the errors of the steps.
        """
        client = self._client
        with prioritized(Priority.BACKGROUND):
            errors = await self._run_steps(
                [("open_channels", self.open_channels.retry), ("lost_places", self.lost_places.retry)]
            )
            if client.role.runs_background:
                errors += await self._slow_sweeps.run(client.now())
            if client.is_ready():
                errors += await self._gateway_sweeps.run(client.now())
        return errors

    async def _run_steps(self, steps: Sequence[Step]) -> list[Exception]:
        """Run steps one after the other, whatever becomes of each; return their errors."""
        errors = [await self._steps.run(name, work) for name, work in steps]
        return [error for error in errors if error is not None]

    def _as_sweep(self, task: PeriodicTask) -> Sweep:
        return Sweep(task.run.__name__, lambda _now: task.run(self._client), task.every)

    async def edit_outdated_posts(self) -> None:
        """Edit outdated boards, unless another process does. Raises StorageUnavailable."""
        await self._run_alone("tidying", self._outdated_posts.sweep)

    async def archive_threads(self) -> None:
        """Archive threads of finished matches, unless another process does. Raises StorageUnavailable."""
        await self._run_alone("archiving", self._threads.sweep)

    async def _run_alone(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work for as long as the lease `name` lasts, unless another process does it."""
        if await self._client.matches.work.leases.claim(name, self._name, TIDY_LEASE):
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(TIDY_LEASE.total_seconds()):
                await work()

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

    async def send(self, announcement: Announcement) -> None:
        """Send one claimed announcement unless it was sent before. A failure is recorded and retried later.

        Raises StorageUnavailable.
        """
        client = self._client
        try:
            priority = Priority.BACKGROUND if announcement.to else Priority.POST
            async with asyncio.timeout(self._send_timeout):
                with prioritized(priority), reading_in(await client.languages.of(announcement)):
                    post_id = await self._post(announcement)
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

    async def _post(self, announcement: Announcement) -> PostId | None:
        if announcement.to:
            return await self._direct_messages.send(announcement)
        return await self._send_post(announcement)

    async def _send_post(self, announcement: Announcement) -> PostId | None:
        if announcement.challenge is not None:
            return await self._send_challenge_post(announcement)
        if announcement.tournament is not None:
            return await self._send_tournament_post(announcement)
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
            announcement = await self._threads.choose_channel(announcement, challenge, view)
            announcement = await self._threads.ensure_thread(announcement, challenge, view)
        return await self._find_sent(announcement) or await self._send_new(
            announcement, await client.announcement_renderer.render_match_post(announcement, view)
        )

    async def _send_tournament_post(self, announcement: Announcement) -> PostId | None:
        if announcement.kind is AnnouncementKind.TOURNAMENT_UPDATED:
            return await self._edit_tournament_post(announcement)
        found = await self._find_sent(announcement)
        if found is not None:
            return found
        post = await self._client.announcement_renderer.render_tournament_post(announcement)
        return None if post is None else await self._send_new(announcement, post)

    async def _edit_tournament_post(self, announcement: Announcement) -> PostId | None:
        """Update the post that announces a tournament; one that cannot be edited any more stays as it is."""
        post_id = PostId.parse(str(announcement.details["post"]))
        post = await self._client.announcement_renderer.render_tournament_post(announcement)
        message = self._client.get_partial_messageable(post_id.channel).get_partial_message(post_id.message)
        try:
            if post is not None:
                await message.edit(**post.edit_arguments())
        except discord.HTTPException as error:
            if not is_final(error):
                raise
            log.info("tournament.post_gone", tournament=announcement.tournament, error=repr(error))
        return post_id

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
        """Update the post of a challenge; nothing happens if it was deleted, or its thread is archived.

        In an archived thread that is not locked one can still post, so that place is not lost.
        """
        if challenge.post is None:
            raise ChallengeNotPosted(f"challenge {challenge.id} is posted first")
        post_id = PostId.parse(challenge.post)
        message = self._client.get_partial_messageable(post_id.channel).get_partial_message(post_id.message)
        try:
            await message.edit(**post.edit_arguments())
        except discord.HTTPException as error:
            if not isinstance(error, discord.NotFound) and error.code != ARCHIVED_THREAD:
                raise
            log.info("challenge.post_gone", challenge=challenge.id, error=repr(error))
        return post_id

    async def _find_sent(self, announcement: Announcement) -> PostId | None:
        return await find_sent_message(self._client, self._channel_of(announcement), announcement)

    async def _send_new(self, announcement: Announcement, post: Post) -> PostId:
        channel = self._channel_of(announcement)
        post = post.notifying(announcement)
        message = await channel.send(**post.send_arguments(), nonce=f"rayuela-{announcement.id}")
        log.info("announcement.sent", announcement=announcement.id, message=message.id)
        return PostId(channel.id, message.id)

    def _channel_of(self, announcement: Announcement) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(
            ids.snowflake(announcement.channel), guild_id=ids.snowflake(announcement.server)
        )


def _as_step(work: Callable[[], object]) -> Callable[[], Awaitable[object]]:
    """Return a function that waits for nothing in the form of a step."""

    async def run() -> object:
        return work()

    return run
