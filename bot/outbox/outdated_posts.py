"""Edits boards that are no longer the latest of their match: they lose their mention and their play buttons.

Offers that were declined or withdrawn lose their buttons too. All this happens in the background, by one edit
for each post. A post that cannot be edited any more, such as a deleted one, is left alone; other failed edits
of boards are tried again in the next pass.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord
import structlog

from bot.ui.ids import PostId
from bot.ui.interactions import DELIVERY_ERRORS
from i18n.readers import reading_in
from matches import DISCORD, Refusal, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bot.context import BotClient
    from matches import Announcement, PostedAnnouncement

log = structlog.stdlib.get_logger(__name__)

SERVER_ERROR = 500  # this status and above are temporary problems of Discord
SESSION_CLOSED = "Session is closed"  # what aiohttp raises after the program was told to stop
RATE_LIMITED = 429  # also the status of too many edits of messages older than an hour


async def is_request_finished(work: Awaitable[None], seconds: float) -> bool:
    """Await one request for at most `seconds`; return False if it must be tried again.

    Raises StorageUnavailable.
    """
    try:
        async with asyncio.timeout(seconds):
            await work
    except discord.HTTPException as error:
        log.info("request.refused", error=repr(error))
        return is_final(error)
    except DELIVERY_ERRORS as error:
        log.warning("request.failed", error=repr(error))
        return False
    except StorageUnavailable:
        raise
    except Exception as error:
        if str(error) == SESSION_CLOSED:
            return False
        log.exception("request.failed")
    return True


def is_final(error: discord.HTTPException) -> bool:
    """Return whether an edit that Discord refused would be refused again, as in an archived thread."""
    return error.status < SERVER_ERROR and error.status != RATE_LIMITED


class OutdatedPostEditor:
    """Edits outdated posts. `request_timeout` bounds each request, in seconds."""

    def __init__(self, client: BotClient, *, request_timeout: float) -> None:
        self._client = client
        self._request_timeout = request_timeout

    async def sweep(self) -> None:
        """Edit outdated posts.

        After a failure the other posts of the same channel wait for the next pass: of each match the oldest
        is edited first, because a mark covers all posts before it. Raises StorageUnavailable.
        """
        client, now = self._client, self._client.now()
        failed = set[int]()
        for posted in await client.matches.posting.outdated_posts.list(DISCORD, now=now):
            post_id = PostId.parse(posted.post)
            if post_id.channel in failed:
                continue
            if await is_request_finished(self._edit(posted, post_id), self._request_timeout):
                await client.matches.posting.outdated_posts.mark_edited(posted.announcement, now=now)
            else:
                failed.add(post_id.channel)

    async def close_offer(self, answer: Announcement) -> None:
        """Take the answers from the post of an offer that was declined or withdrawn.

        If that fails, they stay until the next board. Raises StorageUnavailable.
        """
        posted = await self._client.matches.posting.outdated_posts.find_offer(answer)
        if posted is not None:
            edit = self._edit(posted, PostId.parse(posted.post))
            await is_request_finished(edit, self._request_timeout)

    async def _edit(self, posted: PostedAnnouncement, post_id: PostId) -> None:
        """Edit the text and the buttons of a post to those of an old board; the picture is kept."""
        client, announcement = self._client, posted.announcement
        try:
            view = await client.matches.views.at_announcement(announcement)
        except Refusal:
            log.info("board.gone", announcement=announcement.id)
            return
        if view.result is not None:
            return  # it shows the end of the match
        with reading_in(await client.languages.of(announcement)):
            post = await client.announcement_renderer.render_outdated_post(announcement, view)
        message = client.get_partial_messageable(post_id.channel).get_partial_message(post_id.message)
        arguments = post.edit_arguments()
        await message.edit(content=arguments["content"], view=arguments["view"])
        log.debug("board.edited", announcement=announcement.id)
