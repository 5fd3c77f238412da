"""The board of Morabaraba as bits: 24 points, 20 lines of three, and what lies next to what.

The bit of a point is ``1 << number``, the points counted from 0 by file, then rank. A set of points is an int
with those bits set.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from engine import cells
from engine.game import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

T = TypeVar("T")

POINTS: Final = tuple(
    Cell(name)
    for name in (
        *("A1", "A4", "A7", "B2", "B4", "B6", "C3", "C4", "C5", "D1", "D2", "D3"),
        *("D5", "D6", "D7", "E3", "E4", "E5", "F2", "F4", "F6", "G1", "G4", "G7"),
    )
)
"""Every point by file, then rank; also the order of their texts."""

DIAGONALS: Final = tuple(
    tuple(map(Cell, line))
    for line in (("A1", "B2", "C3"), ("A7", "B6", "C5"), ("E3", "F2", "G1"), ("E5", "F6", "G7"))
)
"""The four lines that Morabaraba adds to those of the rows and columns."""

RANKS: Final = range(1, 8)


class Chosen(dict[int, tuple[T, ...]]):
    """Things by point, and those of a set of points in order with :meth:`of`.

    The table fills as it is used: with tuples for eight points at a time, and for the sets that are looked up
    in it directly; whoever does that keeps them few.
    """

    EIGHTS = (0xFF, 0xFF00, 0xFF0000)

    def __init__(self, by_bit: Mapping[int, T]) -> None:
        super().__init__()
        self.by_bit = by_bit

    def __missing__(self, points: int) -> tuple[T, ...]:
        self[points] = tuple(thing for bit, thing in self.by_bit.items() if bit & points)
        return self[points]

    def of(self, points: int) -> tuple[T, ...]:
        """Give the things of `points` (bits) by file, then rank."""
        low, middle, high = self.EIGHTS
        return self[points & low] + self[points & middle] + self[points & high]


class Board:
    """The empty board; made once by :func:`board`, never changed.

    Attributes: `lines`, the twenty lines as triples of points from end to end; `rows`, the points of each
    rank from 7 down; `bit`, the bit of each point, and `cell_at` back; `points`, the set of all; `mills`,
    each line's set; `nexts`, by bit, the set of the points one step along a line away; `partners`, by bit,
    the sets of the two points that complete each line through it.
    """

    def __init__(self) -> None:
        self.rows = tuple(tuple(name for name in POINTS if name[1] == str(rank)) for rank in reversed(RANKS))
        self.lines = (*_straight(), *DIAGONALS)
        self.bit = {name: 1 << number for number, name in enumerate(POINTS)}
        self.cell_at = {bit: name for name, bit in self.bit.items()}
        self.points = self.set(POINTS)
        self._names = Chosen(self.cell_at)
        self._bits = Chosen({bit: bit for bit in self.cell_at})
        self.mills = tuple(self.set(line) for line in self.lines)
        self.nexts = dict.fromkeys(self.cell_at, 0)
        for start, middle, end in self.lines:
            self.nexts[self.bit[middle]] |= self.bit[start] | self.bit[end]
            self.nexts[self.bit[start]] |= self.bit[middle]
            self.nexts[self.bit[end]] |= self.bit[middle]
        self.partners = {bit: tuple(mill ^ bit for mill in self.mills if mill & bit) for bit in self.cell_at}

    def set(self, names: Iterable[Cell]) -> int:
        """Give points as a set of bits."""
        return sum(self.bit[name] for name in names)

    def names(self, points: int) -> tuple[Cell, ...]:
        """Give the points of a set by file, then rank."""
        return self._names.of(points)

    def each(self, points: int) -> tuple[int, ...]:
        """Give the single bits of a set by file, then rank."""
        return self._bits.of(points)

    def closes(self, men: int, point: int) -> bool:
        """Tell whether a man on `point` (a bit) stands in a mill with the other `men` of its side."""
        return any(men & pair == pair for pair in self.partners[point])

    def completing(self, men: int) -> int:
        """Give the points that lack a man to make a mill with two of one side's `men`."""
        absent, found = self.points & ~men, 0
        for mill in self.mills:
            lacking = mill & absent
            if not lacking & lacking - 1:
                found |= lacking
        return found

    def milled(self, men: int) -> int:
        """Give those of one side's `men` that stand in a mill."""
        found = 0
        for mill in self.mills:
            if men & mill == mill:
                found |= mill
        return found


def _straight() -> Iterator[tuple[Cell, ...]]:
    """Give the sixteen orthogonal lines: every rank and file in threes that no gap parts."""
    for at in (0, 1):
        for mark in sorted({name[at] for name in POINTS}):
            row = sorted((name for name in POINTS if name[at] == mark), key=cells.place)
            yield from (tuple(row[start : start + 3]) for start in range(0, len(row), 3))


@cache
def board() -> Board:
    """Give the board; always the same object."""
    return Board()
