"""What may be drawn on a cell or on the face of a stone; sizes are those of a stone's cell in pixels."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

from render.frame import CAP
from render.scene import Box, Disc, Stamp, Stroke, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.scene import Colour
    from render.themes import Theme


@lru_cache(maxsize=16)
def ghost(cell: float, look: Theme) -> Stamp:
    """Give the place that a stone has left."""
    return Stamp(
        (
            Disc(0, 0, 0.17 * cell, look.ink),
            Disc(0, 0, 0.14 * cell, look.light),
        ),
    )


@lru_cache(maxsize=16)
def cross(cell: float, look: Theme) -> Stamp:
    """Give the place from which a man was taken."""
    reach = 0.17 * cell
    arms = (((-reach, -reach), (reach, reach)), ((-reach, reach), (reach, -reach)))
    dyes = ((look.ink, 0.15 * cell), (look.light, 0.08 * cell))
    return Stamp(tuple(Stroke(arm, dye, width) for dye, width in dyes for arm in arms))


@lru_cache(maxsize=16)
def plate(cell: float, look: Theme) -> Stamp:
    """Give the cell of the stone that has been picked up."""
    half = cell / 2
    return Stamp(
        (
            Box(-half, -half, cell, cell, look.ink),
            Box(-half + 0.03 * cell, -half + 0.03 * cell, 0.94 * cell, 0.94 * cell, look.pick),
        ),
    )


@lru_cache(maxsize=16)
def ring(cell: float, sign: Colour) -> Stamp:
    """Give a ring on the face of a stone."""
    return Stamp((Disc(0, 0, 0.24 * cell, None, sign, 0.065 * cell),))


@lru_cache(maxsize=16)
def arcs(cell: float, sign: Colour) -> Stamp:
    """Give a broken ring on the face of a stone."""
    return Stamp(tuple(_arc(quarter * pi / 2, 0.21 * cell, 0.05 * cell, sign) for quarter in range(4)))


def _arc(start: float, radius: float, width: float, colour: Colour) -> Stroke:
    turns = (start + pi / 2 * (0.2 + 0.1 * step) for step in range(7))
    return Stroke(tuple((radius * cos(turn), radius * sin(turn)) for turn in turns), colour, width)


@lru_cache(maxsize=16)
def dot(cell: float, sign: Colour) -> Stamp:
    """Give a dot on the face of a stone."""
    return Stamp((Disc(0, 0, 0.11 * cell, sign),))


@lru_cache(maxsize=256)
def badge(cell: float, look: Theme, words: str) -> Stamp:
    """Give a dot on an empty cell, or a larger one with a number."""
    radius = 0.33 * cell if words else 0.13 * cell
    discs = (Disc(0, 0, radius, look.ink), Disc(0, 0, radius - 0.04 * cell, look.pick))
    return Stamp((*discs, *_words(cell, words, look.ink)))


@lru_cache(maxsize=256)
def halo(cell: float, look: Theme, words: str, sign: Colour) -> Stamp:
    """Give a ring around a stone on offer, with its number on the stone."""
    return Stamp(
        (
            Disc(0, 0, 0.485 * cell, None, look.ink, 0.1 * cell),
            Disc(0, 0, 0.46 * cell, None, look.pick, 0.06 * cell),
            *_words(cell, words, sign),
        ),
    )


def _words(cell: float, words: str, colour: Colour) -> Iterator[Text]:
    if words:
        size = (0.5 if len(words) == 1 else 0.42 if len(words) == 2 else 0.32) * cell
        yield Text(0, CAP * size / 2, words, size, colour)
