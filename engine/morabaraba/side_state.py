"""What belongs to one side of Morabaraba, and the numbers of men that matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MEN_CHOICES: Final = (12, 11)
"""How many men each side can start with."""

FLYING_COUNT: Final = 3
"""A side with exactly this many men left, none of them in hand, flies."""

LOSING_COUNT: Final = 2
"""A side with this many men left has lost."""

NO_CAPTURE_LIMIT: Final = 20
"""This many turns in a row without a capture, with both sides at three men, end the game as a draw."""


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
