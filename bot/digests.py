"""The daily digest: what went on in the matches that somebody follows, in one message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people, telling
from bot.following.lists import FollowedButton
from bot.lists import fitted
from bot.posts import Post
from bot.presses import row
from matches import MatchUnknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.client import Rayuela
    from matches import MatchView, News


async def digest_post(client: Rayuela, news: Sequence[News], mark: str) -> Post:
    """Give the message, with a button by whose id, `mark`, it is found again."""
    words = client.words
    lines = [_line(client, one, await _view(client, one)) for one in news]
    text = fitted(words, words("digest.heading"), lines, "digest.more")
    button = FollowedButton.labelled(words("button.followed"), mark)
    return Post(text, None, lambda: row(button))


async def _view(client: Rayuela, news: News) -> MatchView:
    """Give a match as it stood when the digest was made, or as it stands if that is no more."""
    now = client.now()
    view = await client.matches.view(news.match, now=now)
    if view.ply <= news.ply:
        return view
    try:
        return await client.matches.view(news.match, at=news.ply, now=now)
    except MatchUnknown:
        return view


def _line(client: Rayuela, news: News, view: MatchView) -> str:
    words = client.words
    return words(
        "digest.line",
        match=view.id,
        url=people.place_url(view.server, view.place),
        game=telling.game(words, view),
        moves=words("digest.moves", count=news.ply - news.since) if news.ply > news.since else "",
        standing=telling.standing(words, view),
        **telling.seats(words, view),
    )
