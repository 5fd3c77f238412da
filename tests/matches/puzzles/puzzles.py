"""Puzzles for tests, from random games: their answers are not the only good ones, but the only right ones."""

import random
from collections.abc import Sequence
from functools import cache

from engine.game import Game, Position
from engine.puzzle import Puzzle
from matches.puzzles.values import new_row
from storage import Database
from storage.puzzle import puzzles
from tests.games import GAMES

OTHER_RULES = "2 | win 1 | 700 | - | C2+C3 | morphos d bbbbb/bwwbw/ww1bw/ww1ww/bbbww b 24 owed"
"""A puzzle of a game with an option that changes its rules."""


def play_randomly(game: Game, turns: int, seed: int) -> Position:
    """Return a board after so many turns, on which turns are single moves and the game is not nearly over."""
    chance = random.Random(seed)
    while True:
        position = game.initial_position(**game.complete_options(**game.first_options))
        left = turns
        while position.to_move is not None and (left > 0 or position.moves_due > 1):
            position = position.play(chance.choice(position.legal_moves()))
            left -= position.moves_due == 1
        if position.to_move is not None:
            return position


def make_puzzle(
    game: Game, seed: int = 1, *, turns: int = 1, rating: int = 1500, themes: tuple[str, ...] = ()
) -> Puzzle:
    """Return a puzzle whose line has so many turns."""
    chance = random.Random(seed)
    while True:
        seed = chance.randrange(10**6)
        position = start = play_randomly(game, 6, seed)
        line: list[str] = []
        while len(line) < turns and position.to_move is not None and position.moves_due == 1:
            move = chance.choice(position.legal_moves())
            line.append(str(move))
            position = position.play(move)
        if len(line) == turns and position.to_move is not None and position.moves_due == 1:
            puzzle = Puzzle(start, tuple(line), 0, rating, themes)
            puzzle.check()
            return puzzle


@cache
def puzzle_of(game: str, seed: int = 1, turns: int = 1) -> Puzzle:
    """Return a puzzle of a game by name."""
    return make_puzzle(GAMES[game], seed, turns=turns)


def wrong_turn(puzzle: Puzzle, step: int = 0) -> str:
    """Return a legal turn that is not right at a step."""
    position = puzzle.position_at(step)
    return next(str(one) for one in position.legal_moves() if not puzzle.is_answer(step, one))


async def store_puzzles(database: Database, found: Sequence[Puzzle]) -> None:
    """Store puzzles of no match; if they were shipped ones, reading these would withdraw them."""
    async with database.transaction() as connection:
        await puzzles.add_all(connection, [new_row(one) for one in found], 0)
