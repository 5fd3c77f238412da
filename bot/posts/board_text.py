"""A board in words: what stands where, for those who hear or feel what they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Position
    from i18n import Texts

EMPTY_SIGNS = ". "  # signs of cells on which nothing stands
CODE_BLOCK = "```\n{}\n```"


def describe_board(
    texts: Texts, position: Position, render_options: render.RenderOptions, max_length: int
) -> list[str]:
    """Return a board in lines.

    Each side's cells by name, then, if `max_length` characters hold it, the diagram.
    """
    scene = render.build_scene(position, render_options)
    lines = _describe_stones(texts, position, _cells_by_sign(scene))
    diagram = CODE_BLOCK.format(render.to_text(scene))
    length = len(texts.join([*lines, diagram], "list.lines"))
    return [*lines, diagram] if length <= max_length else lines


def _describe_stones(texts: Texts, position: Position, cells: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Tell whose stones stand where, and what stands in the middle; signs are the sides' first letters."""
    lines, vocabulary = [], position.vocabulary
    for side in position.game.sides:
        name, found = texts(f"side.{side}"), cells.get(side[0], ())
        listed = texts.join(found, "list.comma")
        key = "board_text.stones" if found else "board_text.none"
        lines.append(texts.for_game(vocabulary, key, side=name, count=len(found), cells=listed))
        towers = cells.get(side[0].upper(), ())
        lines += [texts.for_game(vocabulary, "board_text.tower", side=name, cell=cell) for cell in towers]
    lines += [texts.for_game(vocabulary, "board_text.centre", cell=cell) for cell in cells.get("*", ())]
    return lines


def _cells_by_sign(scene: render.Scene) -> dict[str, tuple[str, ...]]:
    """Return the cells that bear each sign, by file and rank."""
    diagram = scene.diagram
    found: dict[str, list[tuple[str, int]]] = {}
    for rank, row in zip(diagram.ranks, diagram.rows, strict=True):
        for file, sign in zip(diagram.files, row, strict=True):
            if sign not in EMPTY_SIGNS:
                found.setdefault(sign, []).append((file, int(rank)))
    return {sign: tuple(f"{file}{rank}" for file, rank in sorted(cells)) for sign, cells in found.items()}
