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

    The diagram is left out if the lines would exceed `max_length` characters.
    """
    scene = render.build_scene(position, render_options)
    lines = list(describe_pieces(texts, position))
    diagram = DiscordText(CODE_BLOCK.format(render.to_text(scene)))
    length = len(texts.join([*lines, diagram], "list.lines"))
    return [*lines, diagram] if length <= max_length else lines
