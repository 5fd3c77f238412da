"""The daily digest: what went on in the matches that somebody follows, in one message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.following.followed_list import FollowedListButton
from bot.posts import formatting
from bot.posts.post import Post, fit_lines
from bot.ui import ids
from bot.ui.buttons import view_of
from matches import MatchUnknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.client import Rayuela
    from matches import DigestItem, MatchView


async def build_digest_post(client: Rayuela, news: Sequence[DigestItem], marker: str) -> Post:
    """Return the message, with a button by whose id, `marker`, it is found again."""
    texts = client.texts
    lines = [_format_line(client, one, await _load_view(client, one)) for one in news]
    text = fit_lines(texts, texts("digest.heading"), lines, "digest.more")
    button = FollowedListButton.create(texts("button.watched"), marker)
    return Post(text, None, lambda: view_of(button))


async def _load_view(client: Rayuela, news: DigestItem) -> MatchView:
    """Return a match as it stood when the digest was made, or as it stands if that is no more."""
    now = client.now()
    view = await client.matches.view(news.match, now=now)
    if view.ply <= news.ply:
        return view
    try:
        return await client.matches.view(news.match, ply=news.ply, now=now)
    except MatchUnknown:
        return view


def _format_line(client: Rayuela, news: DigestItem, view: MatchView) -> str:
    texts = client.texts
    return texts(
        "digest.line",
        match=view.id,
        url=ids.channel_url(view.server, view.channel),
        game=formatting.format_game(texts, view),
        moves=texts("digest.moves", count=news.ply - news.since) if news.ply > news.since else "",
        status=formatting.format_status(texts, view),
        **formatting.seat_values(texts, view),
    )
