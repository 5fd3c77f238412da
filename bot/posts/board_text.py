"""A board as text, for players who use a screen reader: the cells of each kind of piece, and a diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render
from bot.ui.markdown import DiscordText
from i18n.match_texts import describe_pieces

if TYPE_CHECKING:
    from engine.game import Position
    from i18n import Texts

CODE_BLOCK = "```\n{}\n```"


def describe_board(
    texts: Texts, position: Position, render_options: render.RenderOptions, max_length: int
) -> list[str]:
    """Return the lines of a board: the cells of each kind of piece, then the diagram.

    One of the two is left out if the lines would exceed `max_length` characters: the diagram, or the cells of
    a board with very many pieces.
    """
    scene = render.build_scene(position, render_options)
    lines = list(describe_pieces(texts, position))
    diagram = DiscordText(CODE_BLOCK.format(render.to_text(scene)))
    for shown in ([*lines, diagram], lines):
        if len(texts.join(shown, "list.lines")) <= max_length:
            return shown
    return [diagram]
