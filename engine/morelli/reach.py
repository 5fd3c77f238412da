"""Where the stones of a board can slide, looked up line by line.

For every cell the slides that leave it are numbered in the order of their text; a set of
them is an int with those numbers' bits ("slots"). What stands on the lines from the cell picks the slots
that are open, the slots pick the ready-made list of slides. Both tables fill as they are used.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.morelli.board import board
from engine.morelli.moves import Placement, Track

if TYPE_CHECKING:
    from engine.game import Cell
    from engine.morelli.board import Board
    from engine.morelli.moves import Slide

Ray = tuple[tuple[int, int], ...]
"""The cells of one direction, nearest first: the bit of each, and its slot (0 where none may land)."""


class Openings(dict[int, int]):
    """From the stones on some rays (bits, masked by `mask`) to the slots open along them."""

    def __init__(self, rays: tuple[Ray, ...]) -> None:
        super().__init__()
        self.rays = rays
        self.mask = sum(bit for ray in rays for bit, _ in ray)

    def __missing__(self, occupied: int) -> int:
        slots = 0
        for ray in self.rays:
            for bit, slot in ray:
                if occupied & bit:
                    break
                slots |= slot
        self[occupied] = slots
        return slots


class Lists(dict[int, "tuple[Slide, ...]"]):
    """From open slots to the slides themselves, sorted by text."""

    def __init__(self, tracks: tuple[Track, ...]) -> None:
        super().__init__()
        self.tracks = tracks

    def __missing__(self, slots: int) -> tuple[Slide, ...]:
        self[slots] = tuple(track.bare for slot, track in enumerate(self.tracks) if slots >> slot & 1)
        return self[slots]


class Reach:
    """The slides that leave one cell: by text in `tracks`, and by what stands around in the tables."""

    __slots__ = ("lists", "openings")

    def __init__(self, tracks: tuple[Track, ...], rays: tuple[Ray, ...]) -> None:
        self.lists = Lists(tracks)
        self.openings = Openings(rays)


class Lines:
    """All slides of one board; made once by :func:`lines`.

    `tracks` by their text such as ``D1-I6``; `reach` by the bit of the cell left; `placements` by cell.
    """

    def __init__(self, on: Board) -> None:
        self.board = on
        self.tracks: dict[str, Track] = {}
        self.reach: dict[int, Reach] = {}
        self.placements = {name: Placement(name) for name in on.outermost}
        for name in sorted(on.cells):
            if name != on.centre:
                self._add(name)

    def slides(self, start: int, occupied: int) -> tuple[Slide, ...]:
        """Give the slides from the cell of bit `start` over cells not `occupied`, sorted by text."""
        reach = self.reach[start]
        return reach.lists[reach.openings[occupied & reach.openings.mask]]

    def _add(self, name: Cell) -> None:
        rays = [self._ray(name, ray) for ray in self.board.rays(name)]
        tracks = {track.bare.text: track for ray in rays for _, track in ray if track}
        order = sorted(tracks)
        slot = {text: 1 << number for number, text in enumerate(order)}
        numbered = (
            tuple((bit, slot[track.bare.text] if track else 0) for bit, track in ray) for ray in rays if ray
        )
        self.reach[self.board.bit[name]] = Reach(tuple(tracks[text] for text in order), tuple(numbered))
        self.tracks |= {text: tracks[text] for text in order}

    def _ray(self, name: Cell, ray: tuple[Cell, ...]) -> list[tuple[int, Track | None]]:
        """Give the cells of a ray up to the last on which a stone from `name` may land."""
        on = self.board
        way: list[tuple[int, Track | None]] = []
        used = between = 0
        for cell in ray:
            lands = on.band[cell] > on.band[name] and cell != on.centre
            way.append((on.bit[cell], Track(on, name, cell, between) if lands else None))
            between |= on.bit[cell]
            used = len(way) if lands else used
        return way[:used]


@cache
def lines(size: int) -> Lines:
    """Give the slides of the board of `size`; always the same object."""
    return Lines(board(size))
