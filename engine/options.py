"""Completing and checking the options of a game's start; the same for every game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.game import OptionError
from engine.notation_text import abbreviate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Option, OptionValue, SimultaneousChoice

UNKNOWN = "{game} has no option {name}; its options are {names}."
UNKNOWN_WITHOUT_OPTIONS = "{game} has no option {name}; it has no options."
NOT_LISTED = "{name} cannot be {value}; it is one of {choices}."
NOT_NUMBER = "{name} cannot be {value}; it is a whole number from {minimum} to {maximum}."

_NUMBER = re.compile(r"-?[0-9]{1,20}")


def complete(
    game: str,
    options: Sequence[Option],
    given: Mapping[str, OptionValue],
    simultaneous_choice: SimultaneousChoice | None = None,
) -> dict[str, OptionValue]:
    """Return every option its checked value: what was given, else its default.

    Numbers and words may be given as text in any case. An option without default that is not
    given stays absent. Raises OptionError.
    """
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            message = UNKNOWN if names else UNKNOWN_WITHOUT_OPTIONS
            raise OptionError(
                message.format(game=game, name=abbreviate(str(name)), names=", ".join(names)), text=str(name)
            )
    completed: dict[str, OptionValue] = {}
    for option in options:
        if option.name in given:
            extra_choices = (
                (simultaneous_choice.value,)
                if simultaneous_choice and simultaneous_choice.option == option.name
                else ()
            )
            completed[option.name] = _check_value(option, given[option.name], extra_choices)
        elif option.default is not None:
            completed[option.name] = option.default
    return completed


def _check_value(option: Option, value: OptionValue, extra_choices: tuple[str, ...]) -> OptionValue:
    normalized = str(value).strip().lower()
    if option.choices:
        for choice in (*option.choices, *extra_choices):
            if str(choice).lower() == normalized:
                return choice
        choices = ", ".join(map(str, option.choices))
        message = NOT_LISTED.format(name=option.name, value=abbreviate(str(value)), choices=choices)
        raise OptionError(message, text=str(value))
    if _NUMBER.fullmatch(normalized) and option.minimum <= int(normalized) <= option.maximum:
        return int(normalized)
    message = NOT_NUMBER.format(
        name=option.name, value=abbreviate(str(value)), minimum=option.minimum, maximum=option.maximum
    )
    raise OptionError(message, text=str(value))
