"""The lines of a mail of ours that a reply may quote without any mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render
from i18n.match_texts import describe_pieces
from mail.possible_answers import describe_match_answers
from mail.writing import texts_for

if TYPE_CHECKING:
    from mail.context import MailContext
    from matches import MatchView


def list_sent_lines(context: MailContext, view: MatchView, account: str, zone: str) -> list[str]:
    """Return what a mail to an account about a view says: all but its title, which is the subject."""
    texts, position = texts_for(context.texts, zone), view.position
    lines = [describe_match_answers(texts, view, context.games[view.game], account)]
    if position is not None:
        options = render.RenderOptions(texts, last_turn=view.latest_events)
        diagram = render.to_text(render.build_scene(position, options))
        lines += [*describe_pieces(texts, position), texts("mail.board.whole"), *diagram.splitlines()]
    return [line for line in lines if line.strip()]
