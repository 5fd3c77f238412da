"""Swiss rounds: those with equal points meet, nobody meets twice, nobody has two byes.

A round is the matching of least cost. What counts, in this order: not to pair who blocked each other, no
rematch, no second bye; then few points between the two, each side about equally often, and among equals the
upper half against the lower half, so that the strongest meet late. The costs are whole numbers and the field
is in the order of points and seeds: the same input gives the same pairs, in whatever order it comes.

One matching of the whole field is exact, but takes too long for large ones. There the field is divided into
parts of neighbours, each matched exactly. A part that cannot do without a rematch is joined with its
neighbour and matched again, up to a size that bounds the time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from matches.tournaments.results import Blocks, EntrantId, Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matches.tournaments.results import Entrant, TournamentGame

_BLOCKED = 3_000_000_000
_REMATCH = 1_000_000_000  # for each time they have met; no sum of the costs below reaches it
_SECOND_BYE = 500_000_000  # for each bye before
_POINTS = 1_000  # times the square of the difference in half points
_UNEVEN_SIDES = (0, 0, 600, 6_000)  # by how much more often somebody then had one side than the other
_SAME_SIDE = 100  # the same side as in the game before
_FOLD = 90  # times how far off the middle of the group the opponent is, as a part of the group
_EXACT = 72  # entrants up to which the whole field is matched at once
_PART = 48  # entrants of a part of a larger field; even
_LARGEST_PART = 96  # a part as large as that is not joined any more, whoever blocked whom


def count_rounds(entrants: int, asked: int | None = None) -> int:
    """Return how many rounds are played: as many as asked for or as one winner needs, and one more.

    Never more than everybody has opponents, so that a round without rematches can exist.
    """
    if entrants < 2:
        return 0
    usual = (entrants - 1).bit_length() + 1
    return max(1, min(usual if asked is None else asked, entrants - 1))


@dataclass(slots=True)
class _Player:
    """What the pairing knows of an entrant. `surplus`: games with the first side minus those with the second.

    `rank` and `group` are the place among those with the same points, from 0, and how many these are.
    """

    id: EntrantId
    seed: int
    points: int = 0
    surplus: int = 0
    last_side: int = 0
    byes: int = 0
    met: Counter[EntrantId] = field(default_factory=Counter)
    blocked: set[EntrantId] = field(default_factory=set)
    rank: int = 0
    group: int = 1


def pair_swiss_round(
    entrants: Iterable[Entrant],
    games: Iterable[TournamentGame],
    *,
    blocks: Blocks = frozenset(),
    games_per_pair: int = 1,
) -> tuple[Pairing, ...]:
    """Return the pairings of the next round, the highest points first, the bye last.

    Whoever has withdrawn is left out. Fewer than two entrants are not paired: the tournament is over.
    `games` are those of all rounds before; a game that is not over counts nothing. Every further game of a
    pair has the sides swapped.
    """
    field_ = _list_players(entrants, games, blocks)
    if len(field_) < 2:
        return ()
    pairs = _match_field(field_)
    return tuple(
        pairing
        for one, other in sorted(pairs, key=lambda pair: _table_order(*pair))
        for pairing in _make_pairings(one, other, games_per_pair)
    )


def _list_players(
    entrants: Iterable[Entrant], games: Iterable[TournamentGame], blocks: Blocks
) -> list[_Player]:
    """Return those who are still in it, the highest points first, then by seed."""
    players = {one.id: _Player(one.id, one.seed) for one in entrants if one.withdrawn_in is None}
    for game in sorted(games, key=lambda one: (one.stage, one.round, one.number, one.id)):
        for id_, side in zip(game.players, (1, -1), strict=False):
            if id_ in players:
                _count_game(players[id_], game, side)
    for one, other in (tuple(pair) for pair in blocks if len(pair) == 2):
        if one in players and other in players:
            players[one].blocked.add(other)
            players[other].blocked.add(one)
    order = sorted(players.values(), key=lambda player: (-player.points, player.seed))
    sizes, ranks = Counter(player.points for player in order), Counter[int]()
    for player in order:
        player.rank, player.group = ranks[player.points], sizes[player.points]
        ranks[player.points] += 1
    return order


def _count_game(player: _Player, game: TournamentGame, side: int) -> None:
    player.points += game.points_of(player.id) or 0
    opponent = game.opponent_of(player.id)
    if opponent is None:
        player.byes += 1
        return
    player.surplus += side
    player.last_side = side
    if game.number == 1:
        player.met[opponent] += 1


_Pair = tuple[_Player, _Player | None]


def _match_field(players: Sequence[_Player]) -> list[_Pair]:
    if len(players) <= _EXACT:
        return _match_part(players)
    order = _fold(players)
    parts = [order[start : start + _PART] for start in range(0, len(order), _PART)]
    matched = [_match_part(part) for part in parts]
    while len(parts) > 1:
        bad = next((index for index, pairs in enumerate(matched) if _can_improve(pairs)), None)
        if bad is None:
            break
        low = min(bad, len(parts) - 2)
        parts[low : low + 2] = [[*parts[low], *parts[low + 1]]]
        matched[low : low + 2] = [_match_part(parts[low])]
    return [pair for pairs in matched for pair in pairs]


def _can_improve(pairs: Sequence[_Pair]) -> bool:
    if 2 * len(pairs) >= _LARGEST_PART:
        return False
    return any(_pair_cost(one, other) >= _SECOND_BYE for one, other in pairs)


def _fold(players: Sequence[_Player]) -> list[_Player]:
    """Return the field by points, where the upper half of each group lies beside the lower half.

    So a part of the field has both opponents that are to meet.
    """
    half = _PART // 2

    def place(one: _Player) -> tuple[int, int, int]:
        middle = (one.group + 1) // 2
        return -one.points, (one.rank % middle) // half, one.rank

    return sorted(players, key=place)


def _match_part(players: Sequence[_Player]) -> list[_Pair]:
    """Return the pairs of least cost of an even number of players, or of an odd number and a bye."""
    import networkx as nx  # noqa: PLC0415 - large, and most processes never pair a round

    nodes: list[_Player | None] = [*sorted(players, key=lambda one: (-one.points, one.seed))]
    if len(nodes) % 2:
        nodes.append(None)
    lowest = min(one.points for one in players)
    graph = nx.Graph()
    for one, other in combinations(range(len(nodes)), 2):
        # Only the last node can be the bye, so the first of the two is a player.
        cost = _node_cost(nodes[one], nodes[other], lowest)
        graph.add_edge(one, other, weight=-cost)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    pairs = (sorted(pair) for pair in matching)
    return [(player, nodes[other]) for one, other in pairs if (player := nodes[one]) is not None]


def _node_cost(one: _Player | None, other: _Player | None, lowest: int) -> int:
    if one is None:
        raise ValueError("a bye cannot be paired with a bye")
    if other is None:
        return _pair_cost(one, None) + _POINTS * (one.points - lowest) ** 2 + _FOLD - _bye_preference(one)
    return _pair_cost(one, other)


def _bye_preference(one: _Player) -> int:
    return _FOLD * one.rank // one.group


def _pair_cost(one: _Player, other: _Player | None) -> int:
    """Return what it costs to pair two; None is a bye."""
    if other is None:
        return _SECOND_BYE * one.byes
    cost = _REMATCH * one.met[other.id] + _BLOCKED * (other.id in one.blocked)
    cost += _POINTS * (one.points - other.points) ** 2
    cost += min(_side_cost(one, other), _side_cost(other, one))
    if one.points == other.points:
        off = abs(2 * abs(one.rank - other.rank) - one.group)
        cost += -(-_FOLD * off // one.group)
    return cost


def _side_cost(first: _Player, second: _Player) -> int:
    return _cost_of_side(first, 1) + _cost_of_side(second, -1)


def _cost_of_side(player: _Player, side: int) -> int:
    uneven = min(abs(player.surplus + side), len(_UNEVEN_SIDES) - 1)
    return _UNEVEN_SIDES[uneven] + _SAME_SIDE * (player.last_side == side)


def _choose_first(one: _Player, other: _Player) -> tuple[_Player, _Player]:
    """Return who begins and who does not: the cheaper way, else who began less often, else alternating."""
    if one.surplus != other.surplus and _side_cost(one, other) == _side_cost(other, one):
        return (one, other) if one.surplus < other.surplus else (other, one)
    if _side_cost(one, other) == _side_cost(other, one):
        return (one, other) if one.rank % 2 == 0 else (other, one)
    return (one, other) if _side_cost(one, other) < _side_cost(other, one) else (other, one)


def _table_order(one: _Player, other: _Player | None) -> tuple[bool, int, int]:
    points = one.points + (other.points if other else 0)
    return other is None, -points, min(one.seed, other.seed if other else one.seed)


def _make_pairings(one: _Player, other: _Player | None, games: int) -> tuple[Pairing, ...]:
    if other is None:
        return (Pairing(one.id, None),)
    first, second = (player.id for player in _choose_first(one, other))
    is_blocked = other.id in one.blocked
    swapped = {0: (second, first), 1: (first, second)}
    return tuple(
        Pairing(*swapped[number % 2], number=number, is_blocked=is_blocked) for number in range(1, games + 1)
    )
