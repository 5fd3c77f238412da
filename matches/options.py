"""A game's options as people give them, as chance completes them, and as they are stored."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine import GAMES
from engine.game import OptionError
from matches.errors import ChanceDecides, GameUnknown, OptionRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Setting, Settings


def find_game(name: str) -> Game:
    """Give the newest rules of a game. Raises GameUnknown."""
    if name not in GAMES:
        raise GameUnknown(game=name, games=tuple(GAMES))
    return GAMES[name]


def check_options(game: Game, given: Settings) -> dict[str, Setting]:
    """Complete what a challenger gave. Raises OptionRefused, and ChanceDecides for what is to be drawn."""
    for option in game.options:
        if option.drawn and option.name in given:
            raise ChanceDecides(option=option.name)
    try:
        return game.settings(**given)
    except OptionError as error:
        raise OptionRefused(reason=error.reason, text=error.text, choices=error.choices) from error


def draw_options(game: Game, settled: Settings) -> dict[str, Setting]:
    """Add what chance decides, once: a stored match starts the same way ever after."""
    drawn = {
        option.name: option.draw() for option in game.options if option.drawn and option.name not in settled
    }
    return {**settled, **drawn}


def awaits_fists(game: Game, options: Settings) -> bool:
    """Say whether two picks must settle the start."""
    return game.fists is not None and options.get(game.fists.option) == game.fists.value


def write_options(options: Settings) -> str:
    """Give the stored form."""
    return json.dumps(dict(options), sort_keys=True)


def read_options(stored: str) -> Mapping[str, Setting]:
    """Read the stored form."""
    return MappingProxyType(json.loads(stored))
