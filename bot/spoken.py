"""A board in words: what stands where, for those who hear or feel what they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Position
    from words import Words

EMPTY = ". "  # signs of cells on which nothing stands
FENCE = "```\n{}\n```"


def board(words: Words, position: Position, seen: render.View, room: int) -> list[str]:
    """Give a board in lines: each side's cells by name, then, if `room` characters hold it, the diagram."""
    scene = render.scene(position, seen)
    lines = _lines(words, position, _cells(scene))
    diagram = FENCE.format(render.text(scene))
    length = len(words.listed([*lines, diagram], "list.lines"))
    return [*lines, diagram] if length <= room else lines


def _lines(words: Words, position: Position, cells: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Tell whose stones stand where, and what stands in the middle; signs are the sides' first letters."""
    lines, idiom = [], position.idiom
    for side in position.game.sides:
        name, found = words(f"side.{side}"), cells.get(side[0], ())
        listed = words.listed(found, "list.comma")
        key = "spoken.stones" if found else "spoken.none"
        lines.append(words.told(idiom, key, side=name, count=len(found), cells=listed))
        towers = cells.get(side[0].upper(), ())
        lines += [words.told(idiom, "spoken.tower", side=name, cell=cell) for cell in towers]
    lines += [words.told(idiom, "spoken.centre", cell=cell) for cell in cells.get("*", ())]
    return lines


def _cells(scene: render.Scene) -> dict[str, tuple[str, ...]]:
    """Give the cells that bear each sign, by file and rank."""
    diagram = scene.diagram
    found: dict[str, list[tuple[str, int]]] = {}
    for rank, row in zip(diagram.ranks, diagram.rows, strict=True):
        for file, sign in zip(diagram.files, row, strict=True):
            if sign not in EMPTY:
                found.setdefault(sign, []).append((file, int(rank)))
    return {sign: tuple(f"{file}{rank}" for file, rank in sorted(cells)) for sign, cells in found.items()}
