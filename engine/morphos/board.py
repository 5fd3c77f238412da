"""The board of Morphos as bits: points, edges and neighbours.

A point is a number, ``(file + 2) * STRIDE + rank + 2``, with file and rank from 0 at the lower left. A set of
points is an int with the bits of their numbers. The numbering is the same for every size. An edge is the line
of points just outside the board on its side. The outer corners and the points beyond the edges are always
empty, so that shifting a set by one step or looking two steps away never wraps around.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from engine import cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.game import Cell, CellMap

MIN_SIZE = 5
MAX_SIZE = 19
MARGIN = 2
STRIDE: Final = MAX_SIZE + MARGIN + 1
"""The difference between the numbers of two neighbours on one rank."""

ORIGIN: Final = MARGIN * STRIDE + MARGIN
"""The number of A1."""

_NEIGHBOUR_MASK = 1 << STRIDE - 1 | 1 << STRIDE + 1 | 1 | 1 << 2 * STRIDE
"""The orthogonal neighbours of the point STRIDE."""


def point_at(file: int, rank: int) -> int:
    """Return the point at `file` and `rank`, both from 0; -1 and the board size are the edges."""
    return (file + MARGIN) * STRIDE + rank + MARGIN


def neighbours(point: int) -> int:
    """Return the set of the four orthogonal neighbours of `point`, edges included."""
    return _NEIGHBOUR_MASK << point - STRIDE


def iter_points(points: int) -> Iterator[int]:
    """Yield the points of a set by file, then rank."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def dilate(points: int) -> int:
    """Return the set of all orthogonal neighbours of a set of points; it may overlap with `points`."""
    return points << 1 | points >> 1 | points << STRIDE | points >> STRIDE


def flood_fill(root: int, seed: int, ground: int) -> int:
    """Return the union of `root`, `seed` and all points of `ground` that are connected to `seed`."""
    rest = ground & ~root & ~seed
    root |= seed
    while seed:
        seed = dilate(seed) & rest
        rest ^= seed
        root |= seed
    return root


class MorphosBoard:
    """The empty board of one size; immutable, created once by :func:`get_board`.

    Attributes:
        cells: All cells by file, then rank.
        point_of: The point of each cell.
        cell_at: The cell of each point.
        points: The set of all points.
        text_order: The points in the order of their cells' texts.
        text_index: The index of each point in `text_order`.
        black_edges: The bottom and the top edge, each a set of `size` points.
        white_edges: The left and the right edge, each a set of `size` points.
        symmetries: The ways to mirror the board that leave each edge with its owner.

    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.cells = cells.grid(size)
        self.point_of = {name: point_at(*cells.coordinates(name)) for name in self.cells}
        self.cell_at = {point: name for name, point in self.point_of.items()}
        self.points = self.to_points(self.cells)
        self.text_order = tuple(self.point_of[name] for name in sorted(self.cells))
        self.text_index = {point: index for index, point in enumerate(self.text_order)}
        along = range(size)
        self.black_edges = tuple(sum(1 << point_at(file, rank) for file in along) for rank in (-1, size))
        self.white_edges = tuple(sum(1 << point_at(file, rank) for rank in along) for file in (-1, size))
        self.symmetries: tuple[CellMap, ...] = cells.square_symmetries(size)[:3]

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return get_board, (self.size,)

    def to_points(self, names: Iterable[Cell]) -> int:
        """Return the set of the points of cells."""
        return sum(1 << self.point_of[name] for name in names)

    def to_cells(self, points: int) -> tuple[Cell, ...]:
        """Return the cells of a set of points by file, then rank."""
        return _to_cells(self.size, points)


@lru_cache(maxsize=64)  # a page asks for the empty cells of one position again and again
def _to_cells(size: int, points: int) -> tuple[Cell, ...]:
    cell_at = get_board(size).cell_at
    return tuple(cell_at[point] for point in iter_points(points))


@cache
def get_board(size: int) -> MorphosBoard:
    """Return the one board of `size`, which is from :data:`MIN_SIZE` to :data:`MAX_SIZE`."""
    return MorphosBoard(size)
