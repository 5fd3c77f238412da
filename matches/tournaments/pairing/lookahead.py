"""Whether the rounds to come can be paired without forbidden pairs: an exact search for small fields.

A field is a sequence of bit masks: bit j of mask i is set if i and j may be paired, once. With an odd number
of players the bye is one of the places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Matching = tuple[tuple[int, int], ...]

STEPS = 20_000
"""How many pairs a search tries; then it takes what it does not know for possible."""


@dataclass(slots=True)
class Search:
    """A search that ends after a number of steps, so that its time is bounded whatever the field."""

    steps: int = STEPS
    _known: dict[tuple[tuple[int, ...], int, int], bool] = field(default_factory=dict)

    def can_pair(self, masks: tuple[int, ...], rounds: int, above: int = 0) -> bool:
        """Return whether so many rounds can be paired, in which the first place meets places from `above` on.

        The order of rounds does not matter, so only that of the first place's opponents is tried.
        """
        if not rounds or self.steps <= 0:
            return True
        if any(mask.bit_count() < rounds for mask in masks) or (masks[0] >> above).bit_count() < rounds:
            return False
        key = masks, rounds, above
        if key not in self._known:
            self._known[key] = any(
                self.can_pair(remove_pairs(masks, pairs), rounds - 1, pairs[0][1] + 1)
                for pairs in self._list_rounds(masks, above)
            )
        return self._known[key]

    def _list_rounds(self, masks: tuple[int, ...], above: int) -> Iterator[Matching]:
        for pairs in list_matchings((masks[0] >> above << above, *masks[1:])):
            self.steps -= 1
            yield pairs


def list_matchings(masks: Sequence[int]) -> Iterator[Matching]:
    """Return all ways to pair everybody, each with the first place in its first pair."""
    yield from _extend((1 << len(masks)) - 1, masks)


def _extend(free: int, masks: Sequence[int]) -> Iterator[Matching]:
    if not free:
        yield ()
        return
    one = (free & -free).bit_length() - 1
    rest = free & ~(1 << one)
    others = rest & masks[one]
    while others:
        bit = others & -others
        others ^= bit
        for pairs in _extend(rest ^ bit, masks):
            yield ((one, bit.bit_length() - 1), *pairs)


def remove_pairs(masks: Sequence[int], pairs: Matching) -> tuple[int, ...]:
    """Return the field after a round: who was paired may not meet again."""
    left = list(masks)
    for one, other in pairs:
        left[one] &= ~(1 << other)
        left[other] &= ~(1 << one)
    return tuple(left)
