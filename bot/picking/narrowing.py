"""More cells than a menu holds are asked in two steps: first a group of them, then one of the group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picking import is_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Place = tuple[int, int]

LIMIT = 25
# The eight ways of a queen as steps of file and rank, clockwise from the top of the first side's board.
WAYS = {
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
class Group:
    """Some of the cells on offer.

    They lie one way from a stone (`key` is one of :data:`WAYS`) or on one file (`key` is its letter).
    """

    key: str
    cells: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What the group stands for: ``way`` or ``file``."""
        return "way" if self.key in WAYS else "file"


def groups(cells: Sequence[str], origin: str = "") -> tuple[Group, ...]:
    """Give the groups to choose from first, or nothing where a menu holds all `cells`.

    They are sorted by way where every cell lies one of the eight ways from the cell `origin`, else by file.
    """
    if len(cells) <= LIMIT:
        return ()
    if is_cell(origin) and all(way(origin, cell) for cell in cells):
        parted = _parted(cells, lambda cell: way(origin, cell))
        return tuple(parted[key] for key in WAYS if key in parted)
    return tuple(_parted(cells, lambda cell: cell[0]).values())


def within(cells: Sequence[str], origin: str, key: str) -> tuple[str, ...]:
    """Give the cells of one group, all of them where there is no group of that key."""
    return next((group.cells for group in groups(cells, origin) if group.key == key), tuple(cells))


def way(origin: str, cell: str) -> str:
    """Give the key of the way from one cell to another; empty where no straight line joins them."""
    (file, rank), (to_file, to_rank) = _place(origin), _place(cell)
    across, up = to_file - file, to_rank - rank
    if (across, up) == (0, 0) or (across and up and abs(across) != abs(up)):
        return ""
    step = (_sign(across), _sign(up))
    return next(key for key, taken in WAYS.items() if taken == step)


def _parted(cells: Sequence[str], key: Callable[[str], str]) -> dict[str, Group]:
    parts: dict[str, list[str]] = {}
    for cell in cells:
        parts.setdefault(key(cell), []).append(cell)
    return {name: Group(name, tuple(part)) for name, part in parts.items()}


def _place(cell: str) -> Place:
    return ord(cell[0]), int(cell[1:])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
