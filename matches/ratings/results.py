"""Counts of a person's results at a game."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from engine.game import Outcome
from matches.options import parse_options
from matches.ratings.values import ResultCounts, Results
from matches.values import Person

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.game import Game, Side
    from storage.match.results import ResultRow

Key = TypeVar("Key")


def count_results(game: Game, account: str, rows: Iterable[ResultRow]) -> Results:
    """Count the results of `account` in these matches."""
    total = ResultCounts()
    by_opponent: defaultdict[Person, ResultCounts] = defaultdict(ResultCounts)
    by_side: defaultdict[Side, ResultCounts] = defaultdict(ResultCounts)
    by_start: defaultdict[str, ResultCounts] = defaultdict(ResultCounts)
    for row in rows:
        first = row.first == account
        opponent = Person(row.second, row.second_name) if first else Person(row.first, row.first_name)
        side = game.sides[0 if first else 1]
        score = _score(Outcome(row.outcome), side)
        total = total.plus(score)
        by_opponent[opponent] = by_opponent[opponent].plus(score)
        by_side[side] = by_side[side].plus(score)
        for start in _start_modes(game, row):
            by_start[start] = by_start[start].plus(score)
    return Results(total, _sort_by_count(by_opponent), _sort_by_count(by_side), _sort_by_count(by_start))


def _score(outcome: Outcome, side: Side) -> float:
    if outcome.winner is None:
        return 0.5
    return 1 if outcome.winner is side else 0


def _start_modes(game: Game, row: ResultRow) -> tuple[str, ...]:
    """Return the start mode of a match, if the game has such an option."""
    option = None if game.simultaneous_choice is None else game.simultaneous_choice.option
    return tuple(str(value) for name, value in parse_options(row.options).items() if name == option)


def _sort_by_count(scores: Mapping[Key, ResultCounts]) -> dict[Key, ResultCounts]:
    """Sort by number of results, the most first; ties keep their order."""
    return dict(sorted(scores.items(), key=lambda item: -item[1].played))
