"""What is told to one person: by direct message, or, where they take none, where the match is played.

A direct message that was cut short may have arrived all the same, so it is looked for before it is sent
again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import discord
import structlog

from bot import looks, people
from bot.announcer import own_mark
from bot.clocks import wording
from bot.digests import digest_post
from bot.finding import find
from bot.fists import FistsButton
from bot.following.lists import LeaveButton
from bot.people import PostId
from bot.posts import Post
from bot.presses import Style, link, row
from bot.private import conversation, is_closed
from bot.views import ViewButton
from matches import AnnouncementKind, MatchId, MatchState, NotFollowed, Way, news_of

if TYPE_CHECKING:
    from bot.client import Rayuela
    from bot.presses import Press
    from matches import Announcement, MatchView, Preferences

log = structlog.stdlib.get_logger(__name__)


class Letters:
    """Sends announcements that are for one person."""

    def __init__(self, client: Rayuela) -> None:
        self._client = client

    async def deliver(self, announcement: Announcement) -> PostId | None:
        """Send one; give where it stands, or None where it is not to be sent any more.

        Raises what keeps Discord from being reached.
        """
        match announcement.kind:
            case AnnouncementKind.REMINDED:
                return await self._remind(announcement)
            case AnnouncementKind.DIGEST:
                return await self._digest(announcement)
            case _:
                return await self._tell_follower(announcement)

    async def _remind(self, announcement: Announcement) -> PostId | None:
        """Remind a person for whom a match still waits, as they like it best by now."""
        client = self._client
        chosen = await client.matches.people.preferences(announcement.to or "")
        if chosen.way is Way.OFF or not await client.matches.reminders.stands(announcement):
            return None
        view = await client.matches.view(MatchId(announcement.match or 0), now=client.now())
        if chosen.way is Way.DIRECT:
            sent = await self._direct(announcement, await self._reminder(announcement, view, chosen))
            if sent is not None:
                return sent
        channel = client.get_partial_messageable(
            people.number(view.place), guild_id=people.number(view.server)
        )
        return await self._send(announcement, channel, self._call(announcement, view))

    async def _reminder(self, announcement: Announcement, view: MatchView, chosen: Preferences) -> Post:
        """Give the direct message that reminds somebody, with all that is needed to play."""
        words, desk = self._client.words, self._client.desk
        lines = [
            words("reminder.direct", match=view.id, place=people.channel_mention(view.place)),
            *desk.outline(view),
        ]
        return await desk.letter(
            view,
            lines,
            looks.seen(chosen, looks.own_side(chosen, view.seat(announcement.to or ""))),
            *self._playing(view),
            ViewButton.labelled(words("button.view"), own_mark(announcement)),
            link(words("button.go"), people.place_url(view.server, view.place)),
        )

    def _playing(self, view: MatchView) -> list[Press]:
        if view.state is not MatchState.FISTS:
            return self._client.desk.playing(view)
        label = self._client.words("button.fists")
        return [FistsButton.labelled(label, f"fists1:{view.id}", Style.primary)]

    def _call(self, announcement: Announcement, view: MatchView) -> Post:
        """Give the post that reminds somebody where the match is played, calling nobody else."""
        words, to = self._client.words, announcement.to or ""
        text = words(
            "reminder.public_fists" if view.state is MatchState.FISTS else "reminder.public",
            who=people.mention(to),
            match=view.id,
            time=wording.standing(words, view),
        )
        own = ViewButton.labelled(words("button.view"), own_mark(announcement))
        return Post(text, None, lambda: row(own), (to,))

    async def _digest(self, announcement: Announcement) -> PostId | None:
        """Tell what went on in the matches that somebody follows."""
        client = self._client
        post = await digest_post(client, news_of(announcement), own_mark(announcement))
        return await self._follower(announcement, post, [news.match for news in news_of(announcement)])

    async def _tell_follower(self, announcement: Announcement) -> PostId | None:
        """Tell somebody who follows a match what was told to all."""
        client = self._client
        view = await client.matches.view_of(announcement, now=client.now())
        chosen = await client.matches.people.preferences(announcement.to or "")
        words, seat = client.words, view.seat(announcement.to or "")
        leave = [] if view.result else [LeaveButton.of(words, view.id)]
        post = await client.desk.letter(
            view,
            client.desk.outline(view),
            looks.seen(chosen, looks.own_side(chosen, seat)),
            ViewButton.labelled(words("button.view"), own_mark(announcement)),
            *leave,
            link(words("button.go"), people.place_url(view.server, view.place)),
        )
        return await self._follower(announcement, post, [view.id])

    async def _follower(
        self, announcement: Announcement, post: Post, numbers: list[MatchId]
    ) -> PostId | None:
        """Tell somebody what they follow; who takes no messages follows no longer."""
        client, account = self._client, announcement.to or ""
        sent = await self._direct(announcement, post)
        if sent is None:
            for match in numbers:
                with suppress(NotFollowed):
                    await client.matches.following.leave(match, account, now=client.now())
        return sent

    async def _direct(self, announcement: Announcement, post: Post) -> PostId | None:
        """Send a direct message; None where the person takes none."""
        try:
            channel = await conversation(self._client, announcement.to or "")
            return await self._send(announcement, channel, post)
        except discord.HTTPException as error:
            if not is_closed(error):
                raise
            log.info("letter.closed", announcement=announcement.id)
            return None

    async def _send(
        self,
        announcement: Announcement,
        channel: discord.DMChannel | discord.PartialMessageable,
        post: Post,
    ) -> PostId:
        """Send it, unless an earlier try, whose answer was lost, has done so."""
        found = await find(self._client, channel, announcement) if announcement.attempts > 1 else None
        if found is not None:
            return found
        message = await channel.send(**post.new(), nonce=f"rayuela-{announcement.id}")
        log.info("announcement.sent", announcement=announcement.id, message=message.id)
        return PostId(channel.id, message.id)
