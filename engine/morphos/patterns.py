"""When a stone is vulnerable: the text's two patterns in all eight orientations (Definitions).

The enemy's stones and edges around a stone are cut out of the board and looked up, so that one stone
costs the same on every board.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from engine.morphos.board import HOME, STRIDE

Steps = tuple[tuple[int, int], ...]
"""Files and ranks from the stone on b2 of a pattern."""

SHORT: Steps = ((0, 1), (-1, 1), (-1, 0), (0, -1))
"""The first pattern: b3, a3, a2, b1."""

LONG: Steps = ((-1, 2), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The second pattern: a4, a3, a2, b1, c1."""

CORNERLESS: tuple[Steps, Steps] = (((0, 1), (-1, 0), (0, -1)), ((-1, 1), (-1, 0), (0, -1), (1, -1)))
"""Both patterns under mutator a: without a3 and without a4."""

WINDOW: Final = sum(
    1 << HOME + file * STRIDE + rank
    for file, rank in product(range(-2, 3), repeat=2)
    if file**2 + rank**2 in {1, 2, 5}
)
"""The sixteen points around HOME that the patterns speak of."""


def around(at: int) -> int:
    """Give the points that matter to whether a stone on `at` is vulnerable, and to which `at` matters."""
    return WINDOW << at - HOME


def orientations(pattern: Steps) -> set[int]:
    """Give `pattern` in its eight orientations, as sets of points around HOME."""
    turned = set()
    for east, north, swapped in product((1, -1), (1, -1), (False, True)):
        steps = ((rank, file) if swapped else (file, rank) for file, rank in pattern)
        turned.add(sum(1 << HOME + east * file * STRIDE + north * rank for file, rank in steps))
    return turned


class Surrounds(dict[int, bool]):
    """From what stands on the WINDOW around HOME to whether a pattern is complete; fills as it is used.

    There are at most 65,536 entries, whatever is played.
    """

    def __init__(self, *, cornered: bool) -> None:
        super().__init__()
        self.patterns = frozenset[int]().union(*map(orientations, (SHORT, LONG) if cornered else CORNERLESS))

    def __missing__(self, found: int) -> bool:
        self[found] = any(found & pattern == pattern for pattern in self.patterns)
        return self[found]

    def hold(self, at: int, walls: int) -> bool:
        """Tell whether an enemy's stone on `at` is vulnerable to one side's stones and edges `walls`."""
        return self[walls >> at - HOME & WINDOW]


@cache
def surrounds(*, cornered: bool) -> Surrounds:
    """Give the table for play with (`cornered`) or without the patterns' corner stones; always the same."""
    return Surrounds(cornered=cornered)
