"""Option sets of every game, and random games from a seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from engine import OptionError
from tests.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Game, Option, OptionValue, Position


class GameStart(NamedTuple):
    """A game and the options that a test starts it with."""

    game: str
    options: tuple[tuple[str, OptionValue], ...]

    def __str__(self) -> str:
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options)])

    def position(self) -> Position:
        return GAMES[self.game].initial_position(**dict(self.options))


MORELLI_OPTIONS: list[dict[str, OptionValue]] = [
    {"edition": edition, "size": size, "setup": setup, "seed": 7}
    for edition, size, setup in [
        ("nestor", 13, "adjacent"),
        ("nestor", 9, "facing"),
        ("nestor", 9, "free"),
        ("nestor", 11, "free"),
        ("2015", 13, "random"),
        ("2015", 9, "pairs"),
        ("2015", 11, "pairs"),
        ("mindsports", 9, "random"),
        ("mindsports", 9, "pairs"),
        ("mindsports", 13, "pairs"),
    ]
]
"""Combinations that varying one option at a time does not cover."""

SMALL_BOARD: dict[str, dict[str, OptionValue]] = {"morphos": {"size": 5}}
"""Boards on which the other options are varied: some mutators give millions of turns on the default board."""


def all_starts() -> list[GameStart]:
    """Return every game with its defaults, with each option varied by itself, and with known combinations."""
    found: list[GameStart] = []
    for game in GAMES.values():
        sets: list[dict[str, OptionValue]] = [
            {},
            *_vary_options(game),
            *(MORELLI_OPTIONS if game.name == "morelli" else []),
        ]
        for options in sets:
            try:
                complete = game.complete_options(**options)
            except OptionError:
                continue  # a value that is valid only with other options
            seeds = {option.name: 1 for option in game.options if option.is_random}
            start = GameStart(game.name, tuple((seeds | complete).items()))
            if start not in found:
                found.append(start)
    return found


def random_game(position: Position, seed: int, max_plies: int = 400) -> Iterator[Position]:
    """Yield `position` and those after it in a random game, to its end or for `max_plies` plies."""
    rng = random.Random(seed)
    yield position
    for _ in range(max_plies):
        moves = position.legal_moves()
        if not moves:
            return
        position = position.play(rng.choice(moves))
        yield position


def _vary_options(game: Game) -> Iterator[dict[str, OptionValue]]:
    for option in game.options:
        if not option.is_random and not (
            game.simultaneous_choice and game.simultaneous_choice.option == option.name
        ):
            yield from (
                SMALL_BOARD.get(game.name, {}) | {option.name: value} for value in _option_values(option)
            )


def _option_values(option: Option) -> tuple[OptionValue, ...]:
    return option.choices or (option.minimum, min(option.minimum + 3, option.maximum))
