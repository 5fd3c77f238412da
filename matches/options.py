"""A game's options as people give them, as chance completes them, and as they are stored."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import OptionError
from matches.errors import GameUnknown, InvalidOption, OptionIsRandom

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, OptionValue, OptionValues


def find_game(games: Mapping[str, Game], name: str) -> Game:
    """Return the newest rules of the one of `games` that is called `name`. Raises GameUnknown."""
    if name not in games:
        raise GameUnknown(game=name, games=tuple(games))
    return games[name]


def complete_options(game: Game, given: OptionValues) -> dict[str, OptionValue]:
    """Complete what a challenger gave. Raises InvalidOption, and OptionIsRandom for what is to be drawn."""
    for option in game.options:
        if option.is_random and option.name in given:
            raise OptionIsRandom(option=option.name)
    try:
        return game.complete_options(**given)
    except OptionError as error:
        raise InvalidOption(reason=error.reason, text=error.text, choices=error.choices) from error


def add_random_options(game: Game, chosen: OptionValues) -> dict[str, OptionValue]:
    """Add what chance decides, once: a stored match starts the same way ever after."""
    drawn = {
        option.name: option.random_value()
        for option in game.options
        if option.is_random and option.name not in chosen
    }
    return {**chosen, **drawn}


def needs_simultaneous_choice(game: Game, options: OptionValues) -> bool:
    """Return whether two picks must settle the start."""
    return (
        game.simultaneous_choice is not None
        and options.get(game.simultaneous_choice.option) == game.simultaneous_choice.value
    )


def format_options(options: OptionValues) -> str:
    """Return the stored form."""
    return json.dumps(dict(options), sort_keys=True)


def parse_options(stored: str) -> Mapping[str, OptionValue]:
    """Read the stored form."""
    return MappingProxyType(json.loads(stored))
