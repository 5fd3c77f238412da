"""A first estimate of how difficult a puzzle is: as if the levels of the computer had been its opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.levels import Level
from ai.search import load_weights
from engine.game import GameError

if TYPE_CHECKING:
    from ai.search import Opponent
    from engine.puzzle import Puzzle

SOLVERS = (Level.BEGINNER, Level.CASUAL, Level.CLUB, Level.STRONG)
ATTEMPTS = 3
"""Of each level, with different seeds."""

MIDDLE = 1500
LOWEST, HIGHEST = 400, 2600
SCALE = 400
"""With so much more rating a player solves ten times as often as not."""


FURTHER_TURN = 150
"""So much is added for each turn that has to be seen ahead, where people are worse than a search.

Where a turn is only clearly better, they have to see at least one turn further.
"""


def estimate_rating(opponent: Opponent, puzzle: Puzzle) -> int:
    """Return the rating of a puzzle from the attempts of some levels, and one win and one loss against 1500.

    For each turn that has to be seen ahead, :data:`FURTHER_TURN` is added. 1500 for a game whose levels have
    no ratings.
    """
    weights = load_weights(puzzle.game.name)
    if weights is None:
        return MIDDLE
    ratings, missed = [MIDDLE, MIDDLE], 1
    for level in SOLVERS:
        if level in weights.ratings:
            ratings += ATTEMPTS * [weights.ratings[level]]
            missed += sum(not is_solved(opponent, puzzle, level, seed) for seed in range(ATTEMPTS))
    turns = max(puzzle.wins_in or 2, puzzle.solver_turns)
    return fit_rating(ratings, missed) + FURTHER_TURN * (turns - 1)


def is_solved(opponent: Opponent, puzzle: Puzzle, level: Level, seed: int) -> bool:
    """Return whether a level finds all turns of the solver."""
    for step in range(0, len(puzzle.line), 2):
        move = opponent.choose_move(puzzle.position_at(step), level, seed)
        try:
            if not puzzle.is_answer(step, move):
                return False
        except GameError:
            return False
    return True


def fit_rating(ratings: list[int], missed: float) -> int:
    """Return the rating at which solvers with `ratings` are expected to miss it so often.

    So it is also that of a player who has scored so many points against them.
    """
    low, high = LOWEST, HIGHEST
    while high - low > 1:
        middle = (low + high) // 2
        expected = sum(1 / (1 + 10 ** ((rating - middle) / SCALE)) for rating in ratings)
        low, high = (middle, high) if expected < missed else (low, middle)
    return low
