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

_EARLIER_VERSIONS: Mapping[tuple[str, int], Game] = MappingProxyType(
    {
        (game.name, game.rules_version): game
        for game in MORPHOS_VERSIONS.values()
        if game is not GAMES[game.name]
    }
)
"""The games under earlier versions of their rules; stored matches and records go on under their own."""


class UnknownGameError(KeyError):
    """There is no game of that name, or the game has no such version of its rules."""

    def __str__(self) -> str:
        return str(self.args[0])


def get_game(name: str, rules_version: int, games: Mapping[str, Game] = GAMES) -> Game:
    """Return the one of `games` called `name` under `rules_version`. Raise UnknownGameError if there is none.

    `games` are the games under their present rules; earlier versions are found too.
    """
    if name not in games:
        raise UnknownGameError(f"There is no game called {name}; there are {', '.join(games)}.")
    versions = {version: game for (known, version), game in _EARLIER_VERSIONS.items() if known == name}
    versions[games[name].rules_version] = games[name]
    if rules_version not in versions:
        known_versions = ", ".join(map(str, sorted(versions)))
        raise UnknownGameError(
            f"{name} has no version {rules_version} of its rules; it has {known_versions}."
        )
    return versions[rules_version]
