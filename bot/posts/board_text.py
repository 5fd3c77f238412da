"""A board as text, for players who use a screen reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Position
    from i18n import Texts

EMPTY_SIGNS = ". "  # signs of empty cells
CODE_BLOCK = "```\n{}\n```"


def describe_board(
    texts: Texts, position: Position, render_options: render.RenderOptions, max_length: int
) -> list[str]:
    """Return the lines of a board: the cells of each side, then the diagram.

    The diagram is left out if the lines would exceed `max_length` characters.
    """
    scene = render.build_scene(position, render_options)
    lines = _describe_stones(texts, position, _cells_by_sign(scene))
    diagram = CODE_BLOCK.format(render.to_text(scene))
    length = len(texts.join([*lines, diagram], "list.lines"))
    return [*lines, diagram] if length <= max_length else lines


def _describe_stones(texts: Texts, position: Position, cells: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return lines with the cells of each kind of piece; the diagram marks sides by their first letters."""
    lines, vocabulary = [], position.vocabulary
    for side in position.game.sides:
        name, found = texts(f"side.{side}"), cells.get(side[0], ())
        listed = texts.join(found, "list.comma")
        key = "spoken.stones" if found else "spoken.none"
        lines.append(texts.for_game(vocabulary, key, side=name, count=len(found), cells=listed))
        towers = cells.get(side[0].upper(), ())
        lines += [texts.for_game(vocabulary, "spoken.tower", side=name, cell=cell) for cell in towers]
    lines += [texts.for_game(vocabulary, "spoken.centre", cell=cell) for cell in cells.get("*", ())]
    return lines


def _cells_by_sign(scene: render.Scene) -> dict[str, tuple[str, ...]]:
    """Return the cells of each sign of the diagram, by file and rank."""
    diagram = scene.diagram
    found: dict[str, list[tuple[str, int]]] = {}
    for rank, row in zip(diagram.ranks, diagram.rows, strict=True):
        for file, sign in zip(diagram.files, row, strict=True):
            if sign not in EMPTY_SIGNS:
                found.setdefault(sign, []).append((file, int(rank)))
    return {sign: tuple(f"{file}{rank}" for file, rank in sorted(cells)) for sign, cells in found.items()}
