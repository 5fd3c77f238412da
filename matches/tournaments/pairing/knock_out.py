"""Knock-out: a bracket by seed, and who goes on.

The bracket is read from the records each time, so that every process sees the same: stage n of the
tournament is its round n. Two entrants play a *duel*: two games with sides swapped; at equal points a third
with drawn sides and less time. If that is a draw too, or the stage ends before, the higher seed goes on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.tournaments.pairing.drawing import draw_number
from matches.tournaments.results import Blocks, Decision, Entrant, EntrantId, GameState, Pairing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from matches.tournaments.results import TournamentGame

GAMES = 2
"""The games of a duel before a third may be needed."""


class Reason(StrEnum):
    """Why an entrant goes on."""

    FREE = "free"  # there is no opponent
    POINTS = "points"  # more points in the duel
    WITHDRAWN = "withdrawn"  # the opponent has withdrawn
    SEED = "seed"  # equal points at the end: the higher seed


@dataclass(frozen=True, slots=True)
class Duel:
    """Two entrants of a round; None where nobody is. `upper` has the higher seed if both are there.

    `number` counts from 1 down the bracket; the winners of the duels 1 and 2 meet next. `points` are the half
    points of both so far. `winner` and `reason` are None until it is decided, and if nobody is left.
    """

    round: int
    number: int
    upper: EntrantId | None
    lower: EntrantId | None
    points: tuple[int, int] = (0, 0)
    winner: EntrantId | None = None
    reason: Reason | None = None
    needs_third: bool = False

    @property
    def entrants(self) -> tuple[EntrantId, ...]:
        """Return who is there."""
        return tuple(one for one in (self.upper, self.lower) if one is not None)


def bracket_order(size: int) -> tuple[int, ...]:
    """Return the seeds of a bracket from top to bottom: 1 and 2 meet in the last round at the earliest.

    Raises ValueError if `size` is no power of two.
    """
    if size < 1 or size & (size - 1):
        raise ValueError(f"a bracket has a power of two places, not {size}")
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        total = 2 * len(order) + 1
        order = tuple(seed for one in order for seed in (one, total - one))
    return order


def count_rounds(entrants: int) -> int:
    """Return how many rounds lead to one winner."""
    return (entrants - 1).bit_length() if entrants > 1 else 0


def build_bracket(
    entrants: Iterable[Entrant],
    games: Iterable[TournamentGame],
    *,
    ended: int = 0,
    seated: Sequence[Collection[EntrantId]] = (),
) -> tuple[tuple[Duel, ...], ...]:
    """Return the rounds as far as the entrants of each are known, with what the games have decided.

    `ended` is the number of stages whose end date has passed: their duels are all decided. `seated` are the
    entrants of each stage that has begun: they stay, also if a result before was corrected.
    """
    by_seed = sorted(entrants, key=lambda one: one.seed)
    if not by_seed:
        return ()
    by_id = {one.id: one for one in by_seed}
    size = 1 << count_rounds(len(by_seed))
    places = [by_seed[seed - 1].id if seed <= len(by_seed) else None for seed in bracket_order(size)]
    played: dict[tuple[int, frozenset[EntrantId]], list[TournamentGame]] = defaultdict(list)
    for game in games:
        played[game.stage, game.pair].append(game)
    rounds: list[tuple[Duel, ...]] = []
    while len(places) > 1:
        number = len(rounds) + 1
        duels = tuple(
            _keep_seated(
                _decide(_seat(number, place, pair, by_id), played, by_id, is_over=number <= ended),
                seated[number] if number < len(seated) else (),
            )
            for place, pair in enumerate(zip(places[::2], places[1::2], strict=True), 1)
        )
        rounds.append(duels)
        if not all(map(_is_decided, duels)):
            break
        places = [duel.winner for duel in duels]
    return tuple(rounds)


def find_winner(rounds: Sequence[Sequence[Duel]]) -> EntrantId | None:
    """Return who has won the last duel of the bracket, or None as long as it is not decided."""
    return rounds[-1][0].winner if rounds and len(rounds[-1]) == 1 else None


def pair_round(duels: Iterable[Duel], *, blocks: Blocks = frozenset()) -> tuple[Pairing, ...]:
    """Return the games with which a round begins: two for each duel, or a bye.

    The higher seed begins the first one. `Pairing.round` is the number of the duel. Whoever blocked each
    other draws both games, so the higher seed goes on.
    """
    pairings = []
    for duel in duels:
        if duel.upper is not None and duel.lower is not None:
            is_blocked = frozenset(duel.entrants) in blocks
            for number, (first, second) in enumerate(((duel.upper, duel.lower), (duel.lower, duel.upper)), 1):
                pairings.append(Pairing(first, second, duel.number, number, is_blocked=is_blocked))
        else:
            pairings += [Pairing(one, None, duel.number) for one in duel.entrants]
    return tuple(pairings)


def pair_third_game(duel: Duel, published: int) -> Pairing:
    """Return the third game of a duel; the sides are drawn from the number published at the start.

    Raises ValueError if the duel has no two entrants.
    """
    if duel.upper is None or duel.lower is None:
        raise ValueError(f"duel {duel.number} of round {duel.round} has no two entrants")
    first, second = duel.upper, duel.lower
    if draw_number(published, duel.round, duel.number) % 2:
        first, second = second, first
    return Pairing(first, second, duel.number, GAMES + 1)


def list_places(
    entrants: Sequence[Entrant], rounds: Sequence[Sequence[Duel]]
) -> tuple[tuple[int, EntrantId], ...]:
    """Return each entrant after its place, the best first; those who came equally far share a place."""
    reached = dict.fromkeys((one.id for one in entrants), 0)
    for duel in (duel for duels in rounds for duel in duels):
        reached.update(dict.fromkeys(duel.entrants, duel.round))
        if duel.winner is not None:
            reached[duel.winner] = duel.round + 1
    seeds = {one.id: one.seed for one in entrants}
    order = sorted(reached, key=lambda one: (-reached[one], seeds[one]))
    first: dict[int, int] = {}
    for place, one in enumerate(order, 1):
        first.setdefault(reached[one], place)
    return tuple((first[reached[one]], one) for one in order)


def _keep_seated(duel: Duel, seated: Collection[EntrantId]) -> Duel:
    """Return the duel with the winner who plays in the next round, if that has begun."""
    winner = next((one for one in duel.entrants if one in seated), None)
    return duel if winner in (None, duel.winner) else replace(duel, winner=winner, needs_third=False)


def _is_decided(duel: Duel) -> bool:
    return duel.winner is not None or not duel.entrants


def _seat(
    round_: int,
    number: int,
    pair: tuple[EntrantId | None, EntrantId | None],
    by_id: Mapping[EntrantId, Entrant],
) -> Duel:
    """Return the duel of two places. Whoever withdrew in an earlier stage is not there any more."""
    present = [by_id[one] for one in pair if one is not None and not _is_gone(by_id[one], round_)]
    ids: list[EntrantId | None] = [one.id for one in sorted(present, key=lambda one: one.seed)]
    upper, lower = (*ids, None, None)[:2]
    return Duel(round_, number, upper, lower)


def _is_gone(entrant: Entrant, stage: int) -> bool:
    return entrant.withdrawn_in is not None and entrant.withdrawn_in < stage


def _decide(
    duel: Duel,
    played: Mapping[tuple[int, frozenset[EntrantId]], Sequence[TournamentGame]],
    by_id: Mapping[EntrantId, Entrant],
    *,
    is_over: bool,
) -> Duel:
    """Return the duel with its points and, if it is decided, its winner."""
    if duel.upper is None or duel.lower is None:
        return replace(duel, winner=duel.upper, reason=Reason.FREE if duel.upper is not None else None)
    games = [
        game
        for game in played.get((duel.round, frozenset(duel.entrants)), ())
        if game.state is not GameState.ANNULLED
    ]
    points = _sum_points(duel.upper, games), _sum_points(duel.lower, games)
    duel = replace(duel, points=points)
    is_played = len(games) >= GAMES and all(game.state is GameState.OVER for game in games)
    if not (is_played or is_over):
        return duel
    if points[0] != points[1]:
        winner = duel.upper if points[0] > points[1] else duel.lower
        return replace(duel, winner=winner, reason=Reason.POINTS)
    leavers = [one for one in duel.entrants if by_id[one].withdrawn_in is not None]
    if len(leavers) == 1:
        winner = duel.lower if leavers[0] == duel.upper else duel.upper
        return replace(duel, winner=winner, reason=Reason.WITHDRAWN)
    is_blocked = any(game.decision is Decision.BLOCKED for game in games)
    if is_over or is_blocked or leavers or len(games) > GAMES:
        return replace(duel, winner=duel.upper, reason=Reason.SEED)
    return replace(duel, needs_third=True)


def _sum_points(entrant: EntrantId, games: Iterable[TournamentGame]) -> int:
    return sum(game.points_of(entrant) or 0 for game in games)
