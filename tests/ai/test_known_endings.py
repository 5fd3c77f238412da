"""Three men against three in Morabaraba: expert plays every such ending as well as it can be played."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ai.levels import PROOF_POSITIONS, Level
from ai.search import Opponent
from engine import GAMES, Position

if TYPE_CHECKING:
    from ai.kernel import Kernel

GAME = GAMES["morabaraba"]
START = GAME.load("morabaraba 12 r1r/3/1r1/1w1w2/3/3/w2 w 0,0 -")
LONGEST = 16
"""Turns until the end if both play as well as they can, as counted by a program of its own."""


def random_endings(count: int) -> list[Position]:
    """Return positions with three men on each side."""
    rng, found = random.Random(4), list[Position]()
    position: Position = START
    while len(found) < count:
        moves = [move for move in position.legal_moves() if "x" not in str(move)]
        position = position.play(rng.choice(moves)) if moves else START
        found.append(GAME.load(str(position).rsplit(" ", 1)[0] + " -"))
    return found


def count_turns(kernel: Kernel, position: Position, turns: int) -> int:
    """Return in how many turns the player to move wins, by trying out everything; 0 for more than `turns`."""
    kernel.load(position)
    return kernel.turns_to_win(turns)


def expected(kernel: Kernel, position: Position) -> float:
    """Return the proven result for the player to move: the best of the candidates."""
    kernel.load(position)
    results = [each.proven for each in kernel.think(0, 1, proof=PROOF_POSITIONS)]
    assert None not in results
    return max(result for result in results if result is not None)


@pytest.mark.long
def test_every_result_is_known_and_agrees_with_those_of_the_next_turns(kernel: Kernel) -> None:
    for position in random_endings(3):
        result = expected(kernel, position)
        assert result in (0, 1)
        if count_turns(kernel, position, 1):
            assert result == 1, str(position)
        afters = [each for each in map(position.play, position.legal_moves()) if each.outcome is None]
        if len(afters) == len(position.legal_moves()):
            assert result == 1 - min(expected(kernel, after) for after in afters), str(position)


@pytest.mark.long
def test_won_ending_is_won_in_time_against_the_best_defence(kernel: Kernel) -> None:
    opponent = Opponent(kernel)
    positions = [each for each in random_endings(30) if not count_turns(kernel, each, 2)]
    for position in positions[:2]:
        winner = position.to_move if expected(kernel, position) == 1 else None
        after, turns = position, 0
        while after.to_move is not None:
            after = after.play(after.parse(opponent.choose_move(after, Level.EXPERT, seed=1)))
            turns += 1
        assert after.outcome is not None
        assert turns <= LONGEST
        assert (after.outcome.winner is position.to_move) == (winner is not None)


@pytest.mark.long
def test_win_that_comes_after_the_limit_of_turns_is_a_draw(kernel: Kernel) -> None:
    slow = next(each for each in random_endings(60) if not count_turns(kernel, each, 1))
    late = GAME.load(str(slow).rsplit(" ", 1)[0] + " quiet=19")
    assert (expected(kernel, slow), expected(kernel, late)) != (0.5, 0.5)
    assert expected(kernel, late) == 0.5
