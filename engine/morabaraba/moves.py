"""The turns of Morabaraba as values."""

from __future__ import annotations

from functools import cache

from engine.morabaraba.board import Chosen, board
from engine.written import WrittenMove


class Turn(WrittenMove):
    """Placing a man on `end`, or moving it there from `start`; all are bits.

    `start` is 0 for a placement. `removed` is the adverse man taken off for a mill, 0 for none;
    `declines`: a mill is closed and no man is taken.
    """

    __slots__ = ("declines", "end", "removed", "start")

    def __init__(self, start: int, end: int, removed: int = 0, *, declines: bool = False) -> None:
        cell_at = board().cell_at
        text = f"{cell_at[start]}-{cell_at[end]}" if start else str(cell_at[end])
        if removed:
            text += f"x{cell_at[removed]}"
        super().__init__(f"{text}~" if declines else text)
        self.start = start
        self.end = end
        self.removed = removed
        self.declines = declines


class Removals(dict[int, Turn]):
    """The turns that close a mill one way, by the man removed; fills as it is used."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__()
        self.start = start
        self.end = end

    def __missing__(self, removed: int) -> Turn:
        self[removed] = Turn(self.start, self.end, removed)
        return self[removed]


class Way:
    """What can be done with one placement or one step: alone, removing a man, or declining to."""

    __slots__ = ("bare", "declining", "end", "removing", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.bare = Turn(start, end)
        self.declining = Turn(start, end, declines=True)
        self.removing = Removals(start, end)


@cache
def ways() -> dict[int, Chosen[Way]]:
    """Give every way by its start (0 for a placement) and end; always the same object."""
    points = board().cell_at
    return {start: Chosen({end: Way(start, end) for end in points if end != start}) for start in (0, *points)}


def way(start: int, end: int) -> Way:
    """Give the way from `start` (0 for a placement) to `end`, both bits."""
    return ways()[start].by_bit[end]
