"""The two patterns that make a stone vulnerable, in all eight orientations (Definitions).

The enemy's stones and edges around a stone are looked up in one table that serves all points of all boards.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from engine.morphos.board import ORIGIN, STRIDE

Steps = tuple[tuple[int, int], ...]
"""Offsets (file, rank) from the stone on b2 of a pattern."""

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
"""The sixteen points around :data:`~engine.morphos.board.ORIGIN` that can be part of a pattern."""


def pattern_area(point: int) -> int:
    """Return the points that can be part of a pattern around `point`.

    A stone on `point` can also be part of a pattern around each of these points.
    """
    return WINDOW << point - ORIGIN


def orientations(pattern: Steps) -> set[int]:
    """Return the eight orientations of `pattern`, as sets of points around :data:`ORIGIN`."""
    turned = set()
    for east, north, swapped in product((1, -1), (1, -1), (False, True)):
        steps = ((rank, file) if swapped else (file, rank) for file, rank in pattern)
        turned.add(sum(1 << ORIGIN + east * file * STRIDE + north * rank for file, rank in steps))
    return turned


class VulnerablePatterns(dict[int, bool]):
    """Whether a pattern is complete, by the enemy's stones and edges in :data:`WINDOW`; filled on demand.

    There are at most 65,536 entries.
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
        """Return whether a stone on `point` is vulnerable to the other side's `stones_and_edges`."""
        return self[stones_and_edges >> point - ORIGIN & WINDOW]


@cache
def get_vulnerable_patterns(*, with_corners: bool) -> VulnerablePatterns:
    """Return the one table for patterns with or without (mutator a) their corner stones."""
    return VulnerablePatterns(with_corners=with_corners)
