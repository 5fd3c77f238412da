"""Morabaraba: men on the points of three nested squares, and men in hand beside the board."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Side
from render.frame import CAP, Frame
from render.grounds import ground
from render.palette import blends
from render.scene import Box, Disc, Figure, Scene, Stamp, Stroke, Text
from render.score import Score
from render.stones import stone
from render.themes import mix, theme
from render.traces import Traces
from render.trails import rope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Cell
    from engine.morabaraba.position import MorabarabaPosition
    from render.scene import Colour, Ground, Shape
    from render.themes import Theme
    from render.view import View

Lines = tuple[tuple["Cell", ...], ...]

_SIDES = (Side.WHITE, Side.RED)
_RANKS = 7
_LEGEND = "w white, r red, . an empty point"


def scene(position: MorabarabaPosition, view: View) -> Scene:
    """Give the picture of a Morabaraba position."""
    frame = place(view)
    look, men, unit = theme(view.theme), position.stones, _UNIT * frame.cell
    traces = Traces(frame, look, view, men, unit)
    score = Score(_numbers(position), position.to_move, position.outcome, view.last)
    figures = (
        *_mills(position, frame, look),
        *traces.under(),
        *(Figure(stone(look.coat(side), unit), *frame.centre(cell)) for cell, side in men.items()),
        *traces.on(),
        *_hands(position, frame, look),
        *traces.over(),
        *score.figures(frame, look),
    )
    points = frozenset(cell for line in position.lines for cell in line)
    signs = dict.fromkeys(points, ".") | {cell: str(side)[0] for cell, side in men.items()}
    hands = ", ".join(f"{side} {position.hands[side]}" for side in _SIDES)
    diagram = frame.diagram(lambda cell: signs.get(cell, " "), (_LEGEND, f"in hand: {hands}", *score.notes()))
    return Scene(_ground(frame, look, position.lines), figures, "Morabaraba", diagram)


def place(view: View) -> Frame:
    """Give where the points of the board lie, each in the middle of a cell."""
    rim, aisle = round(view.width / 60), round(view.width / 14)
    return Frame(_RANKS, view.width, view.side is Side.RED, rim, aisle, view.large)


_UNIT = 0.94
"""Men leave some of the lines to be seen between them."""


def _numbers(position: MorabarabaPosition) -> tuple[tuple[Side, str], ...]:
    """Count the men of each side, on the board and in hand."""
    held = list(position.stones.values())
    return tuple((side, str(held.count(side) + position.hands[side])) for side in _SIDES)


def _mills(position: MorabarabaPosition, frame: Frame, look: Theme) -> Iterator[Figure]:
    for points in position.mills:
        ends = (frame.centre(points[0]), frame.centre(points[-1]))
        yield from rope(ends, frame.cell, look.gold, look.ink, 0.1)


def _hands(position: MorabarabaPosition, frame: Frame, look: Theme) -> Iterator[Figure]:
    """Give the men in hand as two counted piles beside the board, the first side's at the left."""
    size = 0.68 * frame.cell
    step, floor = (frame.board - frame.cell) / position.most, frame.top + frame.board - 0.3 * frame.cell
    inset, count = 0.6 * frame.aisle, min(frame.label, frame.width / 22)
    for side, x in zip(_SIDES, (inset, frame.width - inset), strict=True):
        hand = position.hands[side]
        for index in range(hand):
            yield Figure(stone(look.coat(side), size), x, floor - index * step)
        if hand:
            yield Figure(_count(str(hand), look, count), x, floor - (hand + 0.1) * step)


@lru_cache(maxsize=64)
def _count(words: str, look: Theme, size: float) -> Stamp:
    return Stamp((Text(0, CAP * size / 2, words, size, look.label),))


@lru_cache(maxsize=32)
def _ground(frame: Frame, look: Theme, lines: Lines) -> Ground:
    return ground(frame, look, _table(frame, look, lines), _palette(look))


def _table(frame: Frame, look: Theme, lines: Lines) -> Iterator[Shape]:
    """Give the surface, the twenty lines and the points."""
    rim, cell = frame.rim, frame.cell
    side = frame.board + 2 * rim
    yield Box(frame.left - rim, frame.top - rim, side, side, look.table, rim)
    for line in lines:
        yield Stroke(tuple(map(frame.centre, line)), look.grid, max(1, 0.04 * cell))
    for point in sorted({point for line in lines for point in line}):
        yield Disc(*frame.centre(point), 0.1 * cell, look.grid)


@lru_cache(maxsize=4)
def _palette(look: Theme) -> tuple[Colour, ...]:
    dyes = (look.ink, look.light, look.grid, look.gold, look.red.outline, look.white.outline)
    meetings = [(look.table, dye) for dye in dyes]
    meetings += [(look.backdrop, coat.outline) for coat in (look.white, look.red)]
    shade = mix(look.table, look.ink, 0.3)
    return blends((*look.colours(*_SIDES), look.table, look.grid, shade), look, meetings)
