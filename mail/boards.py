"""The board of a match for a mail: as a picture, in words, and as lines of signs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import render
from i18n.match_texts import describe_pieces
from mail.message import Board
from matches import BoardOrientation
from metrics import Stage

if TYPE_CHECKING:
    from i18n import Texts
    from mail.context import MailContext
    from matches import MatchView, Preferences

PICTURE_WIDTH = 640  # pixels


async def draw_board(
    context: MailContext, texts: Texts, view: MatchView, account: str, preferences: Preferences
) -> Board | None:
    """Return the board of a view as an account wants to see it; None if there is none yet."""
    position = view.position
    if position is None:
        return None
    seat = view.seat(account)
    is_posted = preferences.orientation is BoardOrientation.POSTED
    options = render.RenderOptions(
        texts,
        None if is_posted or seat is None else seat.side,
        render.ThemeName(preferences.theme),
        width=PICTURE_WIDTH,
        last_turn=view.latest_events,
        large_labels=preferences.large,
        is_over=view.result is not None,
    )

    def draw() -> tuple[bytes, str]:
        scene = render.build_scene(position, options)
        return render.to_png(scene), render.to_text(scene)

    with context.matches.metrics.time(Stage.PICTURE):
        png, diagram = await asyncio.to_thread(draw)
    # The last words keep a line with a single cell, which could be a move, from ending the text.
    description = (*describe_pieces(texts, position), texts("mail.board.whole"))
    return Board(png, description, diagram)
