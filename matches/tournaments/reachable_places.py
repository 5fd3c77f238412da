"""Which places each entrant can still reach.

With few games left all their results are tried: then the places are exact, tie-breaks included. Otherwise
they are bounds by points, and the true ones lie within: for the best place only those count as above who
will have more points whatever happens, for the worst one all who can still have as many. Both suppose that
nobody withdraws or loses by the clock from here on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from matches.tournaments.results import DRAW, LOSS, WIN, Decision, EntrantId, GameState
from matches.tournaments.standings import build_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.tournaments.results import Entrant, TournamentGame
    from matches.tournaments.standings import Row

GAMES_TO_TRY = 4
"""With so many games left, or fewer, all results are tried: 81 tables at most."""


@dataclass(frozen=True, slots=True)
class ReachablePlaces:
    """The best and the worst place that an entrant can still reach; if not `is_exact`, bounds of them."""

    best: int
    worst: int
    is_exact: bool


def find_reachable_places(
    entrants: Sequence[Entrant], games: Sequence[TournamentGame], rows: Sequence[Row], *, rounds_left: int = 0
) -> dict[EntrantId, ReachablePlaces]:
    """Return the places of each entrant; `rows` are their table as it is.

    `rounds_left` rounds of one game each are not paired yet.
    """
    left = [game for game in games if game.state in {GameState.WAITING, GameState.OPEN}]
    if not rounds_left and len(left) <= GAMES_TO_TRY:
        return _try_all(entrants, games, left)
    return _bound(rows, left, rounds_left)


def _try_all(
    entrants: Sequence[Entrant], games: Sequence[TournamentGame], left: Sequence[TournamentGame]
) -> dict[EntrantId, ReachablePlaces]:
    decided = [game for game in games if game.state is GameState.OVER]
    places: dict[EntrantId, list[int]] = {one.id: [] for one in entrants}
    for results in product(((WIN, LOSS), (DRAW, DRAW), (LOSS, WIN)), repeat=len(left)):
        played = [
            replace(game, state=GameState.OVER, points=points, decision=Decision.PLAYED)
            for game, points in zip(left, results, strict=True)
        ]
        for row in build_table(entrants, [*decided, *played]):
            places[row.entrant].append(row.place)
    return {one: ReachablePlaces(min(seen), max(seen), is_exact=True) for one, seen in places.items()}


def _bound(
    rows: Sequence[Row], left: Sequence[TournamentGame], rounds_left: int
) -> dict[EntrantId, ReachablePlaces]:
    remaining = Counter(player for game in left for player in game.players)
    found: dict[EntrantId, ReachablePlaces] = {}
    levels = sorted({(row.is_filler, row.is_withdrawn) for row in rows})
    for group in ([row for row in rows if (row.is_filler, row.is_withdrawn) == level] for level in levels):
        most = {
            row.entrant: row.points + WIN * (remaining[row.entrant] + rounds_left * (not row.is_withdrawn))
            for row in group
        }
        least, highest = sorted(row.points for row in group), sorted(most.values())
        before = len(found)
        for row in group:
            above = len(group) - bisect_right(least, most[row.entrant])
            at_most = len(group) - bisect_left(highest, row.points)
            found[row.entrant] = ReachablePlaces(before + 1 + above, before + at_most, is_exact=False)
    return found
