"""What belongs to one side of Morabaraba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LOSING_COUNT: Final = 2
"""With so many men left a side has lost."""

FLYING_COUNT: Final = 3
"""With so many men left, none of them in hand, a side flies."""


@dataclass(frozen=True, slots=True)
class SideState:
    """One side's `men` on the board as bits, those in `hand`, and the move `forbidden_step` to it.

    `forbidden_step` is the start and the end of the step straight back that the side may not make on its
    next turn, as bits, or None.
    """

    men: int
    hand: int
    forbidden_step: tuple[int, int] | None = None

    @property
    def men_left(self) -> int:
        """How many men are left, on the board and in hand."""
        return self.men.bit_count() + self.hand

    @property
    def can_fly(self) -> bool:
        """Whether men go to any empty point: exactly three are left and none is in hand (Flying the men)."""
        return not self.hand and self.men.bit_count() == FLYING_COUNT
