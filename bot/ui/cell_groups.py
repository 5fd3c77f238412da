"""Cells in selects: in several at once or, if there are too many, first a group and then a cell of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from move_builder import is_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Coordinates = tuple[int, int]

MAX_OPTIONS = 25
# The eight queen directions as steps of file and rank, clockwise from the top of the first side's board.
DIRECTIONS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}


@dataclass(frozen=True, slots=True)
class CellGroup:
    """A group of the selectable cells.

    They lie in one direction from a stone (`key` is in :data:`DIRECTIONS`) or on one file (`key` is its
    letter).
    """

    key: str
    cells: tuple[str, ...]

    @property
    def kind(self) -> str:
        """``way`` for a direction, ``file`` for a file."""
        return "direction" if self.key in DIRECTIONS else "file"


def group_cells(cells: Sequence[str], origin: str = "", max_selects: int = 1) -> tuple[CellGroup, ...]:
    """Return the groups to select from, or nothing if all `cells` fit in `max_selects` selects.

    Cells are grouped by direction if every cell lies in a queen direction from the cell `origin`, else by
    file.
    """
    if len(cells) <= MAX_OPTIONS * max_selects:
        return ()
    if is_cell(origin) and all(direction(origin, cell) for cell in cells):
        by_direction = _group_by(cells, lambda cell: direction(origin, cell))
        return tuple(by_direction[key] for key in DIRECTIONS if key in by_direction)
    return tuple(_group_by(cells, lambda cell: cell[0]).values())


def split_cells(cells: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cells as the contents of as few selects as possible; whole files together if they fit."""
    needed = ceil(len(cells) / MAX_OPTIONS)
    by_file: list[tuple[str, ...]] = []
    for group in _group_by(cells, lambda cell: cell[0]).values():
        if by_file and len(by_file[-1]) + len(group.cells) <= MAX_OPTIONS:
            by_file[-1] += group.cells
        else:
            by_file.append(group.cells)
    if len(by_file) == needed:
        return by_file
    size = ceil(len(cells) / max(needed, 1))
    return [tuple(cells[start : start + size]) for start in range(0, len(cells), size or 1)]


def cells_in_group(cells: Sequence[str], origin: str, key: str, max_selects: int = 1) -> tuple[str, ...]:
    """Return the cells of a group; all of them if no group has this key."""
    groups = group_cells(cells, origin, max_selects)
    return next((group.cells for group in groups if group.key == key), tuple(cells))


def direction(origin: str, cell: str) -> str:
    """Return the direction from one cell to another; empty if they are not on a common queen line."""
    (file, rank), (to_file, to_rank) = _coordinates(origin), _coordinates(cell)
    across, up = to_file - file, to_rank - rank
    if (across, up) == (0, 0) or (across and up and abs(across) != abs(up)):
        return ""
    vector = (_sign(across), _sign(up))
    return next(key for key, taken in DIRECTIONS.items() if taken == vector)


def _group_by(cells: Sequence[str], key: Callable[[str], str]) -> dict[str, CellGroup]:
    cells_by_key: dict[str, list[str]] = {}
    for cell in cells:
        cells_by_key.setdefault(key(cell), []).append(cell)
    return {name: CellGroup(name, tuple(group)) for name, group in cells_by_key.items()}


def _coordinates(cell: str) -> Coordinates:
    return ord(cell[0]), int(cell[1:])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
