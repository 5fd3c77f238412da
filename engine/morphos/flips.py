"""Which enemy stones a side may flip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morphos.board import each
from engine.morphos.patterns import around
from engine.morphos.stones import OTHER

if TYPE_CHECKING:
    from engine.game import Side
    from engine.morphos.ruleset import Ruleset
    from engine.morphos.stones import Stones


def flippable(rules: Ruleset, stones: Stones, side: Side, flipped: int | None) -> int:
    """Give the enemy stones that `side` may flip, as points.

    `flipped` is the point of its own stone that the enemy has just flipped (mutator b), or None.
    """
    enemy = stones.of(OTHER[side]).walls
    weak = stones.weak & enemy
    if not rules.counting:
        return weak
    hold = rules.surrounds.hold
    if flipped is not None:
        own = stones.of(side).walls | 1 << flipped
        for at in each(enemy & rules.board.points & around(flipped) & ~weak):
            if hold(at, own):
                weak |= 1 << at
    for at in each(weak):
        if hold(at, enemy):
            weak ^= 1 << at
    return weak


def vulnerable(rules: Ruleset, stones: Stones, side: Side, flipped: int | None, at: int) -> bool:
    """Tell whether the enemy's stone on `at` is vulnerable to `side` (Definitions; mutators a, b)."""
    own = stones.of(side).walls
    if flipped is not None:
        own |= 1 << flipped
    return rules.surrounds.hold(at, own)


def flips_back(rules: Ruleset, stones: Stones, side: Side, at: int) -> bool:
    """Tell whether `side`, flipping the stone on `at`, would leave it vulnerable to the enemy (mutator b)."""
    return rules.surrounds.hold(at, stones.of(OTHER[side]).walls)
