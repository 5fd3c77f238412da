"""The geometry of a picture of a square board: cells, labels, status bar."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from string import ascii_uppercase
from typing import TYPE_CHECKING

from engine.cells import cell, coordinates
from render.scene import Background, Diagram, Grid, Point, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from engine.game import Cell
    from render.scene import Colour, PixelRect, Shape
    from render.themes import ThemeColours


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """A square board of `size` by `size` cells in a picture `width` pixels wide.

    With `is_flipped` the board is turned by 180 degrees. `border` pixels on each side belong to the board
    outside its cells; `side_margin` pixels at the left and right are free for what a game puts there. With
    `large_labels` all text is larger. All measures are in pixels: `cell_width` is a whole number, so that all
    cells look alike; `board_width` is that of all cells; `left` and `top` are where they begin.
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
        """Upper edge of the status bar: just below the lower labels."""
        return self.top + self.board_width + self.border + round(self.width / 16)

    @property
    def height(self) -> int:
        """Height of the picture: the board, its labels and the status bar."""
        return self.status_top + round(self.width / (8.5 if self.large_labels else 11))

    @property
    def label_size(self) -> float:
        """Font size of the labels."""
        return self.width / (20 if self.large_labels else 32)

    @property
    def status_panels(self) -> tuple[PixelRect, PixelRect, PixelRect]:
        """Rectangles of the status bar: the first side's badge, the last turn, the second side's badge."""
        stone_size = round(self.width / (13 if self.large_labels else 17))
        width, height = round(2.7 * stone_size), ceil(BADGE_HEIGHT * stone_size)
        y = self.status_top + (self.height - self.status_top) // 2 - round(stone_size / 10)
        line_height = ceil(LINE_HEIGHT * 0.5 * stone_size)
        inner = self.board_width - 2 * width - stone_size
        return (
            (self.left, y - height // 2, width, height),
            (self.left + width + stone_size // 2, y - line_height // 2, inner, line_height),
            (self.left + self.board_width - width, y - height // 2, width, height),
        )

    @property
    def grid(self) -> Grid:
        """The board's cells as squares."""
        return Grid(self.left, self.top, self.cell_width)

    def centre(self, name: Cell) -> Point:
        """Return the middle of a cell. Raises ValueError if the board has no such cell."""
        file, rank = coordinates(name)
        column, row = (self.size - 1 - file, rank) if self.is_flipped else (file, self.size - 1 - rank)
        if not (0 <= column < self.size and 0 <= row < self.size):
            raise ValueError(f"{name} is no cell of a board of {self.size} by {self.size}.")
        return self.left + (column + 0.5) * self.cell_width, self.top + (row + 0.5) * self.cell_width

    def labels(self, theme: ThemeColours) -> Iterator[Shape]:
        """Return the labels: files below and above, ranks left and right."""
        size, gap = self.label_size, self.width / (24 if self.large_labels else 29) + self.border
        for index in range(self.size):
            x, y = self.centre(cell(index, index))
            for edge in (-gap, self.board_width + gap):
                yield Text(
                    x, self.top + edge + size * CAPITAL_HEIGHT / 2, ascii_uppercase[index], size, theme.label
                )
                yield Text(self.left + edge, y + size * CAPITAL_HEIGHT / 2, str(index + 1), size, theme.label)

    def diagram(self, symbols: Mapping[Cell, str], notes: tuple[str, ...], empty: str) -> Diagram:
        """Return the board as symbols, `empty` for all other cells, turned as the picture is."""
        order = range(self.size)
        files = tuple(reversed(order)) if self.is_flipped else tuple(order)
        ranks = files[::-1]
        return Diagram(
            tuple(ascii_uppercase[file] for file in files),
            tuple(str(rank + 1) for rank in ranks),
            tuple(tuple([symbols.get(cell(file, rank), empty) for file in files]) for rank in ranks),
            notes,
        )


def build_background(
    layout: BoardLayout, theme: ThemeColours, shapes: Iterable[Shape], palette: tuple[Colour, ...]
) -> Background:
    """Return the background with the labels of `layout` and a game's own `shapes` over them."""
    return Background(
        width=layout.width,
        height=layout.height,
        grid=layout.grid,
        fill=theme.background,
        shapes=(*layout.labels(theme), *shapes),
        palette=palette,
        panels=layout.status_panels,
    )


CAPITAL_HEIGHT = 0.63
"""Height of the bundled font's capitals and digits for a size of 1."""

BADGE_HEIGHT, LINE_HEIGHT = 1.06, 1.3
"""Heights of the panels for a badge and for a line of text whose own height is 1."""
