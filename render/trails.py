"""Lines and arrows across a board, cut into steps of about a cell so that no stamp reaches far."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import ceil, dist
from typing import TYPE_CHECKING

from render.scene import Figure, Patch, Stamp, Stroke
from render.stones import RADIUS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from render.scene import Colour, Point
    from render.themes import Theme


def rope(
    points: Sequence[Point], unit: float, colour: Colour, edge: Colour, width: float
) -> Iterator[Figure]:
    """Give an edged line through `points`; `width` is that of the line for a `unit` of 1."""
    for dye, wide in ((edge, width + 0.06), (colour, width)):
        for start, end in pairwise(points):
            yield from _line(start, end, unit, dye, wide * unit)


def arrow(start: Point, end: Point, unit: float, look: Theme) -> Iterator[Figure]:
    """Give a trail from `start` to the rim of the stone at `end`, with a head.

    Stones are those of a cell of `unit`.
    """
    length = dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    neck, tip = length - 0.6 * unit, length - (RADIUS - 0.02) * unit
    if neck > 0:
        yield from rope((start, _along(start, ux, uy, neck)), unit, look.light, look.ink, 0.07)
    yield Figure(_head(round(ux, 6), round(uy, 6), unit, look), *_along(start, ux, uy, tip))


def _along(start: Point, ux: float, uy: float, length: float) -> Point:
    return start[0] + ux * length, start[1] + uy * length


def _line(start: Point, end: Point, unit: float, colour: Colour, width: float) -> Iterator[Figure]:
    """Give a line in whole steps from `start` on, each a `unit` wide or high, and a last shorter one."""
    x, y = end[0] - start[0], end[1] - start[1]
    stride = unit / max(abs(x), abs(y))
    for step in range(ceil(1 / stride - _SLACK)):
        share = min(stride, 1 - step * stride)
        stamp = _step(round(x * share, 3), round(y * share, 3), colour, width)
        yield Figure(stamp, start[0] + x * step * stride, start[1] + y * step * stride)


_SLACK = 1e-6


@lru_cache(maxsize=512)
def _step(x: float, y: float, colour: Colour, width: float) -> Stamp:
    return Stamp((Stroke(((0, 0), (x, y)), colour, width),))


@lru_cache(maxsize=256)
def _head(ux: float, uy: float, unit: float, look: Theme) -> Stamp:
    return Stamp(
        (
            Patch(_barb(ux, uy, 0.37 * unit, 0.2 * unit, 0.05 * unit), look.ink),
            Patch(_barb(ux, uy, 0.27 * unit, 0.135 * unit, 0), look.light),
        ),
    )


def _barb(ux: float, uy: float, length: float, half: float, ahead: float) -> tuple[Point, ...]:
    back = ahead - length
    return (
        (ux * ahead, uy * ahead),
        (ux * back - uy * half, uy * back + ux * half),
        (ux * back + uy * half, uy * back - ux * half),
    )
