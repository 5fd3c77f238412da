"""Swiss rounds: those with equal points meet, nobody meets twice, nobody has two byes.

A round is the matching of least cost. What counts, in this order: not to pair who blocked each other, no
rematch, no second bye; then few points between the two, each side about equally often, and among equals the
upper half against the lower half, so that the strongest meet late. The costs are whole numbers and the field
is in the order of points and seeds: the same input gives the same pairs, in whatever order it comes.

A round must not use up the opponents of later ones: in a small field only those pairs are taken after which
the rounds to come can be paired too (`lookahead`), as many of them as possible if people have left.

One matching of the whole field is exact, but takes too long for large ones. There the field is divided into
parts of neighbours, each matched exactly. Whoever is left over in a part then exchanges opponents with
another pair of the field, the one with which that costs least.
"""

from __future__ import annotations

from itertools import combinations
from operator import itemgetter
from typing import TYPE_CHECKING

from matches.tournaments.pairing.lookahead import Matching, Search, list_matchings, remove_pairs
from matches.tournaments.pairing.round_robin import berger_table
from matches.tournaments.pairing.swiss_costs import (
    FORBIDDEN,
    Pair,
    Player,
    choose_first,
    cost_in_field,
    cost_of_pair,
    is_allowed,
    list_players,
)
from matches.tournaments.results import Blocks, Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matches.tournaments.results import Entrant, TournamentGame

_SEARCHED = 12  # entrants up to which the rounds to come are searched
_EXACT = 72  # entrants up to which the whole field is matched at once
_PART = 48  # entrants of a part of a larger field; even


def count_rounds(entrants: int, asked: int | None = None) -> int:
    """Return how many rounds are played: as many as asked for or as one winner needs, and one more.

    Never more than everybody has opponents, so that a round without rematches can exist.
    """
    if entrants < 2:
        return 0
    usual = (entrants - 1).bit_length() + 1
    return max(1, min(usual if asked is None else asked, entrants - 1))


def pair_swiss_round(
    entrants: Iterable[Entrant],
    games: Iterable[TournamentGame],
    *,
    blocks: Blocks = frozenset(),
    games_per_pair: int = 1,
    rounds: int | None = None,
) -> tuple[Pairing, ...]:
    """Return the pairings of the next round, the highest points first, the bye last.

    Whoever has withdrawn is left out. Fewer than two entrants are not paired: the tournament is over.
    `games` are those of all rounds before; a game that is not over counts nothing. Every further game of a
    pair has the sides swapped. `rounds` are those of the whole tournament, by default as many as usual.
    """
    entrants, games = tuple(entrants), tuple(games)
    field_ = list_players(entrants, games, blocks)
    if len(field_) < 2:
        return ()
    if rounds is None:
        rounds = count_rounds(len({one.id for one in entrants}.union(*(game.players for game in games))))
    played = max((game.stage for game in games), default=0)
    pairs = _match_field(field_, max(rounds - played - 1, 0))
    return tuple(
        pairing
        for one, other in sorted(pairs, key=lambda pair: _table_order(*pair))
        for pairing in _make_pairings(one, other, games_per_pair)
    )


def _match_field(players: Sequence[Player], later: int) -> list[Pair]:
    """Return the pairs of the next round, after which there are `later` ones."""
    if len(players) > _EXACT:
        return _match_parts(players)
    pairs = _match_part(players)
    if len(players) <= _SEARCHED:
        return _look_ahead(players, pairs, later)
    return _play_all(players, later) or pairs


def _play_all(players: Sequence[Player], later: int) -> list[Pair] | None:
    """Return the round of the Berger table, if everybody is to meet everybody and it was kept so far."""
    nodes: list[Player | None] = [*sorted(players, key=lambda one: one.seed)]
    table = berger_table(len(nodes) + len(nodes) % 2)
    if later >= len(table):
        return None
    nodes += [None] * (len(nodes) % 2)
    pairs = [(min(pair) - 1, max(pair) - 1) for pair in table[-later - 1]]
    named = _name_pairs(nodes, pairs)
    is_whole = all(one.met.total() + one.byes + later + 1 >= len(table) - 1 for one in players)
    return named if is_whole and all(is_allowed(*pair) for pair in named) else None


def _look_ahead(players: Sequence[Player], cheapest: list[Pair], later: int) -> list[Pair]:
    """Return the cheapest pairs after which `later` rounds can do without anything forbidden.

    If not so many can, then as many as possible.
    """
    nodes = _list_nodes(players)
    masks = _read_masks(nodes)
    if any(not is_allowed(*pair) for pair in cheapest):
        return cheapest
    search, most = Search(), min(later, *(mask.bit_count() - 1 for mask in masks))
    if search.can_pair(remove_pairs(masks, _find_places(nodes, cheapest)), most):
        return cheapest
    costs = _list_costs(nodes)
    found = sorted(list_matchings(masks), key=lambda pairs: (sum(map(costs.__getitem__, pairs)), pairs))
    best = next(
        pairs
        for ahead in range(most, -1, -1)
        for pairs in found
        if search.can_pair(remove_pairs(masks, pairs), ahead)
    )
    return _name_pairs(nodes, best)


def _read_masks(nodes: Sequence[Player | None]) -> tuple[int, ...]:
    """Return whom each may meet, as bits."""
    masks = [0] * len(nodes)
    for one, other in combinations(range(len(nodes)), 2):
        if is_allowed(nodes[one], nodes[other]):
            masks[one] |= 1 << other
            masks[other] |= 1 << one
    return tuple(masks)


def _match_parts(players: Sequence[Player]) -> list[Pair]:
    order = _fold(players)
    parts = (order[start : start + _PART] for start in range(0, len(order), _PART))
    return _exchange([pair for part in parts for pair in _match_part(part)])


def _exchange(pairs: list[Pair]) -> list[Pair]:
    """Return the pairs, where those who may not meet exchange opponents with another pair if that helps."""
    for index, (one, other) in enumerate(pairs):
        if is_allowed(one, other):
            continue
        ways = (
            (cost_of_pair(*first) + cost_of_pair(*second) - cost_of_pair(*pairs[at]), at, first, second)
            for at, (third, fourth) in enumerate(pairs)
            if at != index
            for first, second in _swap(one, other, third, fourth)
        )
        cost, at, first, second = min(ways, key=itemgetter(0))
        if cost < cost_of_pair(one, other):
            pairs[index], pairs[at] = first, second
    return pairs


def _swap(one: Player, other: Player | None, third: Player, fourth: Player | None) -> list[tuple[Pair, Pair]]:
    """Return the ways to pair the players of two pairs otherwise; a bye stays second."""
    if other is None:
        return [] if fourth is None else [((third, None), (one, fourth)), ((fourth, None), (one, third))]
    if fourth is None:
        return [((one, third), (other, None)), ((other, third), (one, None))]
    return [((one, third), (other, fourth)), ((one, fourth), (other, third))]


def _fold(players: Sequence[Player]) -> list[Player]:
    """Return the field by points, where the upper half of each group lies beside the lower half.

    So a part of the field has both opponents that are to meet.
    """
    half = _PART // 2

    def place(one: Player) -> tuple[int, int, int]:
        middle = (one.group + 1) // 2
        return -one.points, (one.rank % middle) // half, one.rank

    return sorted(players, key=place)


def _match_part(players: Sequence[Player]) -> list[Pair]:
    """Return the pairs of least cost of an even number of players, or of an odd number and a bye.

    Those who may not meet are paired only if they are left over, so that many blocks take no time.
    """
    nodes = _list_nodes(players)
    costs = _list_costs(nodes)
    pairs = _match(costs, (pair for pair, cost in costs.items() if cost < FORBIDDEN))
    left = set(range(len(nodes))).difference(*pairs)
    if left:
        is_exact = len(players) <= _EXACT
        pairs = _match(costs, costs) if is_exact else pairs + _match(costs, combinations(sorted(left), 2))
    return _name_pairs(nodes, pairs)


def _match(costs: Mapping[tuple[int, int], int], kept: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return as many of the pairs `kept` as can be together, and of these ways the cheapest."""
    import networkx as nx  # noqa: PLC0415 - large, and most processes never pair a round

    graph = nx.Graph()
    graph.add_weighted_edges_from((*pair, -costs[pair]) for pair in kept)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return [(min(pair), max(pair)) for pair in matching]


def _list_nodes(players: Sequence[Player]) -> list[Player | None]:
    """Return the players in order, and a bye after them if their number is odd."""
    nodes: list[Player | None] = [*sorted(players, key=lambda one: (-one.points, one.seed))]
    return [*nodes, None] if len(nodes) % 2 else nodes


def _list_costs(nodes: Sequence[Player | None]) -> dict[tuple[int, int], int]:
    """Return what each pair of places costs."""
    lowest = min(one.points for one in nodes if one is not None)
    return {
        (one, other): cost_in_field(nodes[one], nodes[other], lowest)
        for one, other in combinations(range(len(nodes)), 2)
    }


def _find_places(nodes: Sequence[Player | None], pairs: Iterable[Pair]) -> Matching:
    places = {None if node is None else node.id: place for place, node in enumerate(nodes)}
    return tuple((places[one.id], places[other.id if other else None]) for one, other in pairs)


def _name_pairs(nodes: Sequence[Player | None], pairs: Iterable[tuple[int, int]]) -> list[Pair]:
    """Return the players of pairs of places. Only the last place can be the bye."""
    return [(player, nodes[other]) for one, other in pairs if (player := nodes[one]) is not None]


def _table_order(one: Player, other: Player | None) -> tuple[bool, int, int]:
    points = one.points + (other.points if other else 0)
    return other is None, -points, min(one.seed, other.seed if other else one.seed)


def _make_pairings(one: Player, other: Player | None, games: int) -> tuple[Pairing, ...]:
    if other is None:
        return (Pairing(one.id, None),)
    first, second = (player.id for player in choose_first(one, other))
    is_blocked = other.id in one.blocked
    swapped = {0: (second, first), 1: (first, second)}
    return tuple(
        Pairing(*swapped[number % 2], number=number, is_blocked=is_blocked) for number in range(1, games + 1)
    )
