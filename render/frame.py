"""Where things stand on a picture of a square board, and what surrounds every board."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

from render.scene import Lattice, Point, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Cell
    from render.scene import Shape
    from render.themes import Theme

FILES = ascii_uppercase


@dataclass(frozen=True, slots=True)
class Frame:
    """A board of `size` × `size` cells on a picture `width` pixels wide, A1 at the upper right if `turned`."""

    size: int
    width: int
    turned: bool

    @property
    def cell(self) -> int:
        """Width of a cell in whole pixels."""
        return (self.width - 2 * round(self.width / 28)) // self.size

    @property
    def left(self) -> int:
        """Distance of the board from the left and upper edges."""
        return (self.width - self.cell * self.size) // 2

    @property
    def board(self) -> int:
        """Width of the board."""
        return self.cell * self.size

    @property
    def height(self) -> int:
        """Height of the picture: the board, its labels, and a foot for the score."""
        return self.left + self.board + round(self.width * 0.095)

    @property
    def lattice(self) -> Lattice:
        """The board's cells as squares."""
        return Lattice(self.left, self.left, self.cell)

    def place(self, file: int, rank: int) -> tuple[int, int]:
        """Column and row on the picture, from the upper left, of a file and rank that count from 0."""
        if self.turned:
            return self.size - 1 - file, rank
        return file, self.size - 1 - rank

    def centre(self, cell: Cell) -> Point:
        """Give the middle of `cell` in pixels."""
        column, row = self.place(FILES.index(cell[0]), int(cell[1:]) - 1)
        return self.left + (column + 0.5) * self.cell, self.left + (row + 0.5) * self.cell

    def labels(self, theme: Theme) -> Iterator[Shape]:
        """Files below and above, ranks left and right."""
        size, half = self.left * 0.52, self.left / 2
        far = self.left + self.board + half
        for index in range(self.size):
            column, row = self.place(index, index)
            x, y = self.left + (column + 0.5) * self.cell, self.left + (row + 0.5) * self.cell
            for edge in (half, far):
                yield Text(x, edge + 0.32 * size, FILES[index], size, theme.label)
                yield Text(edge, y + 0.32 * size, str(index + 1), size, theme.label)
