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
    """The kind of a turn; the value is its name in a choice of the move builder."""

    PLACE = "place"
    FLIP = "flip"
    SWAP = "swap"
    PASS = "pass"  # noqa: S105 - a kind of turn, no password


class MorphosTurn(TextMove):
    """One turn.

    Attributes:
        points: Where a stone is placed (two points under mutator c) or flipped; empty for a swap or a pass.
        restored: Where the captured stone is put back first (mutator d), or None.

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
    """The turns that place two stones (mutator c), by first and second point; filled on demand."""

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
    """All turns on one board; created once by :func:`get_turn_table`.

    Attributes:
        placements: The single placements in the order of the board's `text_order`.
        flips: The flips by point.
        pairs: The double placements by both points.

    """

    def __init__(self, board: MorphosBoard) -> None:
        self.board = board
        self.placements = tuple(
            MorphosTurn(TurnKind.PLACE, (point,), None, board.cell_at[point]) for point in board.text_order
        )
        self.flips = {
            point: MorphosTurn(TurnKind.FLIP, (point,), None, f"x{board.cell_at[point]}")
            for point in board.text_order
        }
        self.pairs = PairTable(board)

    def placement(self, points: Iterable[int]) -> MorphosTurn:
        """Return the turn that places on one point or on two different points, given in any order."""
        first, *second = sorted(points)
        return self.pairs[first][second[0]] if second else self.placements[self.board.text_index[first]]

    def with_restore(self, point: int, turn: MorphosTurn) -> MorphosTurn:
        """Return `turn` with the captured stone put back on `point` first (mutator d)."""
        return MorphosTurn(turn.kind, turn.points, point, f"{self.board.cell_at[point]}+{turn.text}")


@cache
def get_turn_table(size: int) -> TurnTable:
    """Return the one table for the board of `size`."""
    return TurnTable(get_board(size))
