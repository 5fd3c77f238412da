"""Lines and arrows, cut into segments of about a cell so that a sprite covers few tiles."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import ceil, dist
from typing import TYPE_CHECKING

from render.scene import PlacedSprite, Polygon, Sprite, Stroke
from render.stones import STONE_RADIUS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from render.scene import Colour, Point
    from render.themes import ThemeColours


def polyline_sprites(
    points: Sequence[Point], unit: float, colour: Colour, outline: Colour, width: float
) -> Iterator[PlacedSprite]:
    """Return an outlined line through `points`, `width` times `unit` wide."""
    for layer_colour, layer_width in ((outline, width + 0.06), (colour, width)):
        for start, end in pairwise(points):
            yield from _segment_sprites(start, end, unit, layer_colour, layer_width * unit)


def arrow_sprites(start: Point, end: Point, unit: float, theme: ThemeColours) -> Iterator[PlacedSprite]:
    """Return an arrow from `start` to the rim of the stone at `end`; `unit` is the width of its cell."""
    length = dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    neck, tip = length - 0.6 * unit, length - (STONE_RADIUS - 0.02) * unit
    if neck > 0:
        yield from polyline_sprites(
            (start, _point_along(start, ux, uy, neck)), unit, theme.light, theme.ink, 0.07
        )
    yield PlacedSprite(
        _arrow_head(round(ux, 6), round(uy, 6), unit, theme), *_point_along(start, ux, uy, tip)
    )


def _point_along(start: Point, ux: float, uy: float, length: float) -> Point:
    return start[0] + ux * length, start[1] + uy * length


def _segment_sprites(
    start: Point, end: Point, unit: float, colour: Colour, width: float
) -> Iterator[PlacedSprite]:
    """Return a line as segments that are `unit` wide or high; the last one may be shorter."""
    x, y = end[0] - start[0], end[1] - start[1]
    stride = unit / max(abs(x), abs(y))
    for index in range(ceil(1 / stride - _TOLERANCE)):
        share = min(stride, 1 - index * stride)
        sprite = _segment_sprite(round(x * share, 3), round(y * share, 3), colour, width)
        yield PlacedSprite(sprite, start[0] + x * index * stride, start[1] + y * index * stride)


_TOLERANCE = 1e-6


@lru_cache(maxsize=512)
def _segment_sprite(x: float, y: float, colour: Colour, width: float) -> Sprite:
    return Sprite((Stroke(((0, 0), (x, y)), colour, width),))


@lru_cache(maxsize=256)
def _arrow_head(ux: float, uy: float, unit: float, theme: ThemeColours) -> Sprite:
    return Sprite(
        (
            Polygon(_arrow_head_points(ux, uy, 0.37 * unit, 0.2 * unit, 0.05 * unit), theme.ink),
            Polygon(_arrow_head_points(ux, uy, 0.27 * unit, 0.135 * unit, 0), theme.light),
        ),
    )


def _arrow_head_points(
    ux: float, uy: float, length: float, half_width: float, offset: float
) -> tuple[Point, ...]:
    back = offset - length
    return (
        (ux * offset, uy * offset),
        (ux * back - uy * half_width, uy * back + ux * half_width),
        (ux * back + uy * half_width, uy * back - ux * half_width),
    )
