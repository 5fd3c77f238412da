"""What stands on the points of a Morphos board, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine.game import Side
from engine.morphos.army import Army
from engine.morphos.board import each
from engine.morphos.patterns import around

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.morphos.board import Board
    from engine.morphos.patterns import Surrounds

OTHER: Final[Mapping[Side, Side]] = MappingProxyType({Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK})


@dataclass(frozen=True, slots=True)
class Stones:
    """The stones of both sides on `board`.

    `weak` are the stones of either side that are vulnerable to the other as they stand; `free` says of
    each point, in the order of the board's `written`, whether it is empty (1) or not (0). Both follow from
    the stones and are carried along, since one placement or flip changes them only nearby.
    """

    board: Board
    surrounds: Surrounds = field(compare=False, repr=False)
    black: Army
    white: Army
    weak: int = field(compare=False, repr=False)
    free: bytes = field(compare=False, repr=False)

    @classmethod
    def standing(cls, board: Board, surrounds: Surrounds, black: int, white: int) -> Stones:
        """Give the stones for two sets of points without a common one."""
        armies = Army.mustered(black, board.black_edges), Army.mustered(white, board.white_edges)
        weak = sum(
            1 << at
            for stones, enemy in ((white, armies[0]), (black, armies[1]))
            for at in each(stones)
            if surrounds.hold(at, enemy.walls)
        )
        free = bytes(not (black | white) >> at & 1 for at in board.written)
        return cls(board, surrounds, *armies, weak, free)

    def of(self, side: Side) -> Army:
        """Give the army of `side`."""
        return self.black if side is Side.BLACK else self.white

    def owner(self, at: int) -> Side | None:
        """Give whose stone is on the point `at`, None where it is empty."""
        if self.black.walls >> at & 1:
            return Side.BLACK
        return Side.WHITE if self.white.walls >> at & 1 else None

    @property
    def empty(self) -> int:
        """The empty points."""
        return self.board.points & ~(self.black.walls | self.white.walls)

    def placed(self, side: Side, at: int) -> Stones:
        """Give the stones with one more of `side` on the empty point `at`."""
        own, enemy = (self.black, self.white) if side is Side.BLACK else (self.white, self.black)
        own = own.with_stone(at)
        weak = self._weakened(at, own, enemy, self.weak)
        slot = self.board.slot[at]
        free = self.free[:slot] + b"\0" + self.free[slot + 1 :]
        black, white = (own, enemy) if side is Side.BLACK else (enemy, own)
        return Stones(self.board, self.surrounds, black, white, weak, free)

    def flipped(self, side: Side, at: int) -> Stones:
        """Give the stones with the enemy's on `at` turned to `side`."""
        board = self.board
        if side is Side.BLACK:
            own, enemy = self.black.with_stone(at), self.white.without_stone(at, board.white_edges)
        else:
            own, enemy = self.white.with_stone(at), self.black.without_stone(at, board.black_edges)
        weak = self.weak & ~(1 << at)
        for stone in each(weak & own.walls & around(at)):
            if not self.surrounds.hold(stone, enemy.walls):
                weak ^= 1 << stone
        weak = self._weakened(at, own, enemy, weak)
        black, white = (own, enemy) if side is Side.BLACK else (enemy, own)
        return Stones(board, self.surrounds, black, white, weak, self.free)

    def _weakened(self, at: int, own: Army, enemy: Army, weak: int) -> int:
        """Give `weak` with what the new stone of `own` on `at` makes vulnerable, itself included."""
        hold = self.surrounds.hold
        for stone in each(enemy.walls & self.board.points & around(at) & ~weak):
            if hold(stone, own.walls):
                weak |= 1 << stone
        return weak | 1 << at if hold(at, enemy.walls) else weak
