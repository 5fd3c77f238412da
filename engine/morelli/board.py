"""The board of Morelli as bits: cells, bands, lines and the quarter-turn images of a cell.

The number of the bit of a cell is ``file * (size + 1) + rank``, both from 0 at the lower left. One spare rank
above each file stays empty, so that shifting a whole board by one step never wraps around. A set of cells is
an int with these bits set.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine import cells
from engine.morelli.bits import iter_bits
from engine.morelli.capture_tables import CaptureTables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.game import Cell, CellMap

SIZES = (13, 11, 9)
"""Cells along one side of the boards (§8.1)."""

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Steps (file, rank) in the eight directions, clockwise from north."""


class MorelliBoard:
    """The empty board of one size; immutable, created once by :func:`get_board`.

    Attributes:
        cells: All cells by file, then rank.
        bit: The bit of each cell.
        cell_at: The cell of each bit.
        ranks: The bits of each rank from the top, by file.
        band: The distance of each cell from the nearest edge.
        centre: The middle cell; `centre_bit` is its bit.
        outermost: The cells of band 0; `outermost_bits` is the set of them.
        opposite: The diametrically opposite cell of each cell.
        rotations: By bit, the set of the four quarter-turn images of a cell.
        rings: For each band between the outermost and the Centre, the set of its cells and all sets of four
            quarter-turn images on it.
        capture_tables: By the bit of the landing cell, the tables that find the captures there.
        shifts: How far bits are shifted by one step north, east, south-east and north-east.
        symmetries: The ways to turn or mirror the board.

    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.stride = size + 1
        self.cells = cells.grid(size)
        coordinates = {name: cells.coordinates(name) for name in self.cells}
        self.bit = {name: self.bit_at(*coordinates[name]) for name in self.cells}
        self.cell_at = {bit: name for name, bit in self.bit.items()}
        self.ranks = tuple(
            tuple(self.bit_at(file, rank) for file in range(size)) for rank in reversed(range(size))
        )
        self.band = {name: self._band_of(*coordinates[name]) for name in self.cells}
        self.centre = cells.cell(size // 2, size // 2)
        self.centre_bit = self.bit[self.centre]
        self.outermost = tuple(name for name in self.cells if self.band[name] == 0)
        self.outermost_bits = self.to_bits(self.outermost)
        last = size - 1
        self.opposite = {
            name: cells.cell(last - file, last - rank) for name, (file, rank) in coordinates.items()
        }
        self.rotations = {self.bit[name]: self._rotations_of(*coordinates[name]) for name in self.cells}
        self.capture_tables = {
            self.bit[name]: self._capture_tables_of(*coordinates[name])
            for name in self.cells
            if self.band[name] > 0
        }
        self.shifts = (1, self.stride, self.stride - 1, self.stride + 1)
        self.rings = tuple(self._ring_frames())
        self.symmetries: tuple[CellMap, ...] = cells.square_symmetries(size)

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return get_board, (self.size,)

    def bit_at(self, file: int, rank: int) -> int:
        """Return the bit of the cell at `file` and `rank`, or 0 if it is off the board."""
        inside = 0 <= file < self.size and 0 <= rank < self.size
        return 1 << (file * self.stride + rank) if inside else 0

    def to_bits(self, names: Iterable[Cell]) -> int:
        """Return the set of the bits of cells."""
        return sum(self.bit[name] for name in names)

    def to_cells(self, bits: int) -> tuple[Cell, ...]:
        """Return the cells of a set by file, then rank."""
        return tuple(self.cell_at[bit] for bit in iter_bits(bits))

    def image(self, bits: int, cell_map: CellMap) -> int:
        """Return a set of cells turned or mirrored."""
        return self.to_bits(cell_map[name] for name in self.to_cells(bits))

    def rays(self, name: Cell) -> Iterator[tuple[Cell, ...]]:
        """Yield the cells in each of the eight directions from `name`, nearest first."""
        file, rank = cells.coordinates(name)
        for east, north in DIRECTIONS:
            steps = ((file + east * step, rank + north * step) for step in range(1, self.size))
            yield tuple(cells.cell(*step) for step in steps if self.bit_at(*step))

    def _band_of(self, file: int, rank: int) -> int:
        return min(file, rank, self.size - 1 - file, self.size - 1 - rank)

    def _ring_frames(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        for band in range(1, self.size // 2):
            ring = [name for name in self.cells if self.band[name] == band]
            yield self.to_bits(ring), tuple({self.rotations[self.bit[name]] for name in ring})

    def _capture_tables_of(self, file: int, rank: int) -> CaptureTables:
        near, far = (
            [self.bit_at(file + steps * east, rank + steps * north) for east, north in DIRECTIONS]
            for steps in (1, 2)
        )
        return CaptureTables(self.bit_at(file, rank), near, far, self.rotations)

    def _rotations_of(self, file: int, rank: int) -> int:
        images = 0
        for _ in range(4):
            images |= self.bit_at(file, rank)
            file, rank = rank, self.size - 1 - file
        return images


@cache
def get_board(size: int) -> MorelliBoard:
    """Return the one board of `size`, which is in :data:`SIZES`."""
    return MorelliBoard(size)
