"""Tables computed anew from results.

Points come first; among equals the games against each other if all have met equally often, Sonneborn-Berger,
fewer lost clocks, wins with the second side, the seed. Who has left is last.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

NOT_PLAYED = ("by_default", "blocked", "bye")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one entrant got against another (None: a bye), in half points."""

    own: int
    other: int | None
    points: int
    lost_clock: bool
    won_second: bool


def read_outcomes(games: Iterable[tuple[int, int | None, tuple[int, int], str]]) -> list[Outcome]:
    """Return what each game was for both: `games` are first, second, points and decision."""
    found = []
    for first, second, points, decision in games:
        is_clock = decision == "lost_clock"
        found.append(Outcome(first, second, points[0], is_clock and points[0] == 0, won_second=False))
        if second is not None:
            won = points[1] == 2 and decision not in NOT_PLAYED
            found.append(Outcome(second, first, points[1], is_clock and points[1] == 0, won))
    return found


def compute_table(
    group: Sequence[int], seeds: Mapping[int, int], left: frozenset[int], outcomes: Sequence[Outcome]
) -> list[tuple[int, int]]:
    """Return the entrants of a group in the order of places, each with its half points."""
    own: dict[int, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        own[one.own].append(one)
    points = {each: sum(one.points for one in own[each]) for each in group}

    def meet(tied: Sequence[int]) -> Callable[[int], int]:
        met = {(a, b): sum(one.other == b for one in own[a]) for a in tied for b in tied if a != b}
        if len(set(met.values())) > 1:
            return lambda _each: 0
        return lambda each: sum(one.points for one in own[each] if one.other in tied and one.other != each)

    def berger(each: int) -> int:
        return sum(one.points * points.get(one.other, 0) for one in own[each] if one.other is not None)

    def sort(tied: list[int]) -> list[int]:
        rules: list[Callable[[int], int]] = [
            lambda each: -int(each in left),
            lambda each: points[each],
            meet(tied),
            berger,
            lambda each: -sum(one.lost_clock for one in own[each]),
            lambda each: sum(one.won_second for one in own[each]),
            lambda each: -seeds[each],
        ]
        for rule in rules:
            values = sorted({rule(each) for each in tied}, reverse=True)
            if len(values) > 1:
                parts = [sort([each for each in tied if rule(each) == value]) for value in values]
                return [each for part in parts for each in part]
        return tied

    return [(each, points[each]) for each in sort(list(group))]
