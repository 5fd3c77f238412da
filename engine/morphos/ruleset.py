"""What is played: the board's size and the mutators."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from typing import Final

from engine.morphos.board import MAX_SIZE, MIN_SIZE, MorphosBoard, get_board
from engine.morphos.moves import TurnTable, get_turn_table
from engine.morphos.patterns import VulnerablePatterns, get_vulnerable_patterns

SIZES: Final = range(MIN_SIZE, MAX_SIZE + 1)
NO_MUTATORS: Final = "-"
"""How the empty set of mutators is written."""

MUTATORS: Final = (
    NO_MUTATORS,
    *map("".join, chain.from_iterable(combinations("abcde", n) for n in range(1, 6))),
)
"""Every set of mutators as it is written: sorted letters, or :data:`NO_MUTATORS`."""


class Ruleset:
    """One size with one set of mutators; made once by :func:`get_ruleset`, never changed.

    The flags say what the mutators do: `counts_flipped_stone` (b) counts a stone just flipped as still one's
    own and looks for the win as a turn begins, `allows_two_placements` (c) allows two placements,
    `restores_captured` (d) puts captured stones back, `starts_full` (e) starts on a full board.
    """

    def __init__(self, size: int, mutators: str) -> None:
        self.size = size
        self.mutators = mutators
        self.counts_flipped_stone = "b" in mutators
        self.allows_two_placements = "c" in mutators
        self.restores_captured = "d" in mutators
        self.starts_full = "e" in mutators
        self.board: MorphosBoard = get_board(size)
        self.turn_table: TurnTable = get_turn_table(size)
        self.patterns: VulnerablePatterns = get_vulnerable_patterns(with_corners="a" not in mutators)

    def __reduce__(self) -> tuple[object, tuple[int, str]]:
        return get_ruleset, (self.size, self.mutators)


@cache
def get_ruleset(size: int, mutators: str) -> Ruleset:
    """Return the rules for a size of :data:`SIZES` and mutators of :data:`MUTATORS`.

    Always the same object.
    """
    return Ruleset(size, mutators)
