"""The options of a game: given by a challenger, completed, drawn at random, and stored."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import OptionError
from matches.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from engine.game import Game, OptionValue, OptionValues
    from matches.values import RecordId


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """A game and its complete options, but for random ones, which are drawn when the match starts.

    With `record`, the match starts from the last position of that imported record, under the record's rules
    version.
    """

    game: Game
    options: OptionValues
    record: RecordId | None = None

    @classmethod
    def for_game(cls, games: Mapping[str, Game], game: str, options: OptionValues) -> Self:
        """Return the set-up for the newest rules of one of `games`; options left out get their defaults.

        Raises `game_unknown`, `invalid_option`, `option_is_random`.
        """
        rules = find_game(games, game)
        return cls(rules, complete_options(rules, options))


def find_game(games: Mapping[str, Game], name: str) -> Game:
    """Return the newest rules of the one of `games` that is called `name`. Raises `game_unknown`."""
    if name not in games:
        raise Refusal("game_unknown", game=name, games=tuple(games))
    return games[name]


def complete_options(game: Game, given: OptionValues) -> dict[str, OptionValue]:
    """Add the defaults of options that were not given. Raises `invalid_option`, `option_is_random`."""
    for option in game.options:
        if option.is_random and option.name in given:
            raise Refusal("option_is_random", option=option.name)
    try:
        return game.complete_options(**given)
    except OptionError as error:
        raise Refusal("invalid_option", reason=error, text=error.text, choices=error.choices) from error


def add_random_options(game: Game, given: OptionValues) -> dict[str, OptionValue]:
    """Draw the random options that are not in `given`. The result is stored with the match."""
    drawn = {
        option.name: option.random_value()
        for option in game.options
        if option.is_random and option.name not in given
    }
    return {**given, **drawn}


def needs_simultaneous_choice(game: Game, options: OptionValues) -> bool:
    """Return whether the start of the game depends on a simultaneous choice."""
    return (
        game.simultaneous_choice is not None
        and options.get(game.simultaneous_choice.option) == game.simultaneous_choice.value
    )


def format_options(options: OptionValues) -> str:
    """Return the stored form, a JSON object."""
    return json.dumps(dict(options), sort_keys=True)


def parse_options(stored: str) -> Mapping[str, OptionValue]:
    """Parse the stored form."""
    return MappingProxyType(json.loads(stored))
