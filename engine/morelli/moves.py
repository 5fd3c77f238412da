"""The moves of Morelli as values: slides, and the placements of the set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morelli.bits import iter_subsets
from engine.text_move import TextMove

if TYPE_CHECKING:
    from engine.game import Cell
    from engine.morelli.board import MorelliBoard


class SlidePath:
    """A straight path from one cell to another on a band nearer the Centre (§4.2.1), on an empty board.

    Attributes:
        origin: The first cell; `start` is its bit.
        landing: The last cell; `end` is its bit.
        between: The set of the cells passed over.
        must_be_empty: The set of the cells that must be empty: `between` and `end`.
        capture_tables: The tables of the landing cell.
        plain_slide: The slide that declines nothing.
        declining_slides: By the directions of the possible captures, the slides that decline some of them.

    Slides are created once and kept, since all games use the same ones.
    """

    __slots__ = (
        "_slides",
        "between",
        "board",
        "capture_tables",
        "declining_slides",
        "end",
        "landing",
        "must_be_empty",
        "origin",
        "plain_slide",
        "start",
    )

    def __init__(self, board: MorelliBoard, origin: Cell, landing: Cell, between: int) -> None:
        self.board = board
        self.origin = origin
        self.landing = landing
        self.start = board.bit[origin]
        self.end = board.bit[landing]
        self.between = between
        self.must_be_empty = between | self.end
        self.capture_tables = board.capture_tables[self.end]
        self.plain_slide = Slide(self, 0)
        self.declining_slides = DecliningSlideTable(self)
        self._slides: dict[int, Slide] = {0: self.plain_slide}

    def slide(self, declined: int) -> Slide:
        """Return the slide that declines `declined`: captures (bits), and the Centre for the occupation."""
        slide = self._slides.get(declined)
        if slide is None:
            slide = self._slides[declined] = Slide(self, declined)
        return slide


class DecliningSlideTable(dict[int, tuple["Slide", ...]]):
    """The slides that decline some captures, sorted, by the directions of the possible captures."""

    __slots__ = ("path",)

    def __init__(self, path: SlidePath) -> None:
        super().__init__()
        self.path = path

    def __missing__(self, directions: int) -> tuple[Slide, ...]:
        capturable = self.path.capture_tables.captured[directions]
        slides = (self.path.slide(declined) for declined in iter_subsets(capturable) if declined)
        self[directions] = tuple(sorted(slides, key=str))
        return self[directions]


class Slide(TextMove):
    """A move of a stone along a path; `declined` is what it declines, as bits (§5.4, §6.8)."""

    __slots__ = ("declined", "end", "path")

    def __init__(self, path: SlidePath, declined: int) -> None:
        self.path = path
        self.end = path.end
        self.declined = declined
        text = f"{path.origin}-{path.landing}"
        if declined:
            text += "~" + ",".join(path.board.to_cells(declined))
        super().__init__(text)


class Placement(TextMove):
    """A placement of a stone (free) or a pair (pairs) on the outermost band (§2.6; 2015 §2.3)."""

    __slots__ = ("cell",)

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        super().__init__(cell)
