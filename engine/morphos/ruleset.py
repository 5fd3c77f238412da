"""The rules in play: the size of the board, the mutators and the version of the rules."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from typing import Final

from engine.morphos.board import MAX_SIZE, MIN_SIZE, MorphosBoard, get_board
from engine.morphos.moves import TurnTable, get_turn_table
from engine.morphos.patterns import VulnerablePatterns, get_vulnerable_patterns

SIZES: Final = range(MIN_SIZE, MAX_SIZE + 1)
"""Points along one side of the boards."""

NO_MUTATORS: Final = "-"
"""The text of the empty set of mutators."""

MUTATORS: Final = (
    NO_MUTATORS,
    *map("".join, chain.from_iterable(combinations("abcde", n) for n in range(1, 6))),
)
"""The text of every set of mutators: sorted letters, or :data:`NO_MUTATORS`."""

RULES_VERSIONS: Final = (1, 2)
"""The versions of the rules, oldest first.

They differ where mutators b and d are both in play: version 1 looks for a flip back only on the board right
after a flip, version 2 also after the enemy has put the captured stone back.
"""


class Ruleset:
    """One board size with one set of mutators under one version of the rules; immutable.

    :func:`get_ruleset` creates each one once, so rule sets are compared by identity.

    Attributes:
        counts_flipped_stone: Mutator b: a stone that has just been flipped still counts for its former owner,
            and the win is checked at the start of a turn.
        allows_two_placements: Mutator c: a turn may place two stones.
        restores_captured: Mutator d: a turn after a flip begins by putting the captured stone back.
        starts_full: Mutator e: the board starts full.
        counts_restored_stone: Whether a flip is also illegal if the enemy could flip the stone back with the
            help of the captured stone (mutators b and d together, from version 2 on).

    """

    def __init__(self, size: int, mutators: str, version: int) -> None:
        self.size = size
        self.mutators = mutators
        self.version = version
        self.counts_flipped_stone = "b" in mutators
        self.allows_two_placements = "c" in mutators
        self.restores_captured = "d" in mutators
        self.starts_full = "e" in mutators
        self.counts_restored_stone = self.counts_flipped_stone and self.restores_captured and version > 1
        self.board: MorphosBoard = get_board(size)
        self.turn_table: TurnTable = get_turn_table(size)
        self.patterns: VulnerablePatterns = get_vulnerable_patterns(with_corners="a" not in mutators)

    def __reduce__(self) -> tuple[object, tuple[int, str, int]]:
        return get_ruleset, (self.size, self.mutators, self.version)


@cache
def get_ruleset(size: int, mutators: str, version: int) -> Ruleset:
    """Return the rule set for one of :data:`SIZES`, :data:`MUTATORS` and :data:`RULES_VERSIONS`.

    The same arguments always give the same object.
    """
    return Ruleset(size, mutators, version)
