"""What is played: the board's size and the mutators."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from typing import Final

from engine.morphos.board import LARGEST, SMALLEST, Board, board
from engine.morphos.moves import Turns, turns
from engine.morphos.patterns import Surrounds, surrounds

SIZES: Final = range(SMALLEST, LARGEST + 1)
NONE: Final = "-"
"""How the empty set of mutators is written."""

MUTATORS: Final = (NONE, *map("".join, chain.from_iterable(combinations("abcde", n) for n in range(1, 6))))
"""Every set of mutators as it is written: sorted letters, or :data:`NONE`."""


class Ruleset:
    """One size with one set of mutators; made once by :func:`ruleset`, never changed.

    The flags say what the mutators do: `counting` (b) counts a stone just flipped as still one's own and
    looks for the win as a turn begins, `doubling` (c) allows two placements, `restoring` (d)
    puts captured stones back, `filled` (e) starts on a full board.
    """

    def __init__(self, size: int, mutators: str) -> None:
        self.size = size
        self.mutators = mutators
        self.counting = "b" in mutators
        self.doubling = "c" in mutators
        self.restoring = "d" in mutators
        self.filled = "e" in mutators
        self.board: Board = board(size)
        self.turns: Turns = turns(size)
        self.surrounds: Surrounds = surrounds(cornered="a" not in mutators)

    def __reduce__(self) -> tuple[object, tuple[int, str]]:
        return ruleset, (self.size, self.mutators)


@cache
def ruleset(size: int, mutators: str) -> Ruleset:
    """Give the rules for a size of :data:`SIZES` and mutators of :data:`MUTATORS`; always the same object."""
    return Ruleset(size, mutators)
