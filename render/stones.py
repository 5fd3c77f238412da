"""Stones and towers, seen slightly from the front: flat cylinders, and a tall one with a crown."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from render.scene import Box, Circle, Polygon, Sprite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.scene import Colour
    from render.themes import PieceColours

STONE_RADIUS = 0.385
"""Radius of a stone for a cell of 1."""

_OUTLINE_WIDTH = 0.026


@lru_cache(maxsize=64)
def stone_sprite(colours: PieceColours, cell: float) -> Sprite:
    """Return a stone for a cell `cell` pixels wide, lit from the upper left."""
    radius, line = STONE_RADIUS * cell, _OUTLINE_WIDTH * cell
    return Sprite(
        (
            *(Circle(0.02 * cell, 0.075 * cell, radius + 0.01 * cell, shade) for shade in colours.shadow),
            Circle(0, 0.05 * cell, radius, colours.edge),
            Circle(0, 0, radius, colours.outline),
            Circle(0, 0, radius - line, colours.face),
            *(Circle(0, 0, 0.29 * cell, None, shade, 0.03 * cell) for shade in colours.groove),
        ),
    )


@lru_cache(maxsize=64)
def tower_sprite(colours: PieceColours, cell: float) -> Sprite:
    """Return a crenellated tower, one and a half times as tall as its cell."""
    shapes: tuple[Box | Circle | Polygon, ...] = (
        *(Circle(0.1, 0.36, 0.42, shade, height_ratio=0.28) for shade in colours.shadow),
        *_wall(colours, 0.3, 0.37, 0.2, 0.36),
        *_wall(colours, 0.25, 0.29, -0.3, 0.22),
        Box(-0.035, -0.1, 0.07, 0.2, colours.symbol),
        Box(-_HEAD_HALF_WIDTH + 0.05, -0.66, 2 * _HEAD_HALF_WIDTH - 0.1, 0.3, colours.edge),
        *(_merlon(left, right, colours.outline, _OUTLINE_WIDTH) for left, right in _MERLONS),
        *_wall(colours, _HEAD_HALF_WIDTH, 0.27, -0.52, -0.24),
        *(_merlon(left, right, colours.face, 0) for left, right in _MERLONS),
        Box(-_HEAD_HALF_WIDTH, -0.74, 0.06, 0.24, colours.highlight),
        Box(_HEAD_HALF_WIDTH - 0.12, -0.74, 0.12, 0.24, colours.edge),
    )
    return Sprite(tuple(shape.scaled(cell) for shape in shapes))


_HEAD_HALF_WIDTH = 0.37
_MERLONS = ((-_HEAD_HALF_WIDTH, -0.19), (-0.09, 0.09), (0.19, _HEAD_HALF_WIDTH))


def _merlon(left: float, right: float, colour: Colour, line: float) -> Box:
    return Box(left - line, -0.74 - line, right - left + 2 * line, 0.24 + line, colour)


def _wall(
    colours: PieceColours, top_half_width: float, bottom_half_width: float, top: float, bottom: float
) -> Iterator[Polygon]:
    """Return a round wall between `top` and `bottom`: its outline, then stripes of light and shade."""
    yield _stripe(
        top_half_width + _OUTLINE_WIDTH,
        bottom_half_width + _OUTLINE_WIDTH,
        top - _OUTLINE_WIDTH,
        bottom + _OUTLINE_WIDTH,
        (-1, 1),
        colours.outline,
    )
    for ends, colour in (((-1, 1), colours.face), ((-1, -0.75), colours.highlight), ((0.4, 1), colours.edge)):
        yield _stripe(top_half_width, bottom_half_width, top, bottom, ends, colour)


def _stripe(
    top_half_width: float,
    bottom_half_width: float,
    top: float,
    bottom: float,
    ends: tuple[float, float],
    colour: Colour,
) -> Polygon:
    """Return a vertical stripe of a wall with a curved foot; `ends` are from -1 (left) to 1 (right)."""
    left, right = ends
    across = [left + (right - left) * step / 12 for step in range(13)]
    bottom_edge = tuple(
        (bottom_half_width * x, bottom + _CURVATURE * bottom_half_width * (1 - x * x) ** 0.5) for x in across
    )
    return Polygon((*bottom_edge, (top_half_width * right, top), (top_half_width * left, top)), colour)


_CURVATURE = 0.26
