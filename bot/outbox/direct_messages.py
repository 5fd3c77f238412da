"""Direct messages: reminders, and messages to followers of a match.

Where a player accepts no direct messages, a reminder is posted in the match's channel instead. A direct
message whose delivery is uncertain may have arrived, so the conversation is searched before a retry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import discord
import structlog

from bot.outbox.dedupe import find_sent_message
from bot.posts import pictures
from bot.posts.announcement_posts import CHALLENGE_EDIT_KINDS, marker_id
from bot.posts.places import describe_place
from bot.posts.post import Post
from bot.posts.view_button import ViewButton
from bot.ui import ids
from bot.ui.access import MemberLookup
from bot.ui.buttons import link_button, view_of
from bot.ui.ids import PostId
from i18n.announcements import (
    describe_challenge_copy,
    describe_mention_instead,
    describe_public_reminder,
    describe_reminder,
)
from matches import (
    AnnouncementKind,
    ChallengeState,
    MatchId,
    MatchState,
    MoveReason,
    NoticeKind,
    Way,
)
from matches.notices.values import notice_kind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.context import BotClient
    from matches import Announcement, MatchView, Preferences

log = structlog.stdlib.get_logger(__name__)

# Discord's error codes for a user who accepts no messages from the bot, or no longer exists.
DM_REFUSED_CODES = frozenset({50007, 50278, 10013})


class ContactUnknown(OSError):  # noqa: N818 - not an error: the message has to wait
    """Whether the player whom it is about can be told is being tried now."""


@dataclass(frozen=True, slots=True)
class FollowerMessages:
    """How followers are notified: `build` returns the message, `on_refused` runs if Discord refuses it.

    `build` returns None for a message that has become obsolete.
    """

    build: Callable[[BotClient, Announcement, MemberLookup], Awaitable[Post | None]]
    on_refused: Callable[[BotClient, Announcement], Awaitable[None]]


def is_dm_refused(error: discord.HTTPException) -> bool:
    """Return whether Discord reports that a user accepts no direct messages from the bot."""
    return error.code in DM_REFUSED_CODES


async def open_dm_channel(client: BotClient, account: str) -> discord.DMChannel:
    """Return the direct message channel of an account, created if needed. Raises discord.HTTPException."""
    return await client.create_dm(discord.Object(ids.snowflake(account)))


class DirectMessageSender:
    """Sends announcements that are addressed to one person."""

    def __init__(self, client: BotClient, follower_messages: FollowerMessages | None) -> None:
        self._client = client
        self._follower_messages = follower_messages
        self._members = MemberLookup(client)

    def begin_pass(self) -> None:
        """Ask Discord again who may see which match."""
        self._members.forget()

    async def send(self, announcement: Announcement) -> PostId | None:
        """Send one announcement and return its post; None if it must not be sent any more.

        Raises bot.ui.interactions.DELIVERY_ERRORS if Discord cannot be reached.
        """
        if announcement.is_direct:
            return await self._send_to_player(announcement)
        if announcement.kind is AnnouncementKind.REMINDED:
            return await self._send_reminder(announcement)
        private = self._client.announcement_renderer.render_private_post(announcement)
        if private is not None:
            return await self._send_direct(announcement, private)
        if self._follower_messages is None:
            return None
        post = await self._follower_messages.build(self._client, announcement, self._members)
        if post is None:
            return None
        sent = await self._send_direct(announcement, post)
        if sent is None:
            await self._follower_messages.on_refused(self._client, announcement)
        return sent

    async def _send_to_player(self, announcement: Announcement) -> PostId | None:
        """Send a player's copy of an announcement; who is not called by it gets no notification.

        Somebody who accepts no direct messages is mentioned in the channel instead, if there is one and
        nothing else reaches them. Otherwise that raises discord.HTTPException.
        """
        try:
            if announcement.tournament is not None:
                return await self._send_news(announcement)
            return await self._send_copy(announcement)
        except discord.HTTPException as error:
            channel = await self._find_channel(announcement) if is_dm_refused(error) else None
            if channel is None:
                raise
            return await self._send_once(announcement, channel, self._build_mention(announcement))

    async def _find_channel(self, announcement: Announcement) -> discord.PartialMessageable | None:
        """Return the channel where to mention somebody whose copy was refused; None if that helps nobody."""
        client, account = self._client, announcement.to or ""
        is_over = False
        if announcement.match is not None:
            view = await client.matches.view(announcement.match, now=client.now())
            is_public, is_over = not ids.is_in_direct_messages(view), view.state is MatchState.OVER
            server, channel = view.server, view.channel
        else:
            is_public = ids.is_from_discord(announcement.channel) and "reason" not in announcement.details
            server, channel = announcement.server, announcement.channel
        if not is_public or account not in announcement.recipients or announcement.is_quiet:
            return None
        choice = await client.matches.people.notices.choices(account)
        reach = await client.matches.people.notices.reach(account)
        if choice.ways[notice_kind(announcement.kind, is_over=is_over)] & reach.ways != {Way.DIRECT}:
            return None
        return client.get_partial_messageable(ids.snowflake(channel), guild_id=ids.snowflake(server))

    def _build_mention(self, announcement: Announcement) -> Post:
        """Return the post that calls somebody to the post of an announcement."""
        texts, account = self._client.texts, announcement.to or ""
        text = describe_mention_instead(texts, account)
        if announcement.match is None:  # its button would accept the challenge
            return Post(text, mentions=(account,))
        view_button = ViewButton.create(texts("button.view"), marker_id(announcement))
        return Post(text, None, lambda: view_of(view_button), (account,))

    async def _send_news(self, announcement: Announcement) -> PostId | None:
        """Tell an entrant something about a tournament. Raises as :meth:`_send_copy` does."""
        post = await self._client.announcement_renderer.render_tournament_post(announcement)
        if post is None:
            return None
        channel = await open_dm_channel(self._client, announcement.to or "")
        return await self._send_once(announcement, channel, post, silent=announcement.is_quiet)

    async def _send_copy(self, announcement: Announcement) -> PostId | None:
        """Send a player's copy of an announcement. Raises discord.HTTPException also if it is refused."""
        client = self._client
        if announcement.challenge is not None:
            challenge = await client.matches.challenges.find(announcement.challenge, now=client.now())
            if announcement.kind in CHALLENGE_EDIT_KINDS:
                post = client.announcement_renderer.render_closing_post(announcement, challenge)
                return await self._send_once(
                    announcement, await open_dm_channel(client, announcement.to or ""), post
                )
            has_returned = announcement.details.get("reason") == MoveReason.REMOVED and client.get_guild(
                ids.snowflake(challenge.server)
            )
            if challenge.state is not ChallengeState.OPEN or (has_returned and challenge.post is not None):
                return None
            post = client.announcement_renderer.render_challenge_post(challenge)
            if challenge.note and challenge.to is not None and announcement.to == challenge.to.account:
                note = client.texts("challenge.note", by=challenge.by, note=challenge.note)
                post = replace(post, text=client.texts.join([post.text, note], "list.lines"))
            if "reason" in announcement.details:
                why = describe_challenge_copy(client.texts, challenge)
                post = replace(post, text=client.texts.join([why, post.text], "list.lines"))
        else:
            is_true = await client.matches.posting.places.is_true_still(announcement, now=client.now())
            if is_true is None:
                raise ContactUnknown(f"announcement {announcement.id} waits for another one to arrive or not")
            if not is_true:
                return None
            view = await client.matches.views.at_announcement(announcement)
            post = await client.announcement_renderer.render_match_post(announcement, view)
        channel = await open_dm_channel(client, announcement.to or "")
        if announcement.by == announcement.to:  # a response that was lost may have sent it
            found = await find_sent_message(client, channel, announcement)
            if found is not None:
                return found
        silent = announcement.is_quiet or announcement.to not in announcement.recipients
        return await self._send_once(announcement, channel, post, silent=silent)

    async def _send_reminder(self, announcement: Announcement) -> PostId | None:
        """Remind a player whose turn it still is, in the way that the player wants now."""
        client = self._client
        choice = await client.matches.people.notices.choices(announcement.to or "")
        ways, preferences = choice.ways[NoticeKind.TIME], choice.preferences
        if not ways & {Way.DIRECT, Way.CHANNEL} or not await client.matches.people.reminders.is_still_due(
            announcement
        ):
            return None
        view = await client.matches.view(MatchId(announcement.match or 0), now=client.now())
        if Way.DIRECT in ways or ids.is_in_direct_messages(view):
            sent = await self._send_direct(
                announcement, await self._build_reminder(announcement, view, preferences)
            )
            if sent is not None or ids.is_in_direct_messages(view):
                return sent
        channel = client.get_partial_messageable(
            ids.snowflake(view.channel), guild_id=ids.snowflake(view.server)
        )
        return await self._send_once(announcement, channel, self._build_public_reminder(announcement, view))

    async def _build_reminder(
        self, announcement: Announcement, view: MatchView, preferences: Preferences
    ) -> Post:
        """Return the direct message that reminds a player: the board, and the buttons to play."""
        texts, board_posts = self._client.texts, self._client.board_posts
        lines = describe_reminder(
            texts, announcement, view, self._client.games[view.game], describe_place(texts, view)
        )
        return await board_posts.private_post(
            view,
            lines,
            pictures.build_render_options(texts, preferences, view.seat(announcement.to or "")),
            *board_posts.play_buttons(view),
            ViewButton.create(texts("button.view"), marker_id(announcement)),
            link_button(texts("button.go_to_match"), ids.place_url(view)),
            account=announcement.to or "",
        )

    def _build_public_reminder(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the post that reminds a player in the match's channel; it mentions nobody else."""
        texts = self._client.texts
        view_button = ViewButton.create(texts("button.view"), marker_id(announcement))
        text = describe_public_reminder(texts, announcement, view)
        buttons = (*self._client.board_posts.play_buttons(view), view_button)
        return Post(text, None, lambda: view_of(*buttons), (announcement.to or "",))

    async def _send_direct(self, announcement: Announcement, post: Post) -> PostId | None:
        """Send a direct message; return None if the recipient accepts none."""
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
        *,
        silent: bool = False,
    ) -> PostId:
        """Send a post, unless an earlier attempt whose response was lost has sent it."""
        if announcement.attempts > 1:
            found = await find_sent_message(self._client, channel, announcement)
            if found is not None:
                return found
        message = await channel.send(
            **post.send_arguments(), silent=silent, nonce=f"rayuela-{announcement.id}"
        )
        log.info("announcement.sent", announcement=announcement.id, message=message.id)
        return PostId(channel.id, message.id)
