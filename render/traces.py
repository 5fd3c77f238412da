"""What the last turn did and what a picker points out: trails, rings, dots and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

from engine.game import EventKind
from render.frame import CAP
from render.scene import Box, Disc, Figure, Patch, Stamp, Stroke, Text
from render.stones import RADIUS
from render.view import MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Cell, Event, Side
    from render.frame import Frame
    from render.scene import Colour, Point
    from render.themes import Theme
    from render.view import Mark, View


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces on one board: where they lie, how they look, and whose stones stand where."""

    frame: Frame
    look: Theme
    view: View
    stones: Mapping[Cell, Side]

    def under(self) -> Iterator[Figure]:
        """Give what lies below the stones."""
        for mark in self._marked(MarkKind.CHOSEN):
            yield self._put(_plate(self.frame.cell, self.look), mark.cell)
        for event in self._events(EventKind.OCCUPY):
            yield from self._wheel(event)
        for event in self._events(EventKind.MOVE):
            yield self._put(_ghost(self.frame.cell, self.look), event.cells[0])

    def on(self) -> Iterator[Figure]:
        """Give what is drawn on the faces of stones."""
        cell = self.frame.cell
        for event in self.view.last:
            for name in event.cells:
                if event.kind in _RINGED:
                    yield self._put(_ring(cell, self._sign(name)), name)
                elif event.kind in _SPARED:
                    yield self._put(_arcs(cell, self._sign(name)), name)
                elif event.kind in _DOTTED:
                    yield self._put(_dot(cell, self._sign(name)), name)
        for mark in self._marked(MarkKind.RINGED):
            yield self._put(_ring(cell, self._sign(mark.cell)), mark.cell)
        for mark in self._marked(MarkKind.SPARED):
            yield self._put(_arcs(cell, self._sign(mark.cell)), mark.cell)

    def over(self) -> Iterator[Figure]:
        """Give what lies over everything."""
        for event in self._events(EventKind.MOVE):
            start, end = (self.frame.centre(name) for name in event.cells)
            yield from _arrow(start, end, self.frame.cell, self.look)
        for mark in self._marked(MarkKind.OPEN):
            if mark.cell in self.stones:
                yield self._put(
                    _halo(self.frame.cell, self.look, mark.text, self._sign(mark.cell)), mark.cell
                )
            else:
                yield self._put(_badge(self.frame.cell, self.look, mark.text), mark.cell)

    def _events(self, kind: EventKind) -> Iterator[Event]:
        return (event for event in self.view.last if event.kind is kind)

    def _marked(self, kind: MarkKind) -> Iterator[Mark]:
        return (mark for mark in self.view.marks if mark.kind is kind)

    def _put(self, stamp: Stamp, cell: Cell) -> Figure:
        return Figure(stamp, *self.frame.centre(cell))

    def _sign(self, cell: Cell) -> Colour:
        side = self.stones.get(cell)
        return self.look.light if side is None else self.look.coat(side).sign

    def _wheel(self, event: Event) -> Iterator[Figure]:
        """Give the square of lines between the four stones that won the Centre."""
        middle = self.frame.centre(event.cells[0])
        points = [self.frame.centre(cell) for cell in event.cells[1:]]
        points.sort(key=lambda point: _turn(point, middle))
        for start, end in zip(points, points[1:] + points[:1], strict=True):
            yield from _line(start, end, self.frame.cell, self.look.ink, 0.13)
        for start, end in zip(points, points[1:] + points[:1], strict=True):
            yield from _line(start, end, self.frame.cell, self.look.gold, 0.07)


_RINGED = (EventKind.CAPTURE, EventKind.FLIP)
_SPARED = (EventKind.DECLINE_CAPTURE, EventKind.DECLINE_OCCUPY)
_DOTTED = (EventKind.PLACE, EventKind.RESTORE)


def _turn(point: Point, middle: Point) -> float:
    """Give a number that grows as `point` goes round `middle`, without trigonometry's roundings."""
    x, y = point[0] - middle[0], point[1] - middle[1]
    share = x / (abs(x) + abs(y))
    return share if y < 0 else 2 - share


def _line(start: Point, end: Point, cell: int, colour: Colour, width: float) -> Iterator[Figure]:
    """Give a line in steps of about a cell, so that no stamp reaches far."""
    x, y = end[0] - start[0], end[1] - start[1]
    steps = max(1, round(max(abs(x), abs(y)) / cell))
    stamp = _step(round(x / steps, 3), round(y / steps, 3), colour, width * cell)
    for step in range(steps):
        yield Figure(stamp, start[0] + x * step / steps, start[1] + y * step / steps)


def _arrow(start: Point, end: Point, cell: int, look: Theme) -> Iterator[Figure]:
    """Give a trail from `start` to the rim of what stands at `end`, with a head."""
    x, y = end[0] - start[0], end[1] - start[1]
    length = hypot(x, y)
    ux, uy = x / length, y / length
    steps = max(1, round(max(abs(x), abs(y)) / cell))
    stride, far = length / steps, length - 0.6 * cell
    for colour, width in ((look.ink, 0.13), (look.light, 0.07)):
        for step in range(steps):
            reach = min(stride, far - step * stride)
            if reach > 0:
                stamp = _step(round(ux * reach, 3), round(uy * reach, 3), colour, width * cell)
                yield Figure(stamp, start[0] + ux * step * stride, start[1] + uy * step * stride)
    tip = length - (RADIUS - 0.02) * cell
    yield Figure(_head(round(ux, 6), round(uy, 6), cell, look), start[0] + ux * tip, start[1] + uy * tip)


@lru_cache(maxsize=512)
def _step(x: float, y: float, colour: Colour, width: float) -> Stamp:
    return Stamp((Stroke(((0, 0), (x, y)), colour, width),))


@lru_cache(maxsize=256)
def _head(ux: float, uy: float, cell: int, look: Theme) -> Stamp:
    return Stamp(
        (
            Patch(_barb(ux, uy, 0.37 * cell, 0.2 * cell, 0.05 * cell), look.ink),
            Patch(_barb(ux, uy, 0.27 * cell, 0.135 * cell, 0), look.light),
        ),
    )


def _barb(ux: float, uy: float, length: float, half: float, ahead: float) -> tuple[Point, ...]:
    back = ahead - length
    return (
        (ux * ahead, uy * ahead),
        (ux * back - uy * half, uy * back + ux * half),
        (ux * back + uy * half, uy * back - ux * half),
    )


@lru_cache(maxsize=16)
def _ghost(cell: int, look: Theme) -> Stamp:
    """Give the place that a stone has left."""
    return Stamp(
        (
            Disc(0, 0, 0.17 * cell, look.ink),
            Disc(0, 0, 0.14 * cell, look.light),
        ),
    )


@lru_cache(maxsize=16)
def _plate(cell: int, look: Theme) -> Stamp:
    """Give the cell of the stone that has been picked up."""
    half = cell / 2
    return Stamp(
        (
            Box(-half, -half, cell, cell, look.ink),
            Box(-half + 0.03 * cell, -half + 0.03 * cell, 0.94 * cell, 0.94 * cell, look.pick),
        ),
    )


@lru_cache(maxsize=16)
def _ring(cell: int, sign: Colour) -> Stamp:
    """Give a ring on the face of a stone."""
    return Stamp((Disc(0, 0, 0.24 * cell, None, sign, 0.065 * cell),))


@lru_cache(maxsize=16)
def _arcs(cell: int, sign: Colour) -> Stamp:
    """Give a broken ring on the face of a stone."""
    return Stamp(tuple(_arc(quarter * pi / 2, 0.21 * cell, 0.05 * cell, sign) for quarter in range(4)))


def _arc(start: float, radius: float, width: float, colour: Colour) -> Stroke:
    turns = (start + pi / 2 * (0.2 + 0.1 * step) for step in range(7))
    return Stroke(tuple((radius * cos(turn), radius * sin(turn)) for turn in turns), colour, width)


@lru_cache(maxsize=16)
def _dot(cell: int, sign: Colour) -> Stamp:
    """Give a dot on the face of a stone."""
    return Stamp((Disc(0, 0, 0.11 * cell, sign),))


@lru_cache(maxsize=256)
def _badge(cell: int, look: Theme, words: str) -> Stamp:
    """Give a dot on an empty cell, or a larger one with a number."""
    radius = 0.33 * cell if words else 0.13 * cell
    discs = (Disc(0, 0, radius, look.ink), Disc(0, 0, radius - 0.04 * cell, look.pick))
    return Stamp((*discs, *_words(cell, words, look.ink)))


@lru_cache(maxsize=256)
def _halo(cell: int, look: Theme, words: str, sign: Colour) -> Stamp:
    """Give a ring around a stone on offer, with its number on the stone."""
    return Stamp(
        (
            Disc(0, 0, 0.485 * cell, None, look.ink, 0.1 * cell),
            Disc(0, 0, 0.46 * cell, None, look.pick, 0.06 * cell),
            *_words(cell, words, sign),
        ),
    )


def _words(cell: int, words: str, colour: Colour) -> Iterator[Text]:
    if words:
        size = (0.5 if len(words) == 1 else 0.42 if len(words) == 2 else 0.32) * cell
        yield Text(0, CAP * size / 2, words, size, colour)
