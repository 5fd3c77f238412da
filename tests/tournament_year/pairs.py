"""Who met whom: each once, no pair twice, no two byes, sides balanced, brackets as the results say."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from matches.tournaments.values import Kind
from tests.cluster import Violation
from tests.tournament_year.brackets import Pair, compute_bracket
from tests.tournament_year.plan import STEP

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.tournament_year.records import Stored

MILLISECOND = timedelta(milliseconds=1)


def check_swiss(stored: Stored) -> None:
    pairs = [frozenset((one["first"], one["second"])) for one in stored.games.values() if one["second"]]
    byes = [one["first"] for one in stored.games.values() if one["second"] is None]
    if len(set(pairs)) < len(pairs):
        raise Violation("a pair has met twice in a Swiss tournament")
    if len(set(byes)) < len(byes):
        raise Violation("somebody had two byes")
    for stage in stored.stages:
        players = Counter(
            one for game in stored.games_of(stage) for one in (game["first"], game["second"]) if one
        )
        if players != Counter(stored.groups(stage)[0]):
            raise Violation(f"not everybody plays once in round {stage}")


def check_league(stored: Stored) -> None:
    for season in stored.stages:
        for number, group in enumerate(stored.groups(season), 1):
            games = stored.games_of(season, number)
            pairs = Counter(frozenset((one["first"], one["second"])) for one in games)
            if pairs != Counter(map(frozenset, combinations(group, 2))):
                raise Violation(f"not all meet once in season {season}, division {number}")
            begun = Counter(one["first"] for one in games)
            if any(abs(2 * begun[one] - len(group) + 1) > 1 for one in group):
                raise Violation(f"the sides of season {season}, division {number} are not balanced: {begun}")


def compute_rounds(stored: Stored) -> tuple[list[list[Pair]], int | None]:
    """Return the pairs of each round of a knock-out, and the winner."""
    entrants = {number: one for number, one in stored.entrants.items() if one["seed"] is not None}
    left_in = {
        number: one["withdrawn_in"] for number, one in entrants.items() if one["withdrawn"] is not None
    }
    games = [
        (one["stage"], one["first"], one["second"], (one["first_points"], one["second_points"] or 0))
        for one in stored.games.values()
        if one["state"] == "over"
    ]
    seeds = {number: one["seed"] for number, one in entrants.items()}
    return compute_bracket(seeds, left_in, games, (len(seeds) - 1).bit_length())


def check_knock_out(stored: Stored) -> None:
    rounds, _winner = compute_rounds(stored)
    for stage, pairs in zip(stored.stages, rounds, strict=False):
        expected = {frozenset(one for one in pair if one is not None) for pair in pairs} - {frozenset()}
        found = {
            frozenset(one for one in (game["first"], game["second"]) if one is not None)
            for game in stored.games_of(stage)
        }
        if found != expected:
            raise Violation(f"round {stage} of the knock-out has {found}, not {expected}")
        for pair in expected:
            _check_duel(stored, stage, pair)


def _check_duel(stored: Stored, stage: int, pair: frozenset[int]) -> None:
    """Check that two play two games with sides swapped, and a third exactly if these are level in time."""
    both = [one for one in stored.games_of(stage) if {one["first"], one["second"]} - {None} == pair]
    both.sort(key=lambda one: int(one["number"]))
    if len(pair) == 1:
        if [one["decision"] for one in both] != ["bye"]:
            raise Violation(f"{pair} should have a bye in round {stage}: {both}")
        return
    sides = {(one["first"], one["second"]) for one in both[:2]}
    if len(sides) != 2 or [one["number"] for one in both] not in ([1, 2], [1, 2, 3]):
        raise Violation(f"{pair} should meet twice with sides swapped in round {stage}: {both}")
    first = [one["first_points"] if one["first"] == min(pair) else one["second_points"] for one in both[:2]]
    has_left = any(stored.entrants[one]["withdrawn_in"] == stage for one in pair)
    is_blocked = any(one["decision"] == "blocked" for one in both)
    is_early = (
        max(one["ended_at"] for one in both[:2]) < stored.stages[stage]["ends_at"] - STEP // MILLISECOND
    )
    is_level = sum(first) == 2
    if (len(both) == 3 and not is_level) or (
        len(both) == 2 and is_level and is_early and not has_left and not is_blocked
    ):
        raise Violation(f"{pair} have {len(both)} games in round {stage}: {both}")


def check_round_robin(stored: Stored) -> None:
    check_league(stored)
    if len(stored.stages) != 1:
        raise Violation(f"a round robin has {len(stored.stages)} stages")


def check_ladder(stored: Stored) -> None:
    """Check that each had one challenge of their own and one of somebody else at a time."""
    games = [one for one in stored.games.values() if one["opened_at"] is not None]
    for one, other in combinations(games, 2):
        is_same = one["first"] == other["first"] or one["second"] == other["second"]
        if is_same and one["opened_at"] < other["ended_at"] and other["opened_at"] < one["ended_at"]:
            raise Violation(f"two games at once on the ladder: {dict(one)}, {dict(other)}")


CHECKS: Mapping[str, Callable[[Stored], None]] = MappingProxyType(
    {
        Kind.SWISS: check_swiss,
        Kind.LEAGUE: check_league,
        Kind.ROUND_ROBIN: check_round_robin,
        Kind.KNOCK_OUT: check_knock_out,
        Kind.LADDER: check_ladder,
    }
)
"""What is checked of the pairs of each kind."""
