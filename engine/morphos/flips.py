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
    """Return the set of enemy stones that `side` may flip.

    `flipped` is the point of the stone that the enemy flipped on the turn just before (mutator b), or None.
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
        if is_flipped_back_at_once(rules, stones, side, point) or (
            find_restore_for_flip_back(rules, stones, side, point) is not None
        ):
            vulnerable ^= 1 << point
    return vulnerable


def is_vulnerable(rules: Ruleset, stones: Stones, side: Side, flipped: int | None, point: int) -> bool:
    """Return whether the enemy stone on `point` is vulnerable to `side` (Definitions; mutators a, b).

    `flipped` is the same as for :func:`flippable_stones`.
    """
    own = stones.of_side(side).stones_and_edges
    if flipped is not None:
        own |= 1 << flipped
    return rules.patterns.matches(point, own)


def is_flipped_back_at_once(rules: Ruleset, stones: Stones, side: Side, point: int) -> bool:
    """Return whether the enemy stone on `point`, once flipped by `side`, would itself be vulnerable."""
    return rules.patterns.matches(point, stones.of_side(OPPONENT[side]).stones_and_edges)


def find_restore_for_flip_back(rules: Ruleset, stones: Stones, side: Side, point: int) -> int | None:
    """Return an empty point where one enemy stone makes the stone on `point`, flipped by `side`, vulnerable.

    The enemy begins its next turn by putting a stone on an empty point (mutators b and d together, rules
    version 2). Return None if there is no such point or if the rules do not require one.
    """
    if not rules.counts_restored_stone:
        return None
    matches, enemy = rules.patterns.matches, stones.of_side(OPPONENT[side]).stones_and_edges
    for restored in iter_points(stones.empty & pattern_area(point)):
        if matches(point, enemy | 1 << restored):
            return restored
    return None
