"""Stones and towers, seen from a little in front: flat cylinders, and tall ones."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from render.scene import Box, Colour, Disc, Shape, Stamp

if TYPE_CHECKING:
    from render.themes import Coat

_SHADOW = Colour("#00000048")


@lru_cache(maxsize=64)
def stone(coat: Coat, cell: int) -> Stamp:
    """Give a stone for a cell `cell` pixels wide, lit from the upper left."""
    radius, lift = 0.385 * cell, 0.055 * cell
    shapes: list[Shape] = [
        Disc(0.02 * cell, 0.065 * cell, radius + 0.012 * cell, _SHADOW),
        Disc(0, lift, radius, coat.flank, coat.outline, 0.025 * cell),
        Disc(0, 0, radius, coat.outline),
        Disc(0, 0, radius - 0.025 * cell, coat.shine),
        Disc(0.012 * cell, 0.018 * cell, radius - 0.048 * cell, coat.face),
    ]
    return Stamp(tuple(shapes))


@lru_cache(maxsize=64)
def tower(coat: Coat, cell: int) -> Stamp:
    """Give a crenellated tower, half as tall again as its cell."""
    base, head, flat = 0.29 * cell, 0.37 * cell, 0.5
    foot, neck, top = 0.27 * cell, -0.28 * cell, -0.5 * cell
    line = 0.025 * cell
    shapes: list[Shape] = [
        Disc(0.1 * cell, foot + 0.03 * cell, base + 0.09 * cell, _SHADOW, flat=flat),
        *_drum(base + 0.05 * cell, foot - 0.03 * cell, foot + 0.02 * cell, flat, coat, line),
        *_drum(base, neck, foot - 0.03 * cell, flat, coat, line),
        *_drum(head, top, neck, flat, coat, line),
        Disc(0, top, head - line, coat.face, flat=flat),
        Disc(0, top, head * 0.68, coat.flank, flat=flat),
    ]
    for x in (-0.2 * cell, 0, 0.2 * cell):
        drop = flat * (head**2 - x**2) ** 0.5
        shapes.append(
            Box(x - 0.035 * cell, top + drop * 0.6, 0.07 * cell, drop * 0.4 + 0.1 * cell, coat.outline)
        )
        shapes.append(Box(x - 0.035 * cell, top - drop, 0.07 * cell, drop * 0.42, coat.outline))
    return Stamp(tuple(shapes))


def _drum(radius: float, top: float, foot: float, flat: float, coat: Coat, line: float) -> list[Shape]:
    """Give an upright cylinder whose upper face lies around `top`: outline, then three stripes of light."""
    inner = radius - line
    shapes: list[Shape] = [
        Disc(0, foot, radius, coat.outline, flat=flat),
        Disc(0, top, radius, coat.outline, flat=flat),
        Box(-radius, top, 2 * radius, foot - top, coat.outline),
        Disc(0, foot - line / 2, inner, coat.face, flat=flat),
        Box(-inner, top, 2 * inner, foot - top, coat.face),
        Box(-inner, top, 0.22 * inner, foot - top, coat.shine),
        Box(0.5 * inner, top, 0.5 * inner, foot - top, coat.flank),
        Disc(0, top, radius, coat.outline, flat=flat),
        Disc(0, top, inner, coat.face, flat=flat),
    ]
    return shapes
