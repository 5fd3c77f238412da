"""Where a match is played, as Discord text, and where its latest board is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import ids, markdown
from i18n.writing import Url

if TYPE_CHECKING:
    from i18n import Texts
    from matches import MatchSummary, MatchView


def describe_place(texts: Texts, match: MatchView | MatchSummary) -> str:
    """Return where a match is played: a mention of its channel, or that it is in direct messages."""
    if ids.is_in_direct_messages(match):
        return texts("place.direct")
    return markdown.channel_mention(match.channel)


def format_earlier_board(texts: Texts, view: MatchView, latest: MatchSummary) -> str:
    """Return the sentence that a board is not the latest one, with a link to that."""
    key = "board.taken_back" if view.is_taken_back else "board.earlier" if view.ply else "board.first"
    return texts(key, ply=view.ply, latest=latest.ply, url=Url(ids.latest_post_url(latest)))
