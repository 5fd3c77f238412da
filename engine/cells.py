"""Names of cells: a capital file letter and a rank number, with ``A1`` at the lower left.

As numbers, files count from 0 at the left and ranks from 0 at the bottom. In names they are A, B, ... (no
letter is skipped) and 1, 2, ...
"""

from __future__ import annotations

from functools import lru_cache
from string import ascii_uppercase
from typing import TYPE_CHECKING

from engine.game import Cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_SIZE = len(ascii_uppercase)
"""The largest board size that file letters can name."""

PATTERN = r"[A-Z][1-9][0-9]?"
"""The name of a cell as a regular expression, for normalized text."""


@lru_cache(maxsize=1024)
def cell(file: int, rank: int) -> Cell:
    """Return the name of the cell at `file` and `rank`, both from 0."""
    return Cell(f"{ascii_uppercase[file]}{rank + 1}")


@lru_cache(maxsize=1024)
def coordinates(name: Cell) -> tuple[int, int]:
    """Return the file and the rank, both from 0, of a well-formed cell name."""
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def grid(size: int) -> tuple[Cell, ...]:
    """Return all cells of a square board of `size` x `size`, by file, then rank."""
    return tuple(cell(file, rank) for file in range(size) for rank in range(size))


def sort_cells(names: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the cells sorted by file, then rank, which is the order of the notation."""
    return tuple(sorted(names, key=coordinates))


def square_symmetries(size: int) -> tuple[dict[Cell, Cell], ...]:
    """Return the seven ways to turn or mirror a square board other than leaving it as it is.

    The first three keep files files and ranks ranks: mirrored left to right, top to bottom, and both.
    """
    last = size - 1
    images: tuple[Callable[[int, int], tuple[int, int]], ...] = (
        lambda file, rank: (last - file, rank),
        lambda file, rank: (file, last - rank),
        lambda file, rank: (last - file, last - rank),
        lambda file, rank: (rank, file),
        lambda file, rank: (last - rank, file),
        lambda file, rank: (rank, last - file),
        lambda file, rank: (last - rank, last - file),
    )
    return tuple({name: cell(*image(*coordinates(name))) for name in grid(size)} for image in images)
