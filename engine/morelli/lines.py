"""All slides of a board, made once, and ways to find those that are open."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.morelli.board import board
from engine.morelli.moves import Placement, Track
from engine.morelli.reach import Column, Reach

if TYPE_CHECKING:
    from engine.game import Cell
    from engine.morelli.board import Board
    from engine.morelli.moves import Slide

Way = list[tuple[int, Track | None]]
"""The cells of one direction as far as one can land: bit and track of each, None for the Centre."""


class Lines:
    """The slides and placements of one board.

    `tracks` by their text such as ``D1-I6``; `reach` by the bit of the cell left, where a stone can ever
    leave it; `columns`, for each file from A on, how far to shift a set of cells right and the table in which
    to look up its ranks, under `column_mask`; `placements` by cell.
    """

    def __init__(self, on: Board) -> None:
        self.board = on
        self.tracks: dict[str, Track] = {}
        self.reach: dict[int, Reach] = {}
        self.placements = {name: Placement(name) for name in on.outermost}
        for name in on.cells:
            self._add(name)
        self.column_mask = (1 << on.size) - 1
        self.columns = tuple((file * on.stride, self._column(file)) for file in range(on.size))

    def slides(self, start: int, occupied: int) -> tuple[Slide, ...]:
        """Give the slides from the cell of bit `start` over cells not `occupied`, sorted by text."""
        reach = self.reach.get(start)
        return reach.over(occupied)[1] if reach else ()

    def _column(self, file: int) -> Column:
        ranks = range(self.board.size)
        return Column([self.reach.get(self.board.at(file, rank)) for rank in ranks])

    def _add(self, name: Cell) -> None:
        ways = [way for way in (self._way(name, ray) for ray in self.board.rays(name)) if way]
        tracks = {track.bare.text: track for way in ways for _, track in way if track}
        if not tracks:
            return
        order = sorted(tracks)
        slots = {text: 1 << number for number, text in enumerate(order)}
        rays = [[(bit, slots[track.bare.text] if track else 0) for bit, track in way] for way in ways]
        self.reach[self.board.bit[name]] = Reach(rays, [tracks[text] for text in order])
        self.tracks |= tracks

    def _way(self, name: Cell, ray: tuple[Cell, ...]) -> Way:
        """Give the cells of a ray up to the last on which a stone from `name` may land (§4.2.1, §4.2.4)."""
        on = self.board
        way: Way = []
        used = between = 0
        for cell in ray:
            lands = on.band[cell] > on.band[name] and cell != on.centre
            way.append((on.bit[cell], Track(on, name, cell, between) if lands else None))
            between |= on.bit[cell]
            used = len(way) if lands else used
        return way[:used]


@cache
def lines(size: int) -> Lines:
    """Give the slides of the board of `size`; always the same object."""
    return Lines(board(size))
