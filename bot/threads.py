"""A thread for each match, where the server wants it.

A thread that is opened from a message has the message's own number. So a match is given its place when
it begins, in the same transaction, and the thread is opened from the challenge's post right before the first
post in it, by whoever sends that; opening it again does no harm. Where it cannot be had, the match is moved
to the channel.

Behind the answers, once a minute, boards that are no longer the latest lose their call and their buttons for
playing, by one edit each, and threads where all is over are archived. Nobody's turn waits for that, and
channels outside threads are left as they are.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import discord
import structlog

from bot import people
from bot.answers import UNREACHED, tell
from bot.people import PostId
from bot.permissions import lacking_for_threads
from matches import MatchError, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from datetime import datetime

    from bot.client import Interaction, Rayuela
    from matches import Announcement, Challenge, MatchView, Posted, Thread

log = structlog.stdlib.get_logger(__name__)

LONGEST_NAME = 100
WEEK: Final = 10080  # minutes without a post after which Discord folds a thread away by itself
OPEN_ALREADY = 160004
UNKNOWN_CHANNEL = 10003
TROUBLE = 500  # from this status on it is Discord's own trouble, which passes
PAUSE = timedelta(minutes=1)  # between two looks at the threads


@dataclass(frozen=True, slots=True)
class Meant:
    """Where a match is to be played: None is where its challenge stands. `lacking` keeps it from a thread."""

    place: str | None = None
    lacking: tuple[str, ...] = ()


async def meant(interaction: Interaction, post: int | None) -> Meant:
    """Say where the match of a challenge is to be played, whose post is the message of that number."""
    client = interaction.client
    settings = await client.matches.servers.settings(
        people.place(interaction.guild_id or 0), now=client.now()
    )
    if not settings.threads or post is None or isinstance(interaction.channel, discord.Thread):
        return Meant()
    lacking = lacking_for_threads(interaction)
    return Meant(lacking=lacking) if lacking else Meant(people.place(post))


async def wanted(client: Rayuela, challenge: Challenge) -> str | None:
    """Say where the match of a challenge is to be played that is accepted elsewhere than under its post.

    A thread that Discord then does not let us open is done without. None is where the challenge stands.
    """
    settings = await client.matches.servers.settings(challenge.server, now=client.now())
    if not settings.threads or challenge.post is None:
        return None
    channel = client.get_channel(people.number(challenge.place))
    if channel is None or isinstance(channel, discord.Thread):
        return None
    return people.place(PostId.read(challenge.post).message)


async def tell_lacking(interaction: Interaction, meant: Meant) -> None:
    """Tell once, in private, why a match that should have a thread has none."""
    if meant.lacking:
        words = interaction.client.words
        names = words.listed([words(f"permission.{name}") for name in meant.lacking])
        await tell(interaction, words("thread.lacking", count=len(meant.lacking), names=names))


def gone(error: BaseException) -> bool:
    """Tell whether Discord says that there is no such channel or thread."""
    return isinstance(error, discord.NotFound) and error.code == UNKNOWN_CHANNEL


class Threads:
    """Opens, tidies and archives the threads of matches. `patience` bounds each request in seconds."""

    def __init__(self, client: Rayuela, *, patience: float) -> None:
        self._client = client
        self._patience = patience
        self._looked: datetime | None = None

    async def ready(self, announcement: Announcement, challenge: Challenge, view: MatchView) -> Announcement:
        """Open the thread that a match is to be played in; give what is to be told, where it can be told.

        Raises what keeps Discord from being reached.
        """
        client = self._client
        if announcement.place == challenge.place:
            return announcement
        try:
            await self._open(announcement, challenge, view)
        except discord.HTTPException as error:
            if error.status >= TROUBLE:
                raise
            log.warning("thread.refused", match=view.id, error=repr(error))
            await client.matches.threads.move(view.id, challenge.place, now=client.now())
            return replace(announcement, place=challenge.place)
        server = announcement.server
        await client.matches.threads.opened(announcement.place, server, challenge.place, now=client.now())
        return announcement

    async def _open(self, announcement: Announcement, challenge: Challenge, view: MatchView) -> None:
        words = self._client.words
        first, second = (seat.person.name for seat in view.seats)
        name = words("thread.name", first=first, second=second, game=words(f"game.{view.game}.name"))
        channel = self._client.get_partial_messageable(
            people.number(challenge.place), guild_id=people.number(challenge.server)
        )
        message = channel.get_partial_message(people.number(announcement.place))
        try:
            await message.create_thread(name=name[:LONGEST_NAME], auto_archive_duration=WEEK)
        except discord.HTTPException as error:
            if error.code != OPEN_ALREADY:
                raise
        log.info("thread.open", match=view.id)

    async def sweep(self) -> None:
        """Tidy what is superseded and archive what is done, if the last look is a minute ago.

        Raises StorageUnavailable.
        """
        client, now = self._client, self._client.now()
        if self._looked is not None and now - self._looked < PAUSE:
            return
        self._looked = now
        for posted in await client.matches.threads.superseded(now=now):
            if await self._done(self._tidy(posted)):
                await client.matches.threads.tidied(posted.announcement, now=now)
        for thread in await client.matches.threads.done(now=now):
            if await self._done(self._archive(thread)):
                await client.matches.threads.archived(thread.place, now=now)

    async def _done(self, work: Awaitable[None]) -> bool:
        """Do one piece of work; say whether it need not be tried again. Raises StorageUnavailable."""
        try:
            async with asyncio.timeout(self._patience):
                await work
        except discord.HTTPException as error:
            log.info("thread.untouched", error=repr(error))
            return error.status < TROUBLE
        except UNREACHED as error:
            log.warning("thread.unreached", error=repr(error))
            return False
        except StorageUnavailable:
            raise
        except Exception:
            log.exception("thread.failed")
        return True

    async def _tidy(self, posted: Posted) -> None:
        """Make a post over as it reads now that the match has moved on; its picture stays as it is."""
        client, where = self._client, PostId.read(posted.post)
        try:
            view = await client.matches.view_of(posted.announcement, now=client.now())
        except MatchError:
            log.info("thread.board_gone", announcement=posted.announcement.id)
            return
        if view.current:
            return
        post = await client.announcer.match_post(posted.announcement, view)
        message = client.get_partial_messageable(where.channel).get_partial_message(where.message)
        await message.edit(content=post.text, view=None if post.buttons is None else post.buttons())

    async def _archive(self, thread: Thread) -> None:
        channel = await self._client.fetch_channel(people.number(thread.place))
        if isinstance(channel, discord.Thread) and not channel.archived:
            await channel.edit(archived=True)
            log.info("thread.archived", thread=channel.id)
