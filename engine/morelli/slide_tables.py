"""Lookup tables for the slides from a cell, by the occupied cells around it.

The slides from a cell are numbered in the order of their texts; a set of them is an int with the bits of the
numbers ("slots"). The occupied cells on the rays from the cell give the open slots, and the open slots give a
tuple of slides. A stone can get nearer the Centre in three directions at most. The longest ray has a table of
its own and the others share one, which keeps every table small. The tables are filled on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.morelli.moves import Slide, SlidePath

Ray = Sequence[tuple[int, int]]
"""The cells of one direction up to the last landing cell: bit and slot of each; slot 0 for the Centre."""

MAX_SHARED_CELLS = 10
"""All rays of a cell share one table if they have at most this many cells together."""


class RayTable(dict[int, int]):
    """The open slots on some rays, by the occupied cells among those of `mask`."""

    def __init__(self, rays: Iterable[Ray]) -> None:
        super().__init__()
        self.rays = tuple(rays)
        self.mask = sum(bit for ray in self.rays for bit, _ in ray)

    def __missing__(self, occupied: int) -> int:
        slots = 0
        for ray in self.rays:
            for bit, slot in ray:
                if occupied & bit:
                    break
                slots |= slot
        self[occupied] = slots
        return slots


OpenSlides = tuple[int, tuple["Slide", ...]]
"""Slides from one cell: the set of the cells where they end, and the slides, sorted by text."""


class SlideListTable(dict[int, OpenSlides]):
    """The slides from one cell by open slots."""

    def __init__(self, paths: Sequence[SlidePath]) -> None:
        super().__init__()
        self.paths = paths

    def __missing__(self, slots: int) -> OpenSlides:
        paths = [path for slot, path in enumerate(self.paths) if slots >> slot & 1]
        self[slots] = sum(path.end for path in paths), tuple(path.plain_slide for path in paths)
        return self[slots]


class SlideTable:
    """The slides from one cell.

    `tables` is a bare tuple for the sake of speed: mask and table of the longest ray (or of all rays if they
    share one), mask and table of the other rays (or 0 and None), and the slides by open slots.
    """

    __slots__ = ("tables",)

    def __init__(self, rays: Sequence[Ray], paths: Sequence[SlidePath]) -> None:
        lists = SlideListTable(paths)
        self.tables: Tables
        if sum(map(len, rays)) <= MAX_SHARED_CELLS:
            line = RayTable(rays)
            self.tables = (line.mask, line, 0, None, lists)
        else:
            *others, longest = sorted(rays, key=len)
            line, rest = RayTable([longest]), RayTable(others)
            self.tables = (line.mask, line, rest.mask, rest, lists)

    def open_slides(self, occupied: int) -> OpenSlides:
        """Return the slides over cells that are not `occupied`."""
        line_mask, line, rest_mask, rest, lists = self.tables
        slots = line[occupied & line_mask]
        if rest is not None:
            slots |= rest[occupied & rest_mask]
        return lists[slots]


Tables = tuple[int, RayTable, int, RayTable | None, SlideListTable]


class FileTable(dict[int, tuple[Tables, ...]]):
    """The slide tables of the stones on one file, sorted by the text of the cells, by their ranks as bits.

    Cells that no stone can ever leave are left out.
    """

    def __init__(self, slide_tables: Sequence[SlideTable | None]) -> None:
        super().__init__()
        order = sorted(range(len(slide_tables)), key=lambda rank: str(rank + 1))
        self.tables = [
            (1 << rank, table.tables) for rank in order if (table := slide_tables[rank]) is not None
        ]

    def __missing__(self, stones: int) -> tuple[Tables, ...]:
        self[stones] = tuple(tables for bit, tables in self.tables if stones & bit)
        return self[stones]
