"""The games of Rayuela: positions, moves and notation, without people, pictures or clocks."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import (
    AmbiguousMove,
    Ask,
    Cell,
    Choice,
    Event,
    EventKind,
    Fists,
    Game,
    GameError,
    IllegalMove,
    Move,
    NotationError,
    Option,
    OptionError,
    Outcome,
    Position,
    Setting,
    Settings,
    Side,
)
from engine.morabaraba import MORABARABA
from engine.morelli import MORELLI
from engine.morphos import MORPHOS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "GAMES",
    "AmbiguousMove",
    "Ask",
    "Cell",
    "Choice",
    "Event",
    "EventKind",
    "Fists",
    "Game",
    "GameError",
    "IllegalMove",
    "Move",
    "NotationError",
    "Option",
    "OptionError",
    "Outcome",
    "Position",
    "Setting",
    "Settings",
    "Side",
    "UnknownGameError",
    "find",
]

GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in (MORELLI, MORPHOS, MORABARABA)})
"""Every game under the present version of its rules, by name."""


class UnknownGameError(KeyError):
    """No game has the name, or the game has no such version of its rules."""

    def __str__(self) -> str:
        return str(self.args[0])


def find(name: str, rules_version: int) -> Game:
    """Give the game `name` under `rules_version`. Raises UnknownGameError."""
    if name not in GAMES:
        raise UnknownGameError(f"There is no game called {name}; there are {', '.join(GAMES)}.")
    game = GAMES[name]
    if game.rules_version != rules_version:
        raise UnknownGameError(
            f"{name} is known under version {game.rules_version} of its rules, not {rules_version}."
        )
    return game
