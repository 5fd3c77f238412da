"""What the last turn did and what a picker points out, laid on one board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import EventKind
from render import signs
from render.scene import Figure
from render.trails import arrow, rope
from render.view import MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Cell, Event, Side
    from render.frame import Frame
    from render.scene import Colour, Point, Stamp
    from render.themes import Theme
    from render.view import View


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces on one board: where they lie, how they look, and whose stones stand where.

    `unit` is the width of cell for which the stones, and so the signs on them, are drawn.
    """

    frame: Frame
    look: Theme
    view: View
    stones: Mapping[Cell, Side]
    unit: float

    def under(self) -> Iterator[Figure]:
        """Give what lies below the stones."""
        for cell, _ in self._marked(MarkKind.CHOSEN):
            yield self._put(signs.plate(self.unit, self.look), cell)
        for event in self.view.last:
            if event.kind is EventKind.OCCUPY:
                yield from self._wheel(event)
            elif event.kind is EventKind.MOVE:
                yield self._put(signs.ghost(self.unit, self.look), event.cells[0])

    def on(self) -> Iterator[Figure]:
        """Give what is drawn on the faces of stones, and where stones were taken away."""
        for event in self.view.last:
            for cell in event.cells:
                if event.kind in _ON_FACES:
                    yield self._put(_ON_FACES[event.kind](self.unit, self._sign(cell)), cell)
                elif event.kind is EventKind.REMOVE:
                    yield self._put(signs.cross(self.unit, self.look), cell)
        for kind, sign in ((MarkKind.RINGED, signs.ring), (MarkKind.SPARED, signs.arcs)):
            for cell, _ in self._marked(kind):
                yield self._put(sign(self.unit, self._sign(cell)), cell)

    def over(self) -> Iterator[Figure]:
        """Give what lies over everything."""
        for event in self.view.last:
            if event.kind is EventKind.MOVE:
                start, end = (self.frame.centre(cell) for cell in event.cells)
                yield from arrow(start, end, self.unit, self.look)
        for cell, words in self._marked(MarkKind.OPEN):
            if cell in self.stones:
                yield self._put(signs.halo(self.unit, self.look, words, self._sign(cell)), cell)
            else:
                yield self._put(signs.badge(self.unit, self.look, words), cell)

    def _marked(self, kind: MarkKind) -> Iterator[tuple[Cell, str]]:
        return ((mark.cell, mark.text) for mark in self.view.marks if mark.kind is kind)

    def _put(self, stamp: Stamp, cell: Cell) -> Figure:
        return Figure(stamp, *self.frame.centre(cell))

    def _sign(self, cell: Cell) -> Colour:
        side = self.stones.get(cell)
        return self.look.light if side is None else self.look.coat(side).sign

    def _wheel(self, event: Event) -> Iterator[Figure]:
        """Give the square of lines between the four stones that won the Centre."""
        middle, *points = map(self.frame.centre, event.cells)
        points.sort(key=lambda point: _turn(point, middle))
        yield from rope((*points, points[0]), self.unit, self.look.gold, self.look.ink, 0.07)


_ON_FACES = {
    EventKind.PLACE: signs.dot,
    EventKind.RESTORE: signs.dot,
    EventKind.CAPTURE: signs.ring,
    EventKind.FLIP: signs.ring,
    EventKind.DECLINE_CAPTURE: signs.arcs,
    EventKind.DECLINE_OCCUPY: signs.arcs,
}


def _turn(point: Point, middle: Point) -> float:
    """Give a number that grows as `point` goes round `middle`, without trigonometry's roundings."""
    x, y = point[0] - middle[0], point[1] - middle[1]
    share = x / (abs(x) + abs(y))
    return share if y < 0 else 2 - share
