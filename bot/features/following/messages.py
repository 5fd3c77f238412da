"""Direct messages to followers of a match: what happened in it, and the daily digest."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bot.features.following.followed_list import FollowedListButton, UnfollowButton
from bot.posts import formatting, pictures
from bot.posts.announcement_posts import marker_id
from bot.posts.post import Post, fit_lines
from bot.posts.view_button import ViewButton
from bot.ui.buttons import link_button, view_of
from matches import AnnouncementKind, MatchId, MatchUnknown, NotFollowed, digest_items

if TYPE_CHECKING:
    from bot.context import BotClient
    from matches import Announcement, DigestItem, MatchView


async def build_follower_post(client: BotClient, announcement: Announcement) -> Post:
    """Return the direct message that an announcement to one follower asks for."""
    if announcement.kind is AnnouncementKind.DIGEST:
        return await _build_digest_post(client, announcement)
    return await _build_news_post(client, announcement)


async def unfollow_refused(client: BotClient, announcement: Announcement) -> None:
    """Unfollow what an announcement is about, because the follower accepts no direct messages."""
    if announcement.kind is AnnouncementKind.DIGEST:
        followed = [item.match for item in digest_items(announcement)]
    else:
        followed = [MatchId(announcement.match or 0)]
    for match in followed:
        with suppress(NotFollowed):
            await client.matches.following.unfollow(match, announcement.to or "", now=client.now())


async def _build_news_post(client: BotClient, announcement: Announcement) -> Post:
    """Return the message about one event in a match."""
    view = await client.matches.views.at_announcement(announcement)
    preferences = await client.matches.preferences.get(announcement.to or "")
    texts, seat = client.texts, view.seat(announcement.to or "")
    unfollow_buttons = [] if view.result else [UnfollowButton.of(texts, view.id)]
    return await client.board_posts.private_post(
        view,
        client.board_posts.format_outline(view),
        pictures.build_render_options(preferences, pictures.resolve_bottom_side(preferences, seat)),
        ViewButton.create(texts("button.view"), marker_id(announcement)),
        *unfollow_buttons,
        link_button(texts("button.go_to_match"), formatting.place_url(view)),
    )


async def _build_digest_post(client: BotClient, announcement: Announcement) -> Post:
    """Return the digest; the custom_id of its button identifies it when the outbox searches for it."""
    texts = client.texts
    lines = [
        _format_line(client, item, await _load_view(client, item)) for item in digest_items(announcement)
    ]
    text = fit_lines(texts, texts("digest.heading"), lines, "digest.more")
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


def _format_line(client: BotClient, news: DigestItem, view: MatchView) -> str:
    texts = client.texts
    return texts(
        "digest.line",
        match=view.id,
        url=formatting.place_url(view),
        game=texts(f"game.{view.game}.name"),
        moves=texts("digest.moves", count=news.ply - news.since) if news.ply > news.since else "",
        status=formatting.format_status(texts, view),
        **formatting.seat_values(texts, view),
    )
