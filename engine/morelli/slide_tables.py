"""Where the stones of a board can slide, looked up line by line.

For every cell the slides that leave it are numbered in the order of their text; a set of them is an int with
those numbers' bits ("slots"). What stands on the lines from the cell says which slots are open, and they
pick the ready-made slides. Since a stone can get nearer the Centre in three directions at most, the longest
line and the others looked up apart keep every table small. The tables fill as they are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.morelli.moves import Slide, SlidePath

Ray = Sequence[tuple[int, int]]
"""The cells of one direction as far as one can land, nearest first: bit and slot, slot 0 for the Centre."""

MAX_SHARED_CELLS = 10
"""Rays with no more cells than this together share one table."""


class RayTable(dict[int, int]):
    """From the stones on some rays, as bits of the board under `mask`, to the slots open along them."""

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
"""Some of the slides from one cell: the cells where they end, as bits, and the slides, sorted by text."""


class SlideListTable(dict[int, OpenSlides]):
    """From open slots to the slides themselves."""

    def __init__(self, paths: Sequence[SlidePath]) -> None:
        super().__init__()
        self.paths = paths

    def __missing__(self, slots: int) -> OpenSlides:
        paths = [track for slot, track in enumerate(self.paths) if slots >> slot & 1]
        self[slots] = sum(track.end for track in paths), tuple(track.plain_slide for track in paths)
        return self[slots]


class SlideTable:
    """The slides that leave one cell.

    `tables`, a bare tuple for the sake of speed: the mask and table of the longest ray (of all rays where
    they are short), those of the others (0 and None where there are none), the lists by open slots.
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
        """Return the slides over cells not `occupied`."""
        line_mask, line, rest_mask, rest, lists = self.tables
        slots = line[occupied & line_mask]
        if rest is not None:
            slots |= rest[occupied & rest_mask]
        return lists[slots]


Tables = tuple[int, RayTable, int, RayTable | None, SlideListTable]


class FileTable(dict[int, tuple[Tables, ...]]):
    """From the stones on one file, as bits by rank, to their reaches' tables, sorted by the cells' text.

    Cells that no stone can leave on any board are left out.
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
