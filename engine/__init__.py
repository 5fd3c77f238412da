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
    PieceGroup,
    Position,
    SelectionKind,
    Side,
    SimultaneousChoice,
    UnknownGameError,
)
from engine.morabaraba import MORABARABA
from engine.morelli import MORELLI
from engine.morphos import MORPHOS

if TYPE_CHECKING:
    from collections.abc import Mapping


GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in (MORELLI, MORPHOS, MORABARABA)})
"""Every game under the current version of its rules, by name."""


def get_game(name: str, rules_version: int, games: Mapping[str, Game] = GAMES) -> Game:
    """Return the game called `name` under a current or earlier `rules_version`. Raise UnknownGameError."""
    if name not in games:
        raise UnknownGameError("game.unknown", {"name": name, "names": tuple(games)})
    versions = games[name].versions
    if rules_version not in versions:
        known = tuple(map(str, versions))
        raise UnknownGameError(
            "game.unknown_version", {"name": name, "version": rules_version, "known": known}
        )
    return versions[rules_version]
