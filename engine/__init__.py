"""The games of Rayuela: positions, moves, notation and records; standard library only."""

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
    Position,
    SelectionKind,
    Side,
    SimultaneousChoice,
)
from engine.morabaraba import MORABARABA
from engine.morelli import MORELLI
from engine.morphos import MORPHOS, MORPHOS_VERSIONS

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
    "Position",
    "SelectionKind",
    "Side",
    "SimultaneousChoice",
    "UnknownGameError",
    "get_game",
]

GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in (MORELLI, MORPHOS, MORABARABA)})
"""Every game under the present version of its rules, by name."""

_VERSIONS: Mapping[tuple[str, int], Game] = MappingProxyType(
    {(game.name, game.rules_version): game for game in (*GAMES.values(), *MORPHOS_VERSIONS.values())}
)
"""Every game under every version of its rules; stored matches and records go on under their own."""


class UnknownGameError(KeyError):
    """There is no game of that name, or the game has no such version of its rules."""

    def __str__(self) -> str:
        return str(self.args[0])


def get_game(name: str, rules_version: int) -> Game:
    """Return the game `name` under `rules_version`. Raise UnknownGameError if there is none."""
    if name not in GAMES:
        raise UnknownGameError(f"There is no game called {name}; there are {', '.join(GAMES)}.")
    if (name, rules_version) not in _VERSIONS:
        versions = ", ".join(str(version) for game, version in sorted(_VERSIONS) if game == name)
        raise UnknownGameError(f"{name} has no version {rules_version} of its rules; it has {versions}.")
    return _VERSIONS[name, rules_version]
