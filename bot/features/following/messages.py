"""Direct messages to followers of a match: what happened in it, and the daily digest."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bot.features.following.followed_list import FollowedListButton, UnfollowButton, unfollow_hidden
from bot.posts import pictures
from bot.posts.announcement_posts import marker_id
from bot.posts.post import Post, fit_lines
from bot.posts.view_button import ViewButton
from bot.ui import ids
from bot.ui.buttons import link_button, view_of
from i18n import match_texts
from i18n.announcements import describe_digest, describe_unfollowed
from matches import AnnouncementKind, MatchId, MatchUnknown, NotFollowed, digest_items

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.context import BotClient
    from bot.ui.access import MemberLookup
    from matches import Announcement, DigestItem, MatchView


async def build_follower_post(
    client: BotClient, announcement: Announcement, members: MemberLookup
) -> Post | None:
    """Return the direct message that an announcement to one follower asks for.

    Of a match that the follower may not see any more, it says only that following has ended; None if that
    was said before.
    """
    if announcement.kind is AnnouncementKind.DIGEST:
        return await _build_digest_post(client, announcement, members)
    view = await client.matches.views.at_announcement(announcement)
    if not await members.can_see(announcement.to or "", view):
        return await _build_farewell_post(client, announcement, [view.id])
    return await _build_news_post(client, announcement, view)


async def unfollow_refused(client: BotClient, announcement: Announcement) -> None:
    """Unfollow what an announcement is about, because the follower accepts no direct messages."""
    if announcement.kind is AnnouncementKind.DIGEST:
        followed = [item.match for item in digest_items(announcement)]
    else:
        followed = [MatchId(announcement.match or 0)]
    for match in followed:
        with suppress(NotFollowed):
            await client.matches.people.following.unfollow(match, announcement.to or "", now=client.now())


async def _build_farewell_post(
    client: BotClient, announcement: Announcement, hidden: Sequence[MatchId]
) -> Post | None:
    """Unfollow matches that the follower may not see any more, and return the message that says so.

    The announcements of these matches to the follower that were not sent yet are dropped, except this one.
    """
    if not await unfollow_hidden(client, announcement.to or "", hidden):
        return None
    texts = client.texts
    marker = (
        FollowedListButton.create(texts("button.watched"), marker_id(announcement))
        if announcement.kind is AnnouncementKind.DIGEST
        else ViewButton.create(texts("button.view"), marker_id(announcement))
    )
    return Post(describe_unfollowed(texts, hidden), None, lambda: view_of(marker))


async def _build_news_post(client: BotClient, announcement: Announcement, view: MatchView) -> Post:
    """Return the message about one event in a match."""
    preferences = await client.matches.people.preferences.get(announcement.to or "")
    texts, seat = client.texts, view.seat(announcement.to or "")
    unfollow_buttons = [] if view.result else [UnfollowButton.of(texts, view.id)]
    lines = match_texts.format_outline(texts, view, client.games[view.game])
    if preferences.boards_as_text and view.position is not None:
        lines += match_texts.describe_pieces(texts, view.position)
    return await client.board_posts.private_post(
        view,
        lines,
        pictures.build_render_options(texts, preferences, seat),
        ViewButton.create(texts("button.view"), marker_id(announcement)),
        *unfollow_buttons,
        link_button(texts("button.go_to_match"), ids.place_url(view)),
    )


async def _build_digest_post(
    client: BotClient, announcement: Announcement, members: MemberLookup
) -> Post | None:
    """Return the digest; the custom_id of its button identifies it when the outbox searches for it."""
    texts, account = client.texts, announcement.to or ""
    news: list[tuple[MatchView, int, str]] = []
    hidden: list[MatchId] = []
    for item in digest_items(announcement):
        view = await _load_view(client, item)
        if await members.can_see(account, view):
            news.append((view, item.ply - item.since, ids.place_url(view)))
        else:
            hidden.append(item.match)
    if not news:
        return await _build_farewell_post(client, announcement, hidden)
    ended = hidden if await unfollow_hidden(client, account, hidden) else ()
    heading, *lines = describe_digest(texts, news, ended)
    text = fit_lines(texts, heading, lines, "digest.more")
    button = FollowedListButton.create(texts("button.watched"), marker_id(announcement))
    return Post(text, None, lambda: view_of(button))


async def _load_view(client: BotClient, news: DigestItem) -> MatchView:
    """Return a match as it was when the digest was made, or its latest state if those moves were undone."""
    now = client.now()
    view = await client.matches.view(news.match, now=now)
    if view.ply <= news.ply:
        return view
    try:
        return await client.matches.view(news.match, ply=news.ply, now=now)
    except MatchUnknown:
        return view
