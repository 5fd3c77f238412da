"""The board of Morelli as bits: cells, bands, lines and the quarter-turn images of a cell.

The bit of a cell is ``file * (size + 1) + rank``, both from 0 at the lower left. One spare rank
above each file stays empty, so that shifting a whole board by one step never wraps around.
A set of cells is an int with those bits set.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine import cells
from engine.morelli.bits import each
from engine.morelli.flanks import Flanks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.game import Cell

SIZES = (13, 11, 9)
"""Cells along one side of the boards (§8.1)."""

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Steps in file and rank, clockwise from north."""


class Board:
    """The empty board of one size; made once by :func:`board`, never changed.

    Attributes: `size`; `cells`, all cells by file, then rank; `bit`, the bit of each cell, and `cell_at`
    back; `band`, each cell's distance to the nearest edge; `centre`, the middle cell, and `centre_bit`;
    `outermost`, the cells of band 0, and `rim`, the same as bits; `opposite`, the diametrically opposite cell
    of each; `turned`, by bit, the four quarter-turn images of a cell; `rings`, for each band between the
    outermost and the Centre, its cells and every set of four images on it; `flanks`, by landing bit, what
    decides captures there; `shifts`, how far bits move with one step north, east, south-east and north-east.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.stride = size + 1
        self.cells = cells.grid(size)
        places = {name: cells.place(name) for name in self.cells}
        self.bit = {name: self.at(*places[name]) for name in self.cells}
        self.cell_at = {bit: name for name, bit in self.bit.items()}
        self.band = {name: self._band(*places[name]) for name in self.cells}
        self.centre = cells.cell(size // 2, size // 2)
        self.centre_bit = self.bit[self.centre]
        self.outermost = tuple(name for name in self.cells if self.band[name] == 0)
        self.rim = self.bits(self.outermost)
        last = size - 1
        self.opposite = {name: cells.cell(last - file, last - rank) for name, (file, rank) in places.items()}
        self.turned = {self.bit[name]: self._turned(*places[name]) for name in self.cells}
        self.flanks = {
            self.bit[name]: self._flanks(*places[name]) for name in self.cells if self.band[name] > 0
        }
        self.shifts = (1, self.stride, self.stride - 1, self.stride + 1)
        self.rings = tuple(self._rings())

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return board, (self.size,)

    def at(self, file: int, rank: int) -> int:
        """Give the bit of the cell at `file` and `rank`, 0 where it lies off the board."""
        inside = 0 <= file < self.size and 0 <= rank < self.size
        return 1 << (file * self.stride + rank) if inside else 0

    def bits(self, names: Iterable[Cell]) -> int:
        """Give a set of cells as bits."""
        return sum(self.bit[name] for name in names)

    def names(self, bits: int) -> tuple[Cell, ...]:
        """Give the cells of `bits` by file, then rank."""
        return tuple(self.cell_at[bit] for bit in each(bits))

    def rays(self, name: Cell) -> Iterator[tuple[Cell, ...]]:
        """Give the cells on the lines that leave `name`, nearest first, in the eight directions."""
        file, rank = cells.place(name)
        for east, north in DIRECTIONS:
            steps = ((file + east * step, rank + north * step) for step in range(1, self.size))
            yield tuple(cells.cell(*step) for step in steps if self.at(*step))

    def _band(self, file: int, rank: int) -> int:
        return min(file, rank, self.size - 1 - file, self.size - 1 - rank)

    def _rings(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        for band in range(1, self.size // 2):
            ring = [name for name in self.cells if self.band[name] == band]
            yield self.bits(ring), tuple({self.turned[self.bit[name]] for name in ring})

    def _flanks(self, file: int, rank: int) -> Flanks:
        near, far = (
            [self.at(file + steps * east, rank + steps * north) for east, north in DIRECTIONS]
            for steps in (1, 2)
        )
        return Flanks(self.at(file, rank), near, far, self.turned)

    def _turned(self, file: int, rank: int) -> int:
        images = 0
        for _ in range(4):
            images |= self.at(file, rank)
            file, rank = rank, self.size - 1 - file
        return images


@cache
def board(size: int) -> Board:
    """Give the board of `size`, one of :data:`SIZES`; always the same object."""
    return Board(size)
