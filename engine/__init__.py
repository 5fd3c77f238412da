"""The games of Rayuela: positions, moves and notation, without people, pictures or clocks."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import (
    AmbiguousMove,
    Cell,
    Event,
    EventKind,
    Game,
    GameError,
    IllegalMove,
    Move,
    MoveChoice,
    NotationError,
    Option,
    OptionError,
    OptionValue,
    OptionValues,
    Outcome,
    PieceGroup,
    Position,
    SelectionKind,
    Side,
    SimultaneousChoice,
)
from engine.morabaraba import MORABARABA
from engine.morelli import MORELLI
from engine.morphos import MORPHOS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "GAMES",
    "AmbiguousMove",
    "Cell",
    "Event",
    "EventKind",
    "Game",
    "GameError",
    "IllegalMove",
    "Move",
    "MoveChoice",
    "NotationError",
    "Option",
    "OptionError",
    "OptionValue",
    "OptionValues",
    "Outcome",
    "PieceGroup",
    "Position",
    "SelectionKind",
    "Side",
    "SimultaneousChoice",
    "UnknownGameError",
    "get_game",
]

GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in (MORELLI, MORPHOS, MORABARABA)})
"""Every game under the present version of its rules, by name."""


class UnknownGameError(KeyError):
    """No game has the name, or the game has no such version of its rules."""

    def __str__(self) -> str:
        return str(self.args[0])


def get_game(name: str, rules_version: int, games: Mapping[str, Game] = GAMES) -> Game:
    """Return the one of `games` called `name` under `rules_version`. Raises UnknownGameError."""
    if name not in games:
        raise UnknownGameError(f"There is no game called {name}; there are {', '.join(games)}.")
    game = games[name]
    if game.rules_version != rules_version:
        raise UnknownGameError(
            f"{name} is known under version {game.rules_version} of its rules, not {rules_version}."
        )
    return game
