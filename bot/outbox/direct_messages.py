"""What is told to one person: by direct message, or, where they take none, where the match is played.

A direct message that was cut short may have arrived all the same, so it is looked for before it is sent
again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import discord
import structlog

from bot.features.following.followed_list import UnwatchButton
from bot.features.simultaneous_choice import SimultaneousChoiceButton
from bot.outbox.dedupe import find_sent_message
from bot.outbox.digests import build_digest_post
from bot.posts import pictures
from bot.posts.announcement_posts import marker_id
from bot.posts.post import Post
from bot.posts.view_button import ViewButton
from bot.ui import clock_formatting, ids
from bot.ui.buttons import Style, link_button, view_of
from bot.ui.ids import PostId
from matches import AnnouncementKind, MatchId, MatchState, NotFollowed, ReminderChannel, digest_items

if TYPE_CHECKING:
    from bot.client import Rayuela
    from bot.ui.buttons import PersistentButton
    from matches import Announcement, MatchView, Preferences


log = structlog.stdlib.get_logger(__name__)


class DirectMessageSender:
    """Sends announcements that are for one person."""

    def __init__(self, client: Rayuela) -> None:
        self._client = client

    async def send(self, announcement: Announcement) -> PostId | None:
        """Send one; give where it stands, or None where it is not to be sent any more.

        Raises what keeps Discord from being reached.
        """
        match announcement.kind:
            case AnnouncementKind.REMINDED:
                return await self._send_reminder(announcement)
            case AnnouncementKind.DIGEST:
                return await self._send_digest(announcement)
            case _:
                return await self._send_news(announcement)

    async def _send_reminder(self, announcement: Announcement) -> PostId | None:
        """Remind a person for whom a match still waits, as they like it best by now."""
        client = self._client
        preferences = await client.matches.preferences.get(announcement.to or "")
        if (
            preferences.reminder_channel is ReminderChannel.OFF
            or not await client.matches.reminders.is_still_due(announcement)
        ):
            return None
        view = await client.matches.view(MatchId(announcement.match or 0), now=client.now())
        if preferences.reminder_channel is ReminderChannel.DIRECT:
            sent = await self._send_direct(
                announcement, await self._build_reminder(announcement, view, preferences)
            )
            if sent is not None:
                return sent
        channel = client.get_partial_messageable(
            ids.snowflake(view.channel), guild_id=ids.snowflake(view.server)
        )
        return await self._send_once(announcement, channel, self._build_public_reminder(announcement, view))

    async def _build_reminder(
        self, announcement: Announcement, view: MatchView, preferences: Preferences
    ) -> Post:
        """Return the direct message that reminds somebody, with all that is needed to play."""
        texts, board_posts = self._client.texts, self._client.board_posts
        lines = [
            texts("reminder.direct", match=view.id, channel=ids.channel_mention(view.channel)),
            *board_posts.format_outline(view),
        ]
        return await board_posts.private_post(
            view,
            lines,
            pictures.build_render_options(
                preferences, pictures.resolve_bottom_side(preferences, view.seat(announcement.to or ""))
            ),
            *self._move_buttons(view),
            ViewButton.create(texts("button.view"), marker_id(announcement)),
            link_button(texts("button.go_to_match"), ids.channel_url(view.server, view.channel)),
        )

    def _move_buttons(self, view: MatchView) -> list[PersistentButton]:
        if view.state is not MatchState.CHOOSING:
            return self._client.board_posts.move_buttons(view)
        label = self._client.texts("button.fists")
        return [SimultaneousChoiceButton.create(label, f"fists1:{view.id}", Style.primary)]

    def _build_public_reminder(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the post that reminds somebody where the match is played, calling nobody else."""
        texts, account = self._client.texts, announcement.to or ""
        text = texts(
            "reminder.public_choosing" if view.state is MatchState.CHOOSING else "reminder.public",
            mention=ids.user_mention(account),
            match=view.id,
            time=clock_formatting.describe_match_time(texts, view),
        )
        view_button = ViewButton.create(texts("button.view"), marker_id(announcement))
        return Post(text, None, lambda: view_of(view_button), (account,))

    async def _send_digest(self, announcement: Announcement) -> PostId | None:
        """Tell what went on in the matches that somebody follows."""
        client = self._client
        post = await build_digest_post(client, digest_items(announcement), marker_id(announcement))
        return await self._send_to_follower(
            announcement, post, [news.match for news in digest_items(announcement)]
        )

    async def _send_news(self, announcement: Announcement) -> PostId | None:
        """Tell somebody who follows a match what was told to all."""
        client = self._client
        view = await client.matches.view_at(announcement, now=client.now())
        preferences = await client.matches.preferences.get(announcement.to or "")
        texts, seat = client.texts, view.seat(announcement.to or "")
        unwatch_buttons = [] if view.result else [UnwatchButton.of(texts, view.id)]
        post = await client.board_posts.private_post(
            view,
            client.board_posts.format_outline(view),
            pictures.build_render_options(preferences, pictures.resolve_bottom_side(preferences, seat)),
            ViewButton.create(texts("button.view"), marker_id(announcement)),
            *unwatch_buttons,
            link_button(texts("button.go_to_match"), ids.channel_url(view.server, view.channel)),
        )
        return await self._send_to_follower(announcement, post, [view.id])

    async def _send_to_follower(
        self, announcement: Announcement, post: Post, match_ids: list[MatchId]
    ) -> PostId | None:
        """Tell somebody what they follow; who takes no messages follows no longer."""
        client, account = self._client, announcement.to or ""
        sent = await self._send_direct(announcement, post)
        if sent is None:
            for match in match_ids:
                with suppress(NotFollowed):
                    await client.matches.following.unfollow(match, account, now=client.now())
        return sent

    async def _send_direct(self, announcement: Announcement, post: Post) -> PostId | None:
        """Send a direct message; None where the person takes none."""
        try:
            channel = await open_dm_channel(self._client, announcement.to or "")
            return await self._send_once(announcement, channel, post)
        except discord.HTTPException as error:
            if not is_dm_refused(error):
                raise
            log.info("letter.closed", announcement=announcement.id)
            return None

    async def _send_once(
        self,
        announcement: Announcement,
        channel: discord.DMChannel | discord.PartialMessageable,
        post: Post,
    ) -> PostId:
        """Send it, unless an earlier try, whose answer was lost, has done so."""
        found = (
            await find_sent_message(self._client, channel, announcement)
            if announcement.attempts > 1
            else None
        )
        if found is not None:
            return found
        message = await channel.send(**post.send_arguments(), nonce=f"rayuela-{announcement.id}")
        log.info("announcement.sent", announcement=announcement.id, message=message.id)
        return PostId(channel.id, message.id)


# Discord's ways to say that somebody takes no messages from the bot, or is no more.
DM_REFUSED_CODES = frozenset({50007, 50278, 10013})


def is_dm_refused(error: discord.HTTPException) -> bool:
    """Return whether Discord says that a person takes no direct messages from us."""
    return error.code in DM_REFUSED_CODES


async def open_dm_channel(client: Rayuela, account: str) -> discord.DMChannel:
    """Return the conversation with a person, opened if need be. Raises discord.HTTPException."""
    return await client.create_dm(discord.Object(ids.snowflake(account)))
