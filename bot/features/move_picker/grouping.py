"""More cells than a menu holds are asked in two steps: first a group of them, then one of the group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from move_builder import is_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Coordinates = tuple[int, int]

MAX_OPTIONS = 25
# The eight ways of a queen as steps of file and rank, clockwise from the top of the first side's board.
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
    """Some of the cells on offer.

    They lie one way from a stone (`key` is one of :data:`DIRECTIONS`) or on one file (`key` is its letter).
    """

    key: str
    cells: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What the group stands for: ``way`` or ``file``."""
        return "direction" if self.key in DIRECTIONS else "file"


def group_cells(cells: Sequence[str], origin: str = "") -> tuple[CellGroup, ...]:
    """Return the groups to choose from first, or nothing where a menu holds all `cells`.

    They are sorted by way where every cell lies one of the eight ways from the cell `origin`, else by file.
    """
    if len(cells) <= MAX_OPTIONS:
        return ()
    if is_cell(origin) and all(direction(origin, cell) for cell in cells):
        by_direction = _group_by(cells, lambda cell: direction(origin, cell))
        return tuple(by_direction[key] for key in DIRECTIONS if key in by_direction)
    return tuple(_group_by(cells, lambda cell: cell[0]).values())


def cells_in_group(cells: Sequence[str], origin: str, key: str) -> tuple[str, ...]:
    """Return the cells of one group, all of them where there is no group of that key."""
    return next((group.cells for group in group_cells(cells, origin) if group.key == key), tuple(cells))


def direction(origin: str, cell: str) -> str:
    """Return the key of the way from one cell to another; empty where no straight line joins them."""
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
