"""The stones on a board of Morphos, with what is derived from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine.game import Side
from engine.morphos.board import iter_points
from engine.morphos.connectivity import SideStones
from engine.morphos.patterns import pattern_area

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.morphos.board import MorphosBoard
    from engine.morphos.patterns import VulnerablePatterns

OPPONENT: Final[Mapping[Side, Side]] = MappingProxyType({Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK})


@dataclass(frozen=True, slots=True)
class Stones:
    """The stones of both sides on `board`.

    Attributes:
        vulnerable: The set of all stones, of either side, that are vulnerable to the other side.
        empty_flags: For each point in the board's `text_order`, 1 if it is empty, else 0.

    Both follow from the stones. They are updated with every move, which changes them only nearby.
    """

    board: MorphosBoard
    patterns: VulnerablePatterns = field(compare=False, repr=False)
    black: SideStones
    white: SideStones
    vulnerable: int = field(compare=False, repr=False)
    empty_flags: bytes = field(compare=False, repr=False)

    @classmethod
    def from_points(cls, board: MorphosBoard, patterns: VulnerablePatterns, black: int, white: int) -> Stones:
        """Return the stones for two disjoint sets of points."""
        sides = (
            SideStones.from_stones(black, board.black_edges),
            SideStones.from_stones(white, board.white_edges),
        )
        vulnerable = sum(
            1 << point
            for stones, enemy in ((white, sides[0]), (black, sides[1]))
            for point in iter_points(stones)
            if patterns.matches(point, enemy.stones_and_edges)
        )
        empty_flags = bytes(not (black | white) >> point & 1 for point in board.text_order)
        return cls(board, patterns, *sides, vulnerable, empty_flags)

    def of_side(self, side: Side) -> SideStones:
        """Return the stones and edges of `side`."""
        return self.black if side is Side.BLACK else self.white

    def owner(self, point: int) -> Side | None:
        """Return the owner of the stone or edge on `point`, or None if it is empty."""
        if self.black.stones_and_edges >> point & 1:
            return Side.BLACK
        return Side.WHITE if self.white.stones_and_edges >> point & 1 else None

    @property
    def empty(self) -> int:
        """The empty points."""
        return self.board.points & ~(self.black.stones_and_edges | self.white.stones_and_edges)

    def after_placement(self, side: Side, point: int) -> Stones:
        """Return the stones with one of `side` added on the empty `point`."""
        own, enemy = (self.black, self.white) if side is Side.BLACK else (self.white, self.black)
        own = own.with_stone(point)
        vulnerable = self._with_new_vulnerable(point, own, enemy, self.vulnerable)
        index = self.board.text_index[point]
        empty_flags = self.empty_flags[:index] + b"\0" + self.empty_flags[index + 1 :]
        black, white = (own, enemy) if side is Side.BLACK else (enemy, own)
        return Stones(self.board, self.patterns, black, white, vulnerable, empty_flags)

    def after_flip(self, side: Side, point: int) -> Stones:
        """Return the stones with the enemy stone on `point` flipped to `side`."""
        board = self.board
        if side is Side.BLACK:
            own, enemy = self.black.with_stone(point), self.white.without_stone(point, board.white_edges)
        else:
            own, enemy = self.white.with_stone(point), self.black.without_stone(point, board.black_edges)
        vulnerable = self.vulnerable & ~(1 << point)
        for stone in iter_points(vulnerable & own.stones_and_edges & pattern_area(point)):
            if not self.patterns.matches(stone, enemy.stones_and_edges):
                vulnerable ^= 1 << stone
        vulnerable = self._with_new_vulnerable(point, own, enemy, vulnerable)
        black, white = (own, enemy) if side is Side.BLACK else (enemy, own)
        return Stones(board, self.patterns, black, white, vulnerable, self.empty_flags)

    def _with_new_vulnerable(self, point: int, own: SideStones, enemy: SideStones, vulnerable: int) -> int:
        """Return `vulnerable` updated for the new stone of `own` on `point`, itself included."""
        matches = self.patterns.matches
        for stone in iter_points(
            enemy.stones_and_edges & self.board.points & pattern_area(point) & ~vulnerable
        ):
            if matches(stone, own.stones_and_edges):
                vulnerable |= 1 << stone
        return vulnerable | 1 << point if matches(point, enemy.stones_and_edges) else vulnerable
