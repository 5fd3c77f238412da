"""Stones and towers, seen from a little in front: flat cylinders, and a tall one with a crown."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from render.scene import Box, Disc, Patch, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.scene import Colour
    from render.themes import Coat

RADIUS = 0.385
"""Radius of a stone for a cell of 1."""

_LINE = 0.026


@lru_cache(maxsize=64)
def stone(coat: Coat, cell: float) -> Stamp:
    """Give a stone for a cell `cell` pixels wide, lit from the upper left."""
    radius, line = RADIUS * cell, _LINE * cell
    return Stamp(
        (
            *(Disc(0.02 * cell, 0.075 * cell, radius + 0.01 * cell, shade) for shade in coat.shadow),
            Disc(0, 0.05 * cell, radius, coat.flank),
            Disc(0, 0, radius, coat.outline),
            Disc(0, 0, radius - line, coat.face),
            *(Disc(0, 0, 0.29 * cell, None, shade, 0.03 * cell) for shade in coat.groove),
        ),
    )


@lru_cache(maxsize=64)
def tower(coat: Coat, cell: float) -> Stamp:
    """Give a crenellated tower, half as tall again as the cell on which it stands."""
    shapes: tuple[Box | Disc | Patch, ...] = (
        *(Disc(0.1, 0.36, 0.42, shade, flat=0.28) for shade in coat.shadow),
        *_wall(coat, 0.3, 0.37, 0.2, 0.36),
        *_wall(coat, 0.25, 0.29, -0.3, 0.22),
        Box(-0.035, -0.1, 0.07, 0.2, coat.sign),
        Box(-_HEAD + 0.05, -0.66, 2 * _HEAD - 0.1, 0.3, coat.flank),
        *(_merlon(left, right, coat.outline, _LINE) for left, right in _MERLONS),
        *_wall(coat, _HEAD, 0.27, -0.52, -0.24),
        *(_merlon(left, right, coat.face, 0) for left, right in _MERLONS),
        Box(-_HEAD, -0.74, 0.06, 0.24, coat.shine),
        Box(_HEAD - 0.12, -0.74, 0.12, 0.24, coat.flank),
    )
    return Stamp(tuple(shape.scaled(cell) for shape in shapes))


_HEAD = 0.37
_MERLONS = ((-_HEAD, -0.19), (-0.09, 0.09), (0.19, _HEAD))


def _merlon(left: float, right: float, colour: Colour, line: float) -> Box:
    return Box(left - line, -0.74 - line, right - left + 2 * line, 0.24 + line, colour)


def _wall(coat: Coat, top_half: float, foot_half: float, top: float, foot: float) -> Iterator[Patch]:
    """Give a round wall between two heights: its outline, then stripes of light and shade."""
    yield _stripe(top_half + _LINE, foot_half + _LINE, top - _LINE, foot + _LINE, (-1, 1), coat.outline)
    for ends, colour in (((-1, 1), coat.face), ((-1, -0.75), coat.shine), ((0.4, 1), coat.flank)):
        yield _stripe(top_half, foot_half, top, foot, ends, colour)


def _stripe(
    top_half: float, foot_half: float, top: float, foot: float, ends: tuple[float, float], colour: Colour
) -> Patch:
    """Give an upright strip of a wall; `ends` run from -1 to 1 across it, and its foot bows."""
    left, right = ends
    across = [left + (right - left) * step / 12 for step in range(13)]
    rim = tuple((foot_half * x, foot + _BOW * foot_half * (1 - x * x) ** 0.5) for x in across)
    return Patch((*rim, (top_half * right, top), (top_half * left, top)), colour)


_BOW = 0.26
