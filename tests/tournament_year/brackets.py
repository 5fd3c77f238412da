"""A knock-out computed anew: who meets whom in each round, and who wins."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Pair = tuple[int | None, int | None]


def compute_bracket(
    seeds: Mapping[int, int],
    left_in: Mapping[int, int],
    games: Iterable[tuple[int, int, int | None, tuple[int, int]]],
    rounds: int,
) -> tuple[list[list[Pair]], int | None]:
    """Return the pairs of each round, and who remains after the last; None stands for nobody.

    `left_in` is the round in which somebody left, `games` are round, first, second and half points.
    """
    points: dict[tuple[int, int], int] = defaultdict(int)
    for number, first, second, both in games:
        points[number, first] += both[0]
        if second is not None:
            points[number, second] += both[1]
    by_seed = {seed: each for each, seed in seeds.items()}
    places = [by_seed.get(seed) for seed in _order(1 << (len(seeds) - 1).bit_length())]
    result = []
    for number in range(1, rounds + 1):
        there = [None if one is None or left_in.get(one, rounds + 1) < number else one for one in places]
        pairs = list(zip(there[::2], there[1::2], strict=True))
        result.append(pairs)
        places = [_decide(pair, seeds, left_in, points, number) for pair in pairs]
    return result, places[0] if len(places) == 1 else None


def _order(size: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom."""
    if size == 1:
        return [1]
    return [seed for one in _order(size // 2) for seed in (one, size + 1 - one)]


def _decide(
    pair: Pair,
    seeds: Mapping[int, int],
    left_in: Mapping[int, int],
    points: Mapping[tuple[int, int], int],
    number: int,
) -> int | None:
    there = [one for one in pair if one is not None]

    def strength(one: int) -> tuple[int, bool, int]:
        return points.get((number, one), 0), left_in.get(one) != number, -seeds[one]

    return max(there, key=strength, default=None)
