"""Highlights on a board: what the last turn did, and the marks of the move picker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import EventKind
from render import markers
from render.options import MarkKind
from render.polylines import arrow_sprites, polyline_sprites
from render.scene import PlacedSprite
from render.themes import PieceColours

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Cell, Event, Side
    from render.layout import BoardLayout
    from render.options import RenderOptions
    from render.scene import Colour, Point, Sprite
    from render.themes import ThemeColours


@dataclass(frozen=True, slots=True)
class BoardHighlights:
    """The highlights of one board. A conversion is a ring on the piece; a capture is a cross on the cell.

    `stones` maps cells to the side whose piece is there; a piece of no side is given by its colours.
    `stone_size` is the cell width in pixels for which the pieces, and so the marks on them, are drawn.
    """

    layout: BoardLayout
    theme: ThemeColours
    options: RenderOptions
    stones: Mapping[Cell, Side] | Mapping[Cell, Side | PieceColours]
    stone_size: float

    def below_stones(self) -> Iterator[PlacedSprite]:
        """Return the highlights below the stones."""
        for cell, _ in self._marks_of(MarkKind.SELECTED):
            yield self._place(markers.selection_square(self.stone_size, self.theme), cell)
        for event in self.options.last_turn:
            if event.kind is EventKind.OCCUPY:
                yield from self._occupation_lines(event)
            elif event.kind is EventKind.MOVE:
                yield self._place(markers.origin_dot(self.stone_size, self.theme), event.cells[0])

    def on_stones(self) -> Iterator[PlacedSprite]:
        """Return the highlights on pieces, and on cells from which pieces were captured."""
        for event in self.options.last_turn:
            for cell in event.cells:
                if event.kind in _STONE_MARKERS:
                    yield self._place(
                        _STONE_MARKERS[event.kind](self.stone_size, self._symbol_colour(cell)), cell
                    )
                elif event.kind is EventKind.CAPTURE and cell in self.stones:
                    yield self._place(markers.cross(self.stone_size, self._symbol_colour(cell)), cell)
                elif event.kind is EventKind.CAPTURE:
                    yield self._place(markers.removal_cross(self.stone_size, self.theme), cell)
        for kind, marker in ((MarkKind.TO_CAPTURE, markers.ring), (MarkKind.DECLINED, markers.broken_ring)):
            for cell, _ in self._marks_of(kind):
                yield self._place(marker(self.stone_size, self._symbol_colour(cell)), cell)

    def above_stones(self) -> Iterator[PlacedSprite]:
        """Return the highlights above the stones."""
        for event in self.options.last_turn:
            if event.kind is EventKind.MOVE:
                start, end = (self.layout.centre(cell) for cell in event.cells)
                yield from arrow_sprites(start, end, self.stone_size, self.theme)
        for cell, text in self._marks_of(MarkKind.SELECTABLE):
            if cell in self.stones:
                yield self._place(
                    markers.option_ring(self.stone_size, self.theme, text, self._symbol_colour(cell)), cell
                )
            else:
                yield self._place(markers.option_dot(self.stone_size, self.theme, text), cell)

    def _marks_of(self, kind: MarkKind) -> Iterator[tuple[Cell, str]]:
        return ((mark.cell, mark.text) for mark in self.options.marks if mark.kind is kind)

    def _place(self, sprite: Sprite, cell: Cell) -> PlacedSprite:
        return PlacedSprite(sprite, *self.layout.centre(cell))

    def _symbol_colour(self, cell: Cell) -> Colour:
        piece = self.stones.get(cell)
        if piece is None:
            return self.theme.light
        return piece.symbol if isinstance(piece, PieceColours) else self.theme.piece_colours(piece).symbol

    def _occupation_lines(self, event: Event) -> Iterator[PlacedSprite]:
        """Return the square of lines between the four stones that won the Centre."""
        middle, *points = map(self.layout.centre, event.cells)
        points.sort(key=lambda point: _clockwise_order(point, middle))
        yield from polyline_sprites(
            (*points, points[0]), self.stone_size, self.theme.gold, self.theme.ink, 0.07
        )


_STONE_MARKERS = {
    EventKind.PLACE: markers.dot,
    EventKind.RESTORE: markers.dot,
    EventKind.CONVERT: markers.ring,
    EventKind.FLIP: markers.ring,
    EventKind.DECLINE_CONVERT: markers.broken_ring,
    EventKind.DECLINE_OCCUPY: markers.broken_ring,
}


def _clockwise_order(point: Point, middle: Point) -> float:
    """Return a number that grows clockwise around `middle`; unlike an angle it has no rounding errors."""
    x, y = point[0] - middle[0], point[1] - middle[1]
    share = x / (abs(x) + abs(y))
    return share if y < 0 else 2 - share
