"""Sprites that mark a cell or a stone; `cell` is the width in pixels of the cell of a stone."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

from render.layout import CAPITAL_HEIGHT
from render.scene import Box, Circle, Sprite, Stroke, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.scene import Colour
    from render.themes import ThemeColours


@lru_cache(maxsize=16)
def origin_dot(cell: float, theme: ThemeColours) -> Sprite:
    """Return the marker of the cell that a stone has left."""
    return Sprite(
        (
            Circle(0, 0, 0.17 * cell, theme.ink),
            Circle(0, 0, 0.14 * cell, theme.light),
        ),
    )


@lru_cache(maxsize=16)
def cross(cell: float, colour: Colour) -> Sprite:
    """Return a cross on the face of a piece that has captured another by moving onto its cell."""
    reach = 0.13 * cell
    arms = (((-reach, -reach), (reach, reach)), ((-reach, reach), (reach, -reach)))
    return Sprite(tuple(Stroke(arm, colour, 0.07 * cell) for arm in arms))


@lru_cache(maxsize=16)
def removal_cross(cell: float, theme: ThemeColours) -> Sprite:
    """Return the marker of a cell from which a man was removed."""
    reach = 0.17 * cell
    arms = (((-reach, -reach), (reach, reach)), ((-reach, reach), (reach, -reach)))
    layers = ((theme.ink, 0.15 * cell), (theme.light, 0.08 * cell))
    return Sprite(tuple(Stroke(arm, colour, width) for colour, width in layers for arm in arms))


@lru_cache(maxsize=16)
def selection_square(cell: float, theme: ThemeColours) -> Sprite:
    """Return the highlighted cell of the selected stone."""
    half = cell / 2
    return Sprite(
        (
            Box(-half, -half, cell, cell, theme.ink),
            Box(-half + 0.03 * cell, -half + 0.03 * cell, 0.94 * cell, 0.94 * cell, theme.selection),
        ),
    )


@lru_cache(maxsize=16)
def ring(cell: float, colour: Colour) -> Sprite:
    """Return a ring on a stone."""
    return Sprite((Circle(0, 0, 0.24 * cell, None, colour, 0.065 * cell),))


@lru_cache(maxsize=16)
def broken_ring(cell: float, colour: Colour) -> Sprite:
    """Return a broken ring on a stone."""
    return Sprite(tuple(_arc(quarter * pi / 2, 0.21 * cell, 0.05 * cell, colour) for quarter in range(4)))


def _arc(start: float, radius: float, width: float, colour: Colour) -> Stroke:
    turns = (start + pi / 2 * (0.2 + 0.1 * step) for step in range(7))
    return Stroke(tuple((radius * cos(turn), radius * sin(turn)) for turn in turns), colour, width)


@lru_cache(maxsize=16)
def dot(cell: float, colour: Colour) -> Sprite:
    """Return a dot on a stone."""
    return Sprite((Circle(0, 0, 0.11 * cell, colour),))


@lru_cache(maxsize=256)
def option_dot(cell: float, theme: ThemeColours, text: str) -> Sprite:
    """Return a dot for an empty cell that can be selected; with `text` it is larger."""
    radius = 0.33 * cell if text else 0.17 * cell
    discs = (Circle(0, 0, radius, theme.ink), Circle(0, 0, radius - 0.04 * cell, theme.selection))
    return Sprite((*discs, *_label(cell, text, theme.ink)))


@lru_cache(maxsize=256)
def option_ring(cell: float, theme: ThemeColours, text: str, colour: Colour) -> Sprite:
    """Return a ring around a stone that can be selected, with `text` on the stone."""
    return Sprite(
        (
            Circle(0, 0, 0.485 * cell, None, theme.ink, 0.1 * cell),
            Circle(0, 0, 0.46 * cell, None, theme.selection, 0.06 * cell),
            *_label(cell, text, colour),
        ),
    )


def _label(cell: float, text: str, colour: Colour) -> Iterator[Text]:
    if text:
        size = (0.5 if len(text) == 1 else 0.42 if len(text) == 2 else 0.32) * cell
        yield Text(0, CAPITAL_HEIGHT * size / 2, text, size, colour)
