"""What the last turn did, and what a picker marks: trails, rings, dots, numbers."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING

from engine.game import EventKind
from render.scene import Disc, Figure, Patch, Stamp, Stroke

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.frame import Frame
    from render.scene import Colour, Point
    from render.themes import Theme
    from render.view import View


def above(frame: Frame, look: Theme, view: View) -> Iterator[Figure]:
    """Give what lies over the stones."""
    for event in view.last:
        if event.kind is EventKind.MOVE:
            yield from arrow(frame.centre(event.cells[0]), frame.centre(event.cells[1]), frame.cell, look)
        elif event.kind is EventKind.CAPTURE:
            for cell in event.cells:
                yield Figure(ring(frame.cell, look.light, look.ink), *frame.centre(cell))


def arrow(start: Point, end: Point, cell: int, look: Theme) -> Iterator[Figure]:
    """Give a trail from `start` to the rim of what stands at `end`, cut into steps of a cell each."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    far = length - 0.56 * cell
    steps = max(1, round(length / (cell * max(abs(ux), abs(uy)) ** -1)))
    stride = length / steps
    for colour, width in ((look.ink, 0.17), (look.light, 0.1)):
        for step in range(steps):
            reach = min(stride, far - step * stride)
            if reach > 0:
                yield Figure(
                    _step(round(ux * reach, 3), round(uy * reach, 3), colour, width * cell),
                    start[0] + ux * step * stride,
                    start[1] + uy * step * stride,
                )
    tip = length - 0.30 * cell
    head = _head(round(ux, 6), round(uy, 6), cell, look.light, look.ink)
    yield Figure(head, start[0] + ux * tip, start[1] + uy * tip)


@lru_cache(maxsize=512)
def _step(x: float, y: float, colour: Colour, width: float) -> Stamp:
    return Stamp((Stroke(((0, 0), (x, y)), colour, width),))


@lru_cache(maxsize=128)
def _head(ux: float, uy: float, cell: int, fill: Colour, line: Colour) -> Stamp:
    outer, inner = (
        _barb(ux, uy, 0.38 * cell, 0.24 * cell, 0.06 * cell),
        _barb(ux, uy, 0.28 * cell, 0.16 * cell, 0),
    )
    return Stamp((Patch(outer, line), Patch(inner, fill)))


def _barb(ux: float, uy: float, length: float, half: float, ahead: float) -> tuple[Point, ...]:
    back = ahead - length
    return (
        (ux * ahead, uy * ahead),
        (ux * back - uy * half, uy * back + ux * half),
        (ux * back + uy * half, uy * back - ux * half),
    )


@lru_cache(maxsize=64)
def ring(cell: int, light: Colour, dark: Colour) -> Stamp:
    """Give a ring around a stone."""
    return Stamp(
        (
            Disc(0, 0, 0.46 * cell, None, dark, 0.12 * cell),
            Disc(0, 0, 0.44 * cell, None, light, 0.07 * cell),
        )
    )
