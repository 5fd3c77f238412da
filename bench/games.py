"""Processor time of the games: to list legal moves, to parse and play one, for a turn of a random game."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from bench.table import Row, timed
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import OptionValue, Position
    from engine.game import Move

GAMES_PER_START = 3
STARTS: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    *((name, {}) for name in GAMES),
    ("morelli", {"edition": "2015"}),
    ("morelli", {"size": 9}),
    ("morphos", {"size": 19}),
)


def random_game(position: Position, seed: int) -> Iterator[tuple[Position, Move]]:
    """Yield every position of a random game that is not over, with the move that is played in it."""
    chance = random.Random(seed)
    while position.outcome is None:
        move = chance.choice(position.legal_moves())
        yield position, move
        position = position.play(move)


def long_random_game(start: Position, turns: int) -> list[str]:
    """Return the first moves of the first random game that lasts longer."""
    games = ([str(move) for _, move in random_game(start, seed)] for seed in range(1000))
    return next(moves for moves in games if len(moves) > turns)[:turns]


def rows(rounds: int = 9) -> Iterator[Row]:
    """Measure every start; the first round fills the caches."""
    for game, options in STARTS:
        seeds: dict[str, OptionValue] = {each.name: 1 for each in GAMES[game].options if each.is_random}
        start = GAMES[game].initial_position(**seeds, **options)
        measured = [_measure(game, start) for _ in range(rounds + 1)][1:]
        name = " ".join([game, *map(str, options.values())])
        lists, plays, turns = zip(*measured, strict=True)
        yield Row.from_values(f"{name}: list of legal moves", lists, "µs")
        yield Row.from_values(f"{name}: move parsed and played", plays, "µs", goal="at most 25 µs")
        yield Row.from_values(f"{name}: turn of a random game", turns, "µs")


def _measure(game: str, start: Position) -> list[float]:
    """Return the microseconds of each measure, for a position or move."""
    played = [[*random_game(start, seed)] for seed in range(GAMES_PER_START)]
    turns, times = sum(map(len, played)), list[float]()
    fresh = [GAMES[game].load(str(position)) for one in played for position, _ in one]  # nothing is cached
    texts = [[str(move) for _, move in one] for one in played]
    with timed(times, time.process_time):
        for position in fresh:
            position.legal_moves()
    with timed(times, time.process_time):
        for record in texts:
            position = start
            for text in record:
                position = position.play(position.parse(text))
    with timed(times, time.process_time):
        for seed in range(GAMES_PER_START):
            for _ in random_game(start, seed):
                pass
    return [1000 * each / turns for each in times]
