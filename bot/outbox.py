"""What interactions could not tell: sent later, across restarts, once.

A post whose sending was cut short may stand in the channel all the same. So before anything is
sent, the channel is searched for a message of the bot's own that carries the announcement's mark
in a button; only where there is none is it posted, with a nonce that Discord holds to once.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import discord
import structlog

from bot import people
from bot.announcer import CHANGES_POST
from bot.answers import UNREACHED
from bot.delivery import note
from bot.finding import find
from bot.letters import Letters
from bot.people import PostId
from bot.threads import gone
from matches import AnnouncementKind, ChallengeId, ChallengeState, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.client import Rayuela
    from bot.posts import Post
    from matches import Announcement, Challenge

log = structlog.stdlib.get_logger(__name__)


class Outbox:
    """Sends what is due. `seconds` is the pause between looks, `patience` bounds the sending of one post."""

    def __init__(self, client: Rayuela, *, patience: float, seconds: float = 5) -> None:
        self._client = client
        self._seconds = seconds
        self._patience = patience
        self._hasty: set[asyncio.Task[None]] = set()
        self._letters = Letters(client)

    async def run(self, stop: asyncio.Event, alive: Callable[[], None]) -> None:
        """Look again and again until `stop`; a failure is logged and tried again.

        `alive` is called whenever the database has answered.
        """
        while not stop.is_set():
            try:
                await self.tick(alive)
            except StorageUnavailable as error:
                log.warning("outbox.storage", error=str(error))
            except Exception:
                log.exception("outbox.failed")
            try:
                async with asyncio.timeout(self._seconds):
                    await stop.wait()
            except TimeoutError:
                continue

    async def tick(self, alive: Callable[[], None] | None = None) -> None:
        """Do what time has brought, close lapsed challenges, remind, send what is due, see to the threads.

        Then the parts go their rounds. Clocks run only while people can reach us: without Discord the heart
        does not beat.
        """
        client = self._client
        if client.connected:
            await self._pass_time()
        await client.matches.lapse(now=client.now())
        await client.matches.reminders.remind(now=client.now())
        await client.matches.following.digest(now=client.now())
        due = await client.matches.unannounced(now=client.now())
        for step in (None, *due):
            if step is not None:
                await self.send(step)
            if alive is not None:
                alive()
        await client.threads.sweep()
        for go in client.rounds:
            await go(client)

    def hasten(self, announcement: Announcement) -> None:
        """Send what happened elsewhere in this process, in the background and at once.

        What does not get through is sent later like everything else.
        """
        task = asyncio.create_task(self._hastened(announcement))
        self._hasty.add(task)
        task.add_done_callback(self._hasty.discard)

    async def _hastened(self, announcement: Announcement) -> None:
        if self._client.hands.closing:
            return
        with self._client.hands.holding():
            try:
                await self.send(announcement)
            except StorageUnavailable as error:
                log.warning("outbox.storage", error=str(error))

    async def _pass_time(self) -> None:
        """Let time do what it does; a match that it cannot be done to keeps nothing else waiting."""
        client = self._client
        try:
            await client.matches.clocks.tick(now=client.now())
        except ExceptionGroup:
            log.exception("clocks.failed")

    async def send(self, announcement: Announcement, *, closed: bool = False) -> None:
        """Post one announcement unless it stands already. A failure is noted, to be tried later.

        `closed` tells that the post of the challenge, if it is one's acceptance, says so already.
        Raises StorageUnavailable.
        """
        client = self._client
        try:
            async with asyncio.timeout(self._patience):
                if announcement.to:
                    where = await self._letters.deliver(announcement)
                else:
                    where = await self._post(announcement, closed=closed)
        except StorageUnavailable:
            raise
        except UNREACHED as error:
            log.warning("announcement.unsent", announcement=announcement.id, error=repr(error))
            if gone(error) and await client.matches.threads.lost(announcement.place, now=client.now()):
                await client.matches.release(announcement.id, now=client.now())
            else:
                await client.matches.failed(announcement.id, now=client.now())
        except Exception:
            log.exception("announcement.failed", announcement=announcement.id)
            await client.matches.failed(announcement.id, now=client.now())
        else:
            if where is None:
                await client.matches.dropped(announcement.id, now=client.now())
            else:
                await note(client, announcement, where)

    async def _post(self, announcement: Announcement, *, closed: bool) -> PostId:
        if announcement.challenge is not None:
            return await self._post_challenge(announcement)
        client = self._client
        view = await client.matches.view_of(announcement, now=client.now())
        if announcement.kind in {AnnouncementKind.FISTS, AnnouncementKind.STARTED} and view.challenge:
            challenge = await client.matches.find_challenge(view.challenge, now=client.now())
            taker = view.opponent(challenge.by.account)
            person = None if taker is None else taker.person
            if not closed:
                await self._change(challenge, client.announcer.challenge_post(challenge, person))
            announcement = await client.threads.ready(announcement, challenge, view)
        return await self._find(announcement) or await self._new(
            announcement, await client.announcer.match_post(announcement, view)
        )

    async def _post_challenge(self, announcement: Announcement) -> PostId:
        client = self._client
        challenge = await client.matches.find_challenge(
            ChallengeId(announcement.challenge or 0), now=client.now()
        )
        if announcement.kind in CHANGES_POST:
            return await self._change(challenge, client.announcer.challenge_post(challenge))
        found = await self._find(announcement)
        if found is not None:
            return found
        # Somebody may have answered it meanwhile, by its post.
        challenge = await client.matches.find_challenge(challenge.id, now=client.now())
        if challenge.post is not None:
            return PostId.read(challenge.post)
        # With its buttons whatever has become of it: they are the mark by which it is found again.
        as_made = replace(challenge, state=ChallengeState.OPEN)
        return await self._new(announcement, client.announcer.challenge_post(as_made))

    async def _change(self, challenge: Challenge, post: Post) -> PostId:
        """Turn the post of a challenge into what it is now; one that was deleted stays so."""
        if challenge.post is None:
            raise ValueError(f"challenge {challenge.id} was never posted")
        where = PostId.read(challenge.post)
        message = self._client.get_partial_messageable(where.channel).get_partial_message(where.message)
        try:
            await message.edit(**post.edit())
        except discord.NotFound:
            log.info("challenge.post_gone", challenge=challenge.id)
        return where

    async def _find(self, announcement: Announcement) -> PostId | None:
        return await find(self._client, self._channel(announcement), announcement)

    async def _new(self, announcement: Announcement, post: Post) -> PostId:
        channel = self._channel(announcement)
        message = await channel.send(**post.new(), nonce=f"rayuela-{announcement.id}")
        log.info("announcement.sent", announcement=announcement.id, message=message.id)
        return PostId(channel.id, message.id)

    def _channel(self, announcement: Announcement) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(
            people.number(announcement.place), guild_id=people.number(announcement.server)
        )
