"""All slides of a board, and lookup of those with an empty path."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.morelli.board import get_board
from engine.morelli.moves import Placement, SlidePath
from engine.morelli.slide_tables import FileTable, SlideTable

if TYPE_CHECKING:
    from engine.game import Cell
    from engine.morelli.board import MorelliBoard
    from engine.morelli.moves import Slide

RayPaths = list[tuple[int, SlidePath | None]]
"""The cells of one direction up to the last landing cell: bit and path of each; None for the Centre."""


class SlideIndex:
    """All slides and placements of one board; created once by :func:`get_slide_index`.

    Attributes:
        paths: The paths by their text, such as ``D1-I6``.
        slide_tables: The slides from each cell that a stone can leave, by its bit.
        file_tables: For each file from A on, how far to shift a set of cells to the right, and the table for
            the result under `file_mask`.
        placements: The placements by cell.

    """

    def __init__(self, board: MorelliBoard) -> None:
        self.board = board
        self.paths: dict[str, SlidePath] = {}
        self.slide_tables: dict[int, SlideTable] = {}
        self.placements = {name: Placement(name) for name in board.outermost}
        for name in board.cells:
            self._add_cell(name)
        self.file_mask = (1 << board.size) - 1
        self.file_tables = tuple((file * board.stride, self._file_table(file)) for file in range(board.size))

    def open_slides(self, start: int, occupied: int) -> tuple[Slide, ...]:
        """Return the slides from the cell `start` (a bit) over cells not `occupied`, sorted by text."""
        table = self.slide_tables.get(start)
        return table.open_slides(occupied)[1] if table else ()

    def _file_table(self, file: int) -> FileTable:
        ranks = range(self.board.size)
        return FileTable([self.slide_tables.get(self.board.bit_at(file, rank)) for rank in ranks])

    def _add_cell(self, name: Cell) -> None:
        ray_paths = [
            found for found in (self._ray_paths(name, ray) for ray in self.board.rays(name)) if found
        ]
        paths = {path.plain_slide.text: path for ray in ray_paths for _, path in ray if path}
        if not paths:
            return
        order = sorted(paths)
        slots = {text: 1 << number for number, text in enumerate(order)}
        rays = [
            [(bit, slots[path.plain_slide.text] if path else 0) for bit, path in ray] for ray in ray_paths
        ]
        self.slide_tables[self.board.bit[name]] = SlideTable(rays, [paths[text] for text in order])
        self.paths |= paths

    def _ray_paths(self, name: Cell, ray: tuple[Cell, ...]) -> RayPaths:
        """Return the cells of `ray` up to the last where a stone from `name` may land (§4.2.1, §4.2.4)."""
        board = self.board
        paths: RayPaths = []
        length = between = 0
        for cell in ray:
            lands = board.band[cell] > board.band[name] and cell != board.centre
            paths.append((board.bit[cell], SlidePath(board, name, cell, between) if lands else None))
            between |= board.bit[cell]
            length = len(paths) if lands else length
        return paths[:length]


@cache
def get_slide_index(size: int) -> SlideIndex:
    """Return the one index for the board of `size`."""
    return SlideIndex(get_board(size))
