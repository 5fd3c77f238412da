"""Cells by name: a capital file letter and a rank number, ``A1`` at the lower left.

Files count from the left and ranks from the bottom, both from 0 where they are numbers here and
as A, B, ... and 1, 2, ... in names. No letter is skipped.
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from engine.game import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SIZE = len(ascii_uppercase)
"""The widest board that file letters can name."""

PATTERN = r"[A-Z][1-9][0-9]?"
"""What the name of a cell looks like, as a regular expression on cleaned text."""


def cell(file: int, rank: int) -> Cell:
    """Return the name of the cell at `file` and `rank`, both counted from 0 at the lower left."""
    return Cell(f"{ascii_uppercase[file]}{rank + 1}")


def coordinates(name: Cell) -> tuple[int, int]:
    """Return file and rank, both counted from 0, of a well-formed cell name."""
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def grid(size: int) -> tuple[Cell, ...]:
    """Return every cell of a square board, sorted by file, then rank."""
    return tuple(cell(file, rank) for file in range(size) for rank in range(size))


def sort_cells(names: Iterable[Cell]) -> tuple[Cell, ...]:
    """Sort cells by file, then rank: the order in which the notation lists them."""
    return tuple(sorted(names, key=coordinates))
