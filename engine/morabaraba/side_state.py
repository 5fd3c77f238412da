"""What belongs to one side of Morabaraba, where its men can go, and the numbers that end a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.morabaraba.board import get_board

MEN_CHOICES: Final = (12, 11)
"""How many men each side can start with."""

FLYING_COUNT: Final = 3
"""A side with exactly this many men left, none of them in hand, flies."""

LOSING_COUNT: Final = 2
"""A side with this many men left has lost."""

NO_CAPTURE_LIMIT: Final = 20
"""This many turns in a row without a capture, with both sides at three men, end the game as a draw."""

MOVING_NO_CAPTURE_LIMIT: Final = 100
"""The same with more men, from version 2 of the rules on: turns in which a man moved and none was taken."""


@dataclass(frozen=True, slots=True)
class SideState:
    """The men of one side.

    Attributes:
        men: The points of the men on the board, as bits.
        hand: The number of men in hand.
        forbidden_step: The start and end (bits) of the step straight back that the side may not make on its
            next turn, or None.

    """

    men: int
    hand: int
    forbidden_step: tuple[int, int] | None = None

    @property
    def men_left(self) -> int:
        """The number of men left, on the board and in hand."""
        return self.men.bit_count() + self.hand

    @property
    def can_fly(self) -> bool:
        """Whether the men may go to any empty point: three are left and none is in hand (Flying the men)."""
        return not self.hand and self.men.bit_count() == FLYING_COUNT

    def destinations(self, empty: int, start: int) -> int:
        """Return the points (bits) to which the man on `start` may go, stepping or flying."""
        points = empty if self.can_fly else get_board().neighbours[start] & empty
        if self.forbidden_step and self.forbidden_step[0] == start:
            points &= ~self.forbidden_step[1]
        return points

    def destinations_by_start(self, empty: int) -> list[tuple[int, int]]:
        """Return every start that the side can choose (0 for a placement) with its destinations, as bits."""
        if self.hand:
            return [(0, empty)]
        board = get_board()
        if self.forbidden_step:
            return [(start, self.destinations(empty, start)) for start in board.split_bits(self.men)]
        if self.can_fly:
            return [(start, empty) for start in board.split_bits(self.men)]
        neighbours = board.neighbours
        return [(start, neighbours[start] & empty) for start in board.split_bits(self.men)]


def have_three_each(white: SideState, red: SideState) -> bool:
    """Return whether both sides have three men left."""
    return white.men_left == red.men_left == FLYING_COUNT


def no_capture_limit(white: SideState, red: SideState) -> int:
    """Return how many turns in a row without a capture end the game as a draw."""
    return NO_CAPTURE_LIMIT if have_three_each(white, red) else MOVING_NO_CAPTURE_LIMIT


def removable_men(enemy_men: int) -> int:
    """Return which of `enemy_men` (bits) may be removed: those outside mills, or all if all are in mills."""
    return enemy_men & ~get_board().men_in_mills(enemy_men) or enemy_men
