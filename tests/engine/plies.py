"""What several engine tests need: option sets of every game, and games played at random from a seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from engine import GAMES, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Game, Option, Position, Setting


class Start(NamedTuple):
    """A game and the options that a test starts it with."""

    game: str
    options: tuple[tuple[str, Setting], ...]

    def __str__(self) -> str:
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options)])

    def position(self) -> Position:
        return GAMES[self.game].start(**dict(self.options))


MORELLI: list[dict[str, Setting]] = [
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
"""Combinations that varying one option at a time does not reach."""

SMALL: dict[str, dict[str, Setting]] = {"morphos": {"size": 5}}
"""Boards on which the other options are varied: some mutators give millions of turns on the usual one."""


def starts() -> list[Start]:
    """Give every game with its defaults, with each option varied by itself, and with known combinations."""
    found: list[Start] = []
    for game in GAMES.values():
        sets: list[dict[str, Setting]] = [{}, *_varied(game), *(MORELLI if game.name == "morelli" else [])]
        for options in sets:
            try:
                settled = game.settings(**options)
            except OptionError:
                continue  # a value that only goes with other options
            drawn = {option.name: 1 for option in game.options if option.drawn}
            start = Start(game.name, tuple((drawn | settled).items()))
            if start not in found:
                found.append(start)
    return found


def walk(position: Position, seed: int, longest: int = 400) -> Iterator[Position]:
    """Give `position` and those after it in a game played at random, to its end or for `longest` plies."""
    chance = random.Random(seed)
    yield position
    for _ in range(longest):
        moves = position.legal_moves()
        if not moves:
            return
        position = position.play(chance.choice(moves))
        yield position


def _varied(game: Game) -> Iterator[dict[str, Setting]]:
    for option in game.options:
        if not option.drawn and not (game.fists and game.fists.option == option.name):
            yield from (SMALL.get(game.name, {}) | {option.name: value} for value in _values(option))


def _values(option: Option) -> tuple[Setting, ...]:
    return option.choices or (option.minimum, min(option.minimum + 3, option.maximum))
