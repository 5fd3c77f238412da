"""What a Swiss pairing knows of each player, and what it costs to pair two.

The costs are whole numbers. Whatever is forbidden costs more than all that is not, in a whole field.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matches.tournaments.results import Blocks, Entrant, EntrantId, TournamentGame

_BLOCKED = 3_000_000_000
_REMATCH = 1_000_000_000  # for each time they have met; no sum of the costs below reaches it
_SECOND_BYE = 500_000_000  # for each bye before
_POINTS = 1_000  # times the square of the difference in half points
_UNEVEN_SIDES = (0, 0, 600, 6_000)  # by how much more often somebody then had one side than the other
_SAME_SIDE = 100  # the same side as in the game before
_FOLD = 90  # times how far off the middle of the group the opponent is, as a part of the group

FORBIDDEN = min(_BLOCKED, _REMATCH, _SECOND_BYE)
"""What costs so much is not allowed."""


@dataclass(slots=True)
class Player:
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


Pair = tuple[Player, Player | None]


def list_players(
    entrants: Iterable[Entrant], games: Iterable[TournamentGame], blocks: Blocks
) -> list[Player]:
    """Return those who are still in it, the highest points first, then by seed."""
    players = {one.id: Player(one.id, one.seed) for one in entrants if one.withdrawn_in is None}
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


def _count_game(player: Player, game: TournamentGame, side: int) -> None:
    player.points += game.points_of(player.id) or 0
    opponent = game.opponent_of(player.id)
    if opponent is None:
        player.byes += 1
        return
    player.surplus += side
    player.last_side = side
    if game.number == 1:
        player.met[opponent] += 1


def is_allowed(one: Player | None, other: Player | None) -> bool:
    """Return whether two may be paired: not blocked, no rematch, no second bye. None is the bye."""
    if one is None or other is None:
        player = one or other
        return player is not None and not player.byes
    return not one.met[other.id] and other.id not in one.blocked


def cost_in_field(one: Player | None, other: Player | None, lowest: int) -> int:
    """Return what it costs to pair two where the fewest points are `lowest`: the bye is for the last ones.

    Raises ValueError if the first of them is the bye.
    """
    if one is None:
        raise ValueError("a bye cannot be paired with a bye")
    if other is None:
        return cost_of_pair(one, None) + _POINTS * (one.points - lowest) ** 2 + _FOLD - _bye_preference(one)
    return cost_of_pair(one, other)


def _bye_preference(one: Player) -> int:
    return _FOLD * one.rank // one.group


def cost_of_pair(one: Player, other: Player | None) -> int:
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


def _side_cost(first: Player, second: Player) -> int:
    return _cost_of_side(first, 1) + _cost_of_side(second, -1)


def _cost_of_side(player: Player, side: int) -> int:
    uneven = min(abs(player.surplus + side), len(_UNEVEN_SIDES) - 1)
    return _UNEVEN_SIDES[uneven] + _SAME_SIDE * (player.last_side == side)


def choose_first(one: Player, other: Player) -> tuple[Player, Player]:
    """Return who begins and who does not: the cheaper way, else who began less often, else alternating."""
    if one.surplus != other.surplus and _side_cost(one, other) == _side_cost(other, one):
        return (one, other) if one.surplus < other.surplus else (other, one)
    if _side_cost(one, other) == _side_cost(other, one):
        return (one, other) if one.rank % 2 == 0 else (other, one)
    return (one, other) if _side_cost(one, other) < _side_cost(other, one) else (other, one)
