"""What a position of Morphos consists of, without its legal turns."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import PieceGroup, Position, Side
from engine.morphos.board import iter_points

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Cell, OptionValues
    from engine.morphos.ruleset import Ruleset
    from engine.morphos.stones import Stones


@dataclass(frozen=True, slots=True, repr=False)
class MorphosState(Position):
    """The fields of a position; :class:`engine.morphos.game.MorphosPosition` adds the turns.

    The modules that list, check, parse and describe turns take this class.

    Attributes:
        mover: The side whose turn comes next, also when the game is over.
        turn_count: The number of completed turns, including a swap.
        swapped: Whether the players have changed sides.
        flipped_point: The point of the stone that the enemy flipped on the turn just before (mutator b), or
            None.
        must_restore: Whether the mover first puts a captured stone back (mutator d).
        follows_pass: Whether the turn just before was a pass.

    """

    rules: Ruleset
    board_stones: Stones
    mover: Side
    turn_count: int
    swapped: bool = False
    flipped_point: int | None = None
    must_restore: bool = False
    follows_pass: bool = False

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.mover

    @property
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The stones of each side."""
        return PieceGroup.by_side("stones", self.stones, (Side.BLACK, Side.WHITE))

    @property
    def options(self) -> OptionValues:
        """The size of the board and the mutators."""
        return {"size": self.rules.size, "mutators": self.rules.mutators}

    @property
    def size(self) -> int:
        """Points along one side of the board."""
        return self.rules.size

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """The owner of every stone on the board, by file, then rank."""
        board, black = self.rules.board, self.board_stones.black.stones_and_edges
        white = self.board_stones.white.stones_and_edges
        return MappingProxyType(
            {
                board.cell_at[point]: Side.BLACK if black >> point & 1 else Side.WHITE
                for point in iter_points((black | white) & board.points)
            }
        )

    @property
    def flipped_cell(self) -> Cell | None:
        """The cell of :attr:`flipped_point`, or None."""
        return None if self.flipped_point is None else self.rules.board.cell_at[self.flipped_point]
