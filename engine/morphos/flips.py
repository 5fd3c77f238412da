"""Which enemy stones a side may flip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morphos.board import iter_points
from engine.morphos.patterns import pattern_area
from engine.morphos.stones import OPPONENT

if TYPE_CHECKING:
    from engine.game import Side
    from engine.morphos.ruleset import Ruleset
    from engine.morphos.stones import Stones


def flippable_stones(rules: Ruleset, stones: Stones, side: Side, flipped: int | None) -> int:
    """Return the enemy stones that `side` may flip, as points.

    `flipped` is the point of its own stone that the enemy has just flipped (mutator b), or None.
    """
    enemy = stones.of_side(OPPONENT[side]).stones_and_edges
    vulnerable = stones.vulnerable & enemy
    if not rules.counts_flipped_stone:
        return vulnerable
    matches = rules.patterns.matches
    if flipped is not None:
        own = stones.of_side(side).stones_and_edges | 1 << flipped
        for point in iter_points(enemy & rules.board.points & pattern_area(flipped) & ~vulnerable):
            if matches(point, own):
                vulnerable |= 1 << point
    for point in iter_points(vulnerable):
        if matches(point, enemy):
            vulnerable ^= 1 << point
    return vulnerable


def is_vulnerable(rules: Ruleset, stones: Stones, side: Side, flipped: int | None, point: int) -> bool:
    """Return whether the enemy's stone on `point` is vulnerable to `side` (Definitions; mutators a, b)."""
    own = stones.of_side(side).stones_and_edges
    if flipped is not None:
        own |= 1 << flipped
    return rules.patterns.matches(point, own)


def could_flip_back(rules: Ruleset, stones: Stones, side: Side, point: int) -> bool:
    """Return whether `side`, flipping the stone on `point`.

    Would leave it vulnerable to the enemy (mutator b).
    """
    return rules.patterns.matches(point, stones.of_side(OPPONENT[side]).stones_and_edges)
