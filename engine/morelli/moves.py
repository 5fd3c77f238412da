"""The moves of Morelli as values: slides, and the placements of the set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morelli.bits import subsets
from engine.written import WrittenMove

if TYPE_CHECKING:
    from engine.game import Cell
    from engine.morelli.board import Board


class Track:
    """A straight way from one cell to another on a band nearer the Centre (§4.2.1), over an empty board.

    `start`, `end`, `between` are bits: the two cells, and those passed over; `path` is all that must be
    empty; `flanks` are those of the end. `bare` is the slide along it that declines nothing; `declining`
    gives, by the directions of the captures possible, those that decline some of them. Slides that have been
    listed are kept, since every game meets the same ones again.
    """

    __slots__ = (
        "_slides",
        "bare",
        "between",
        "board",
        "declining",
        "end",
        "flanks",
        "landing",
        "origin",
        "path",
        "start",
    )

    def __init__(self, board: Board, origin: Cell, landing: Cell, between: int) -> None:
        self.board = board
        self.origin = origin
        self.landing = landing
        self.start = board.bit[origin]
        self.end = board.bit[landing]
        self.between = between
        self.path = between | self.end
        self.flanks = board.flanks[self.end]
        self.bare = Slide(self, 0)
        self.declining = Declining(self)
        self._slides: dict[int, Slide] = {0: self.bare}

    def slide(self, declined: int) -> Slide:
        """Give the slide that declines the captures on `declined` (bits; the Centre: the occupation)."""
        made = self._slides.get(declined)
        if made is None:
            made = self._slides[declined] = Slide(self, declined)
        return made


class Declining(dict[int, tuple["Slide", ...]]):
    """From the directions of the captures possible to the slides that decline any of them, sorted."""

    __slots__ = ("track",)

    def __init__(self, track: Track) -> None:
        super().__init__()
        self.track = track

    def __missing__(self, directions: int) -> tuple[Slide, ...]:
        capturable = self.track.flanks.captured[directions]
        ways = (self.track.slide(declined) for declined in subsets(capturable) if declined)
        self[directions] = tuple(sorted(ways, key=str))
        return self[directions]


class Slide(WrittenMove):
    """A stone's move along a track; `declined` are the bits of what it declines (§5.4, §6.8)."""

    __slots__ = ("declined", "end", "track")

    def __init__(self, track: Track, declined: int) -> None:
        self.track = track
        self.end = track.end
        self.declined = declined
        text = f"{track.origin}-{track.landing}"
        if declined:
            text += "~" + ",".join(track.board.names(declined))
        super().__init__(text)


class Placement(WrittenMove):
    """A stone (free), or a pair (pairs), put on the outermost band during the set-up (§2.6; 2015 §2.3)."""

    __slots__ = ("cell",)

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        super().__init__(cell)
