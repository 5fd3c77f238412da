"""The turns of Morphos as values."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from engine.morphos.board import get_board
from engine.text_move import TextMove

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.morphos.board import MorphosBoard


class TurnKind(Enum):
    """What a regular turn is; the value is the word for it in a choice."""

    PLACE = "place"
    FLIP = "flip"
    SWAP = "swap"
    PASS = "pass"  # noqa: S105 - a kind of turn, no password


class MorphosTurn(TextMove):
    """One turn: placing on `points` (one, or two under mutator c), flipping the stone there, swap or pass.

    `restored` is the point on which the captured stone is put back first (mutator d), None where none is.
    """

    __slots__ = ("kind", "points", "restored")

    def __init__(self, kind: TurnKind, points: tuple[int, ...], restored: int | None, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.points = points
        self.restored = restored


SWAP = MorphosTurn(TurnKind.SWAP, (), None, TurnKind.SWAP.value)
PASS = MorphosTurn(TurnKind.PASS, (), None, TurnKind.PASS.value)


class PairTable(dict[int, dict[int, MorphosTurn]]):
    """Turns that place on two points (mutator c), by the first, then the second; fills as it is used."""

    def __init__(self, board: MorphosBoard) -> None:
        super().__init__()
        self.board = board

    def __missing__(self, first: int) -> dict[int, MorphosTurn]:
        cell_at = self.board.cell_at
        self[first] = {
            second: MorphosTurn(TurnKind.PLACE, (first, second), None, f"{cell_at[first]},{cell_at[second]}")
            for second in self.board.text_order
            if second > first
        }
        return self[first]


class TurnTable:
    """The turns on one board; made once by :func:`get_turn_table`.

    `placements` stand in the order of their texts, like the board's `written`; `flips` are by point,
    `pairs` by both.
    """

    def __init__(self, board: MorphosBoard) -> None:
        self.board = board
        self.placements = tuple(
            MorphosTurn(TurnKind.PLACE, (at,), None, board.cell_at[at]) for at in board.text_order
        )
        self.flips = {
            at: MorphosTurn(TurnKind.FLIP, (at,), None, f"x{board.cell_at[at]}") for at in board.text_order
        }
        self.pairs = PairTable(board)

    def placement(self, points: Iterable[int]) -> MorphosTurn:
        """Return the turn that places on one or two different points, named in any order."""
        first, *second = sorted(points)
        return self.pairs[first][second[0]] if second else self.placements[self.board.text_index[first]]

    def with_restore(self, point: int, turn: MorphosTurn) -> MorphosTurn:
        """Return `turn` with the captured stone put back on `point` first (mutator d)."""
        return MorphosTurn(turn.kind, turn.points, point, f"{self.board.cell_at[point]}+{turn.text}")


@cache
def get_turn_table(size: int) -> TurnTable:
    """Return the turns on the board of `size`; always the same object."""
    return TurnTable(get_board(size))
