"""The table of a tournament, and which rule decided between two neighbours.

Points come first. Between equals decide, in this order: the games against each other, if all of them have
met equally often; the Sonneborn-Berger score; fewer lost clocks; more wins with the second side; the seed.
Once a rule has divided a group, the rules begin again for each part. Who has withdrawn is below all others,
and the computer, which only fills an odd place, below everybody, whatever its points.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from matches.tournaments.results import DRAW, LOSS, WIN, Decision, EntrantId, GameState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from matches.tournaments.results import Entrant, TournamentGame


class TieBreak(StrEnum):
    """The rule that puts one entrant above another."""

    FILLER = "filler"
    WITHDRAWN = "withdrawn"
    POINTS = "points"
    DIRECT = "direct"
    SONNEBORN_BERGER = "sonneborn_berger"
    LOST_CLOCKS = "lost_clocks"
    SECOND_SIDE = "second_side"
    SEED = "seed"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an entrant is above the next one: the rule, and the numbers of both by it.

    `DIRECT`: half points in the games among the `tied` that were equal so far; `SONNEBORN_BERGER`: quarters
    of a point; `POINTS`: half points; `LOST_CLOCKS`, `SECOND_SIDE`: how many; `SEED`: the seeds.
    `FILLER`, `WITHDRAWN`: 0 and 1.
    """

    rule: TieBreak
    own: int
    next: int
    tied: tuple[EntrantId, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table. Points are halves, the Sonneborn-Berger score is in quarters.

    `games` are those that are over and count, byes included. `above_next` is why the next row is below;
    None in the last one.
    """

    place: int
    entrant: EntrantId
    points: int
    games: int
    wins: int
    draws: int
    losses: int
    sonneborn_berger: int
    lost_clocks: int
    second_side_wins: int
    seed: int
    is_withdrawn: bool
    is_filler: bool
    above_next: Explanation | None = None


@dataclass(slots=True)
class _Score:
    points: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    sonneborn_berger: int = 0
    lost_clocks: int = 0
    second_side_wins: int = 0


_Counts = defaultdict[EntrantId, defaultdict[EntrantId, int]]


@dataclass(slots=True)
class _Results:
    """What the games that are over say: for each entrant points and games (`met`) against each other one."""

    scores: dict[EntrantId, _Score]
    scored: _Counts
    met: _Counts
    seeds: Mapping[EntrantId, int]
    withdrawn: frozenset[EntrantId]
    fillers: frozenset[EntrantId]


def build_table(entrants: Iterable[Entrant], games: Iterable[TournamentGame]) -> tuple[Row, ...]:
    """Return the table, the first place first. Games that are not over or annulled do not count."""
    results = _read_results(tuple(entrants), games)
    explanations: dict[EntrantId, Explanation] = {}
    order = _order_group(tuple(sorted(results.scores, key=results.seeds.__getitem__)), results, explanations)
    return tuple(_make_row(place, one, results, explanations.get(one)) for place, one in enumerate(order, 1))


def _make_row(place: int, one: EntrantId, results: _Results, above_next: Explanation | None) -> Row:
    score = results.scores[one]
    return Row(
        place,
        one,
        score.points,
        score.wins + score.draws + score.losses,
        score.wins,
        score.draws,
        score.losses,
        score.sonneborn_berger,
        score.lost_clocks,
        score.second_side_wins,
        results.seeds[one],
        one in results.withdrawn,
        one in results.fillers,
        above_next,
    )


def _read_results(entrants: Sequence[Entrant], games: Iterable[TournamentGame]) -> _Results:
    scores = {one.id: _Score() for one in entrants}
    results = _Results(
        scores,
        defaultdict(lambda: defaultdict(int)),
        defaultdict(lambda: defaultdict(int)),
        {one.id: one.seed for one in entrants},
        frozenset(one.id for one in entrants if one.withdrawn_in is not None),
        frozenset(one.id for one in entrants if one.is_filler),
    )
    over = [game for game in games if game.state is GameState.OVER]
    for game in over:
        for one in game.players:
            if one in scores:
                _count_game(results, one, game)
    for one, scored in results.scored.items():
        scores[one].sonneborn_berger = sum(points * scores[other].points for other, points in scored.items())
    return results


def _count_game(results: _Results, one: EntrantId, game: TournamentGame) -> None:
    score, points = results.scores[one], game.points_of(one) or 0
    score.points += points
    score.wins += points == WIN
    score.draws += points == DRAW
    score.losses += points == LOSS
    score.lost_clocks += game.decision is Decision.LOST_CLOCK and points == LOSS
    other = game.opponent_of(one)
    if other is None:
        return
    is_played = game.decision not in {Decision.BY_DEFAULT, Decision.BLOCKED}
    score.second_side_wins += is_played and one == game.second and points == WIN
    if other in results.scores:
        results.scored[one][other] += points
        results.met[one][other] += 1


def _order_group(
    group: tuple[EntrantId, ...], results: _Results, explanations: dict[EntrantId, Explanation]
) -> tuple[EntrantId, ...]:
    """Return a group that is equal so far in its order, and note what decided between neighbours."""
    if len(group) < 2:
        return group
    rule, values = _find_rule(group, results)
    parts = defaultdict[int, list[EntrantId]](list)
    for one in group:
        parts[values[one]].append(one)
    order = sorted(parts, reverse=rule in _MORE_IS_BETTER)
    ordered = [_order_group(tuple(parts[value]), results, explanations) for value in order]
    for above, below in pairwise(ordered):
        explanations[above[-1]] = Explanation(rule, values[above[-1]], values[below[0]], group)
    return tuple(one for part in ordered for one in part)


def _find_rule(group: tuple[EntrantId, ...], results: _Results) -> tuple[TieBreak, Mapping[EntrantId, int]]:
    """Return the first rule that tells members of a group apart, with the number of each."""
    for rule, read in _RULES.items():
        values = read(group, results)
        if len(set(values.values())) > 1:
            return rule, values
    raise ValueError("two entrants have the same seed")


def _read_direct(group: tuple[EntrantId, ...], results: _Results) -> Mapping[EntrantId, int]:
    """Return the points in the games of a group, or nothing if not all have met equally often."""
    if any(len(results.met[one]) < len(group) - 1 for one in group):
        return {}
    if len({results.met[one].get(other, 0) for one in group for other in group if one != other}) > 1:
        return {}
    return {one: sum(results.scored[one].get(other, 0) for other in group) for one in group}


def _reader_of(name: str) -> Callable[[tuple[EntrantId, ...], _Results], Mapping[EntrantId, int]]:
    def read(group: tuple[EntrantId, ...], results: _Results) -> Mapping[EntrantId, int]:
        return {one: getattr(results.scores[one], name) for one in group}

    return read


_RULES: Mapping[TieBreak, Callable[[tuple[EntrantId, ...], _Results], Mapping[EntrantId, int]]] = {
    TieBreak.FILLER: lambda group, results: {one: int(one in results.fillers) for one in group},
    TieBreak.WITHDRAWN: lambda group, results: {one: int(one in results.withdrawn) for one in group},
    TieBreak.POINTS: _reader_of("points"),
    TieBreak.DIRECT: _read_direct,
    TieBreak.SONNEBORN_BERGER: _reader_of("sonneborn_berger"),
    TieBreak.LOST_CLOCKS: _reader_of("lost_clocks"),
    TieBreak.SECOND_SIDE: _reader_of("second_side_wins"),
    TieBreak.SEED: lambda group, results: {one: results.seeds[one] for one in group},
}
_MORE_IS_BETTER = frozenset(
    {TieBreak.POINTS, TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.SECOND_SIDE}
)
