"""The board of Morabaraba as bits: 24 points, 20 lines of three, and their neighbours.

The bit of a point is ``1 << number``; the points are numbered from 0 by file, then rank. A set of points is
an int with these bits set.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from engine import cells
from engine.game import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from engine.game import CellMap

T = TypeVar("T")

POINTS: Final = tuple(
    Cell(name)
    for name in (
        *("A1", "A4", "A7", "B2", "B4", "B6", "C3", "C4", "C5", "D1", "D2", "D3"),
        *("D5", "D6", "D7", "E3", "E4", "E5", "F2", "F4", "F6", "G1", "G4", "G7"),
    )
)
"""All points by file, then rank, which is also the order of their texts."""

DIAGONALS: Final = tuple(
    tuple(map(Cell, line))
    for line in (("A1", "B2", "C3"), ("A7", "B6", "C5"), ("E3", "F2", "G1"), ("E5", "F6", "G7"))
)
"""The four diagonal lines."""

RANKS: Final = range(1, 8)


class BitTable(dict[int, tuple[T, ...]]):
    """Values by point (`by_bit`), and tuples of values by set of points.

    The tuples are made on demand and kept. :meth:`select` uses one tuple for each eight points, which bounds
    the size of the table; direct lookups are for callers with few different sets.
    """

    CHUNK_MASKS = (0xFF, 0xFF00, 0xFF0000)

    def __init__(self, by_bit: Mapping[int, T]) -> None:
        super().__init__()
        self.by_bit = by_bit

    def __missing__(self, points: int) -> tuple[T, ...]:
        self[points] = tuple(value for bit, value in self.by_bit.items() if bit & points)
        return self[points]

    def select(self, points: int) -> tuple[T, ...]:
        """Return the values of `points` (bits) by file, then rank."""
        low, middle, high = self.CHUNK_MASKS
        return self[points & low] + self[points & middle] + self[points & high]


class MorabarabaBoard:
    """The empty board; immutable, created once by :func:`get_board`.

    Attributes:
        lines: The twenty lines, each with its three points from end to end.
        rows: The points of each rank, from rank 7 down.
        bit: The bit of each point.
        cell_at: The point of each bit.
        points: The set of all points.
        mills: The set of the points of each line, in the order of `lines`.
        neighbours: By bit, the set of the points one step away along a line.
        partners: By bit, the other two points of each line through the point, as sets.
        symmetries: The ways to turn or mirror the board, to exchange the outer and the inner square, or both.

    """

    def __init__(self) -> None:
        self.rows = tuple(tuple(name for name in POINTS if name[1] == str(rank)) for rank in reversed(RANKS))
        self.lines = (*_orthogonal_lines(), *DIAGONALS)
        self.bit = {name: 1 << number for number, name in enumerate(POINTS)}
        self.cell_at = {bit: name for name, bit in self.bit.items()}
        self.points = self.to_bits(POINTS)
        self._cell_table = BitTable(self.cell_at)
        self._bit_table = BitTable({bit: bit for bit in self.cell_at})
        self.mills = tuple(self.to_bits(line) for line in self.lines)
        self.neighbours = dict.fromkeys(self.cell_at, 0)
        for start, middle, end in self.lines:
            self.neighbours[self.bit[middle]] |= self.bit[start] | self.bit[end]
            self.neighbours[self.bit[start]] |= self.bit[middle]
            self.neighbours[self.bit[end]] |= self.bit[middle]
        self.partners = {bit: tuple(mill ^ bit for mill in self.mills if mill & bit) for bit in self.cell_at}
        self.symmetries = tuple(_list_symmetries())

    def image(self, points: int, cell_map: CellMap) -> int:
        """Return a set of points turned, mirrored or with the squares exchanged."""
        return self.to_bits(cell_map[name] for name in self.to_cells(points))

    def to_bits(self, names: Iterable[Cell]) -> int:
        """Return the set of the bits of points."""
        return sum(self.bit[name] for name in names)

    def to_cells(self, points: int) -> tuple[Cell, ...]:
        """Return the points of a set by file, then rank."""
        return self._cell_table.select(points)

    def split_bits(self, points: int) -> tuple[int, ...]:
        """Return the single bits of a set by file, then rank."""
        return self._bit_table.select(points)

    def closes_mill(self, men: int, point: int) -> bool:
        """Return whether a man on `point` (a bit) is in a mill with the other `men` of its side."""
        return any(men & pair == pair for pair in self.partners[point])

    def completing_points(self, men: int) -> int:
        """Return the points where one more man completes a mill with two of `men`."""
        absent, found = self.points & ~men, 0
        for mill in self.mills:
            lacking = mill & absent
            if not lacking & lacking - 1:
                found |= lacking
        return found

    def men_in_mills(self, men: int) -> int:
        """Return which of one side's `men` are in a mill."""
        found = 0
        for mill in self.mills:
            if men & mill == mill:
                found |= mill
        return found


def _orthogonal_lines() -> Iterator[tuple[Cell, ...]]:
    """Yield the sixteen orthogonal lines: the points of each rank and file, three at a time."""
    for axis in (0, 1):
        for mark in sorted({name[axis] for name in POINTS}):
            row = sorted((name for name in POINTS if name[axis] == mark), key=cells.coordinates)
            yield from (tuple(row[start : start + 3]) for start in range(0, len(row), 3))


def _list_symmetries() -> Iterator[CellMap]:
    """Yield the fifteen symmetries besides the identity."""
    turns = [{name: name for name in POINTS}, *cells.square_symmetries(len(RANKS))]
    for number, turn in enumerate(turns):
        if number:
            yield {name: turn[name] for name in POINTS}
        yield {name: _exchange_squares(turn[name]) for name in POINTS}


def _exchange_squares(name: Cell) -> Cell:
    """Return the point of the inner square for one of the outer square, and the other way round."""
    middle = len(RANKS) // 2
    file, rank = (at - middle for at in cells.coordinates(name))
    square = max(abs(file), abs(rank))  # 1, 2 or 3 steps from the middle
    return cells.cell(*(middle + at // square * (len(RANKS) - middle - square) for at in (file, rank)))


@cache
def get_board() -> MorabarabaBoard:
    """Return the one board."""
    return MorabarabaBoard()
