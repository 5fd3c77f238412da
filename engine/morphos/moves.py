"""The turns of Morphos as values."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from engine.morphos.board import board
from engine.written import WrittenMove

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.morphos.board import Board


class Kind(Enum):
    """What a regular turn is; the value is the word for it in a choice."""

    PLACE = "place"
    FLIP = "flip"
    SWAP = "swap"
    PASS = "pass"  # noqa: S105 - a kind of turn, no password


class Turn(WrittenMove):
    """One turn: placing on `points` (one, or two under mutator c), flipping the stone there, swap or pass.

    `restored` is the point on which the captured stone is put back first (mutator d), None where none is.
    """

    __slots__ = ("kind", "points", "restored")

    def __init__(self, kind: Kind, points: tuple[int, ...], restored: int | None, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.points = points
        self.restored = restored


SWAP = Turn(Kind.SWAP, (), None, Kind.SWAP.value)
PASS = Turn(Kind.PASS, (), None, Kind.PASS.value)


class Pairs(dict[int, dict[int, Turn]]):
    """Turns that place on two points (mutator c), by the first, then the second; fills as it is used."""

    def __init__(self, on: Board) -> None:
        super().__init__()
        self.board = on

    def __missing__(self, first: int) -> dict[int, Turn]:
        cell_at = self.board.cell_at
        self[first] = {
            second: Turn(Kind.PLACE, (first, second), None, f"{cell_at[first]},{cell_at[second]}")
            for second in self.board.written
            if second > first
        }
        return self[first]


class Turns:
    """The turns on one board; made once by :func:`turns`.

    `placements` stand in the order of their texts, like the board's `written`; `flips` are by point,
    `pairs` by both.
    """

    def __init__(self, on: Board) -> None:
        self.board = on
        self.placements = tuple(Turn(Kind.PLACE, (at,), None, on.cell_at[at]) for at in on.written)
        self.flips = {at: Turn(Kind.FLIP, (at,), None, f"x{on.cell_at[at]}") for at in on.written}
        self.pairs = Pairs(on)

    def placement(self, points: Iterable[int]) -> Turn:
        """Give the turn that places on one or two different points, named in any order."""
        first, *second = sorted(points)
        return self.pairs[first][second[0]] if second else self.placements[self.board.slot[first]]

    def restoring(self, at: int, turn: Turn) -> Turn:
        """Give `turn` with the captured stone put back on `at` first (mutator d)."""
        return Turn(turn.kind, turn.points, at, f"{self.board.cell_at[at]}+{turn.text}")


@cache
def turns(size: int) -> Turns:
    """Give the turns on the board of `size`; always the same object."""
    return Turns(board(size))
