"""Where things stand on a picture of a square board, and the labels around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import TYPE_CHECKING

from engine.cells import cell, place
from render.scene import Diagram, Lattice, Point, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.game import Cell
    from render.scene import Shape
    from render.themes import Theme


@dataclass(frozen=True, slots=True)
class Frame:
    """A square board of `size` cells a side, `width` pixels wide with its labels; `turned` by half a turn.

    Cells are whole pixels wide, so that all of them look alike. `rim` pixels all around belong to the
    board beyond its cells, `aisle` pixels at the left and at the right to what stands beside it. What is
    written around it is `large` or not.
    `cell` is the width of a cell, `board` that of all cells together, `left` and `top` where these begin.
    """

    size: int
    width: int
    turned: bool
    rim: int = 0
    aisle: int = 0
    large: bool = False
    cell: int = field(init=False)
    board: int = field(init=False)
    left: int = field(init=False)
    top: int = field(init=False)

    def __post_init__(self) -> None:
        margin = round(self.width / (11 if self.large else 14)) + self.rim + self.aisle
        cell = (self.width - 2 * margin) // self.size
        left = (self.width - cell * self.size) // 2
        measures = {"cell": cell, "board": cell * self.size, "left": left, "top": left - self.aisle}
        for name, pixels in measures.items():
            object.__setattr__(self, name, pixels)

    @property
    def foot(self) -> int:
        """Where the score begins, in pixels from the upper edge: just below the lower labels."""
        return self.top + self.board + self.rim + round(self.width / 16)

    @property
    def height(self) -> int:
        """Height of the picture in pixels: the board, its labels, and the score."""
        return self.foot + round(self.width / (8.5 if self.large else 11))

    @property
    def label(self) -> float:
        """Size of the letters beside the board, in pixels."""
        return self.width / (20 if self.large else 32)

    @property
    def lattice(self) -> Lattice:
        """The board's cells as squares."""
        return Lattice(self.left, self.top, self.cell)

    def square(self, file: int, rank: int) -> tuple[int, int]:
        """Give column and row, from the upper left, of a file and rank that count from 0 at A1."""
        if self.turned:
            return self.size - 1 - file, rank
        return file, self.size - 1 - rank

    def centre(self, name: Cell) -> Point:
        """Give the middle of the cell `name` in pixels. Raises ValueError if there is no such cell."""
        column, row = self.square(*place(name))
        if not (0 <= column < self.size and 0 <= row < self.size):
            raise ValueError(f"{name} is no cell of a board of {self.size} by {self.size}.")
        return self.left + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell

    def labels(self, theme: Theme) -> Iterator[Shape]:
        """Give the files below and above, the ranks left and right."""
        size, gap = self.label, self.width / (24 if self.large else 29) + self.rim
        for index in range(self.size):
            column, row = self.square(index, index)
            x, y = self.left + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell
            for edge in (-gap, self.board + gap):
                yield Text(x, self.top + edge + size * CAP / 2, ascii_uppercase[index], size, theme.label)
                yield Text(self.left + edge, y + size * CAP / 2, str(index + 1), size, theme.label)

    def diagram(self, sign: Callable[[Cell], str], notes: tuple[str, ...]) -> Diagram:
        """Give the board as signs, one for each cell, the way round in which it is pictured."""
        order = range(self.size)
        files = tuple(reversed(order)) if self.turned else tuple(order)
        ranks = files[::-1]
        return Diagram(
            tuple(ascii_uppercase[file] for file in files),
            tuple(str(rank + 1) for rank in ranks),
            tuple(tuple(sign(cell(file, rank)) for file in files) for rank in ranks),
            notes,
        )


CAP = 0.63
"""Height of the bundled font's capitals and figures for a size of 1."""
