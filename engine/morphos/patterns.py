"""When a stone is vulnerable: the text's two patterns in all eight orientations (Definitions).

The enemy's stones and edges around a stone are cut out of the board and looked up, so that one stone
costs the same on every board.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from engine.morphos.board import ORIGIN, STRIDE

Steps = tuple[tuple[int, int], ...]
"""Files and ranks from the stone on b2 of a pattern."""

SHORT_PATTERN: Steps = ((0, 1), (-1, 1), (-1, 0), (0, -1))
"""The first pattern: b3, a3, a2, b1."""

LONG_PATTERN: Steps = ((-1, 2), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The second pattern: a4, a3, a2, b1, c1."""

CORNERLESS_PATTERNS: tuple[Steps, Steps] = (((0, 1), (-1, 0), (0, -1)), ((-1, 1), (-1, 0), (0, -1), (1, -1)))
"""Both patterns under mutator a: without a3 and without a4."""

WINDOW: Final = sum(
    1 << ORIGIN + file * STRIDE + rank
    for file, rank in product(range(-2, 3), repeat=2)
    if file**2 + rank**2 in {1, 2, 5}
)
"""The sixteen points around HOME that the patterns speak of."""


def pattern_area(point: int) -> int:
    """Return the points that matter to whether a stone on `point` is vulnerable.

    And to which `point` matters.
    """
    return WINDOW << point - ORIGIN


def orientations(pattern: Steps) -> set[int]:
    """Return `pattern` in its eight orientations, as sets of points around HOME."""
    turned = set()
    for east, north, swapped in product((1, -1), (1, -1), (False, True)):
        steps = ((rank, file) if swapped else (file, rank) for file, rank in pattern)
        turned.add(sum(1 << ORIGIN + east * file * STRIDE + north * rank for file, rank in steps))
    return turned


class VulnerablePatterns(dict[int, bool]):
    """From what stands on the WINDOW around HOME to whether a pattern is complete; fills as it is used.

    There are at most 65,536 entries, whatever is played.
    """

    def __init__(self, *, with_corners: bool) -> None:
        super().__init__()
        self.patterns = frozenset[int]().union(
            *map(orientations, (SHORT_PATTERN, LONG_PATTERN) if with_corners else CORNERLESS_PATTERNS)
        )

    def __missing__(self, found: int) -> bool:
        self[found] = any(found & pattern == pattern for pattern in self.patterns)
        return self[found]

    def matches(self, point: int, stones_and_edges: int) -> bool:
        """Return whether an enemy stone on `point` is vulnerable to `stones_and_edges` of one side."""
        return self[stones_and_edges >> point - ORIGIN & WINDOW]


@cache
def get_vulnerable_patterns(*, with_corners: bool) -> VulnerablePatterns:
    """Return the table for play with (`with_corners`) or without the patterns' corner stones.

    Always the same.
    """
    return VulnerablePatterns(with_corners=with_corners)
