"""A board as text, for players who use a screen reader: the cells of each kind of piece, and a diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import PieceGroup, Position
    from i18n import Texts

CODE_BLOCK = "```\n{}\n```"


def describe_board(
    texts: Texts, position: Position, render_options: render.RenderOptions, max_length: int
) -> list[str]:
    """Return the lines of a board: the cells of each kind of piece, then the diagram.

    The diagram is left out if the lines would exceed `max_length` characters.
    """
    scene = render.build_scene(position, render_options)
    lines = list(_describe_pieces(texts, position))
    diagram = CODE_BLOCK.format(render.to_text(scene))
    length = len(texts.join([*lines, diagram], "list.lines"))
    return [*lines, diagram] if length <= max_length else lines


def _describe_pieces(texts: Texts, position: Position) -> Iterator[str]:
    """Yield a sentence for each group of pieces, in the game's own words."""
    for group in position.piece_groups:
        name = "" if group.side is None else texts(f"side.{group.side}")
        yield texts.for_game(
            position.vocabulary,
            f"board_text.{group.kind}" if group.cells else "board_text.none",
            side=name,
            **_cell_values(texts, group),
        )


def _cell_values(texts: Texts, group: PieceGroup) -> dict[str, str | int]:
    listed = texts.join(group.cells, "list.comma")
    return {"count": len(group.cells), "cells": listed, "cell": listed}
