"""Where things stand on a picture of a square board, and the labels around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import TYPE_CHECKING

from engine.cells import cell, coordinates
from render.scene import Diagram, Grid, Point, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.game import Cell
    from render.scene import Shape
    from render.themes import ThemeColours


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """A square board of `size` cells a side, `width` pixels wide with its labels.

    `is_flipped` by half a turn.

    Cells are whole pixels wide, so that all of them look alike. `border` pixels all around belong to the
    board beyond its cells, `side_margin` pixels at the left and at the right to what stands beside it. What
    is written around it is `large_labels` or not. `cell_width` is the width of a cell, `board_width` that of
    all cells together, `left` and `top` where these begin.
    """

    size: int
    width: int
    is_flipped: bool
    border: int = 0
    side_margin: int = 0
    large_labels: bool = False
    cell_width: int = field(init=False)
    board_width: int = field(init=False)
    left: int = field(init=False)
    top: int = field(init=False)

    def __post_init__(self) -> None:
        margin = round(self.width / (11 if self.large_labels else 14)) + self.border + self.side_margin
        cell_width = (self.width - 2 * margin) // self.size
        left = (self.width - cell_width * self.size) // 2
        measures = {
            "cell_width": cell_width,
            "board_width": cell_width * self.size,
            "left": left,
            "top": left - self.side_margin,
        }
        for name, pixels in measures.items():
            object.__setattr__(self, name, pixels)

    @property
    def status_top(self) -> int:
        """Where the score begins, in pixels from the upper edge: just below the lower labels."""
        return self.top + self.board_width + self.border + round(self.width / 16)

    @property
    def height(self) -> int:
        """Height of the picture in pixels: the board, its labels, and the score."""
        return self.status_top + round(self.width / (8.5 if self.large_labels else 11))

    @property
    def label_size(self) -> float:
        """Size of the letters beside the board, in pixels."""
        return self.width / (20 if self.large_labels else 32)

    @property
    def grid(self) -> Grid:
        """The board's cells as squares."""
        return Grid(self.left, self.top, self.cell_width)

    def grid_position(self, file: int, rank: int) -> tuple[int, int]:
        """Return column and row, from the upper left, of a file and rank that count from 0 at A1."""
        if self.is_flipped:
            return self.size - 1 - file, rank
        return file, self.size - 1 - rank

    def centre(self, name: Cell) -> Point:
        """Return the middle of the cell `name` in pixels. Raises ValueError if there is no such cell."""
        column, row = self.grid_position(*coordinates(name))
        if not (0 <= column < self.size and 0 <= row < self.size):
            raise ValueError(f"{name} is no cell of a board of {self.size} by {self.size}.")
        return self.left + (column + 0.5) * self.cell_width, self.top + (row + 0.5) * self.cell_width

    def labels(self, theme: ThemeColours) -> Iterator[Shape]:
        """Return the files below and above, the ranks left and right."""
        size, gap = self.label_size, self.width / (24 if self.large_labels else 29) + self.border
        for index in range(self.size):
            column, row = self.grid_position(index, index)
            x, y = self.left + (column + 0.5) * self.cell_width, self.top + (row + 0.5) * self.cell_width
            for edge in (-gap, self.board_width + gap):
                yield Text(
                    x, self.top + edge + size * CAPITAL_HEIGHT / 2, ascii_uppercase[index], size, theme.label
                )
                yield Text(self.left + edge, y + size * CAPITAL_HEIGHT / 2, str(index + 1), size, theme.label)

    def diagram(self, symbol_of: Callable[[Cell], str], notes: tuple[str, ...]) -> Diagram:
        """Return the board as signs, one for each cell, the way round in which it is pictured."""
        order = range(self.size)
        files = tuple(reversed(order)) if self.is_flipped else tuple(order)
        ranks = files[::-1]
        return Diagram(
            tuple(ascii_uppercase[file] for file in files),
            tuple(str(rank + 1) for rank in ranks),
            tuple(tuple(symbol_of(cell(file, rank)) for file in files) for rank in ranks),
            notes,
        )


CAPITAL_HEIGHT = 0.63
"""Height of the bundled font's capitals and figures for a size of 1."""
