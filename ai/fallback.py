"""Search in plain Python over the contract of :mod:`engine.game` alone: weak, but for every game.

It is UCT (Kocsis and Szepesvári 2006) with random playouts. The players can change sides during a game (a
move with the event SWAP), so results belong to players, not to sides.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

from ai.levels import Candidate
from ai.seats import player_to_move, result_for, swaps_sides
from engine.game import MoveChoice

if TYPE_CHECKING:
    import random

    from engine.game import Move, Position

MAX_MOVES = 400
"""Where a position has more legal moves, random ones stand for all.

There are :data:`SAMPLED_MOVES` of them in the tree and one in a playout.
"""

SAMPLED_MOVES = 60
EXPLORATION = 0.5
PLAYOUT_PLIES = 120
"""A playout that takes longer counts as a draw."""


class Node:
    """A position in the tree, with the number of the player to move (0 or 1) in it."""

    __slots__ = ("children", "move", "player", "position", "swapped", "untried", "visits", "wins")

    def __init__(self, position: Position, move: Move | None, *, swapped: bool) -> None:
        self.position = position
        self.move = move
        self.swapped = swapped
        self.player = player_to_move(position, swapped=swapped)
        self.untried: list[Move] | None = None
        self.children: list[Node] = []
        self.visits = 0
        self.wins = 0.0
        """The sum of the results for player 0."""

    def value_for(self, player: int) -> float:
        """Return the mean result for a player."""
        mean = self.wins / self.visits
        return mean if player == 0 else 1 - mean

    def play(self, move: Move) -> Node:
        """Return a new node for the position after `move`."""
        position = self.position.play(move)
        return Node(position, move, swapped=self.swapped ^ swaps_sides(self.position, move, position))


def find_candidates(position: Position, simulations: int, rng: random.Random) -> list[Candidate]:
    """Search `position` and return its candidates; none when the game is over."""
    root = Node(position, None, swapped=False)
    root.untried = _some_moves(position, rng)
    rng.shuffle(root.untried)
    root_moves = len(root.untried)
    for move in root.untried:
        if _proven_result(root.play(move), root.player) == 1:
            return [Candidate(str(move), 0, 1.0, 1.0, 1.0)]
    for _ in range(simulations):
        _simulate(root, rng)
    return [
        Candidate(
            str(child.move),
            child.visits,
            child.value_for(root.player),
            1 / root_moves,
            _proven_result(child, root.player),
        )
        for child in root.children
    ]


def _simulate(root: Node, rng: random.Random) -> None:
    path = [root]
    node = root
    while True:
        if node.untried is None:
            node.untried = _some_moves(node.position, rng)
            rng.shuffle(node.untried)
        if node.untried:
            child = node.play(node.untried.pop())
            node.children.append(child)
            path.append(child)
            break
        if not node.children:
            break
        node = _select(node)
        path.append(node)
    result = _play_out(path[-1], rng)
    for visited in path:
        visited.visits += 1
        visited.wins += result


def _select(node: Node) -> Node:
    log = math.log(node.visits)
    return max(
        node.children,
        key=lambda child: child.value_for(node.player) + EXPLORATION * math.sqrt(log / child.visits),
    )


def _play_out(node: Node, rng: random.Random) -> float:
    """Return the result of a random game from `node` for player 0."""
    for _ in range(PLAYOUT_PLIES):
        moves = _some_moves(node.position, rng, sample=1)
        if not moves:
            break
        node = node.play(rng.choice(moves))
    return result_for(node.position, 0, swapped=node.swapped)


def _proven_result(node: Node, player: int) -> float | None:
    if node.position.outcome is None:
        return None
    return result_for(node.position, player, swapped=node.swapped)


def _some_moves(position: Position, rng: random.Random, sample: int = SAMPLED_MOVES) -> list[Move]:
    """Return all legal moves, or `sample` random ones if there are very many."""
    moves = list(islice(position.moves_with_prefix(""), MAX_MOVES + 1))
    if len(moves) <= MAX_MOVES:
        return moves
    sampled = (_random_move(position, rng) for _ in range(sample))
    return list({str(move): move for move in sampled}.values())


def _random_move(position: Position, rng: random.Random) -> Move:
    """Return a move built step by step with random answers; of several captures, all are made."""
    path: tuple[str, ...] = ()
    while isinstance(step := position.next_choice(path), MoveChoice):
        path += (",".join(step.options) if step.multiple else rng.choice(step.options),)
    return step
