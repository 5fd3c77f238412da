"""Completing and checking the options of a game's start; the same for every game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.game import OptionError
from engine.texts import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Fists, Option, Setting

UNKNOWN = "{game} has no option {name}; its options are {names}."
NOT_LISTED = "{name} cannot be {value}; it is one of {choices}."
NOT_NUMBER = "{name} cannot be {value}; it is a whole number from {minimum} to {maximum}."
NO_FISTS = "Closed fists hold {picks}, not {first} and {second}."

_NUMBER = re.compile(r"-?[0-9]{1,20}")


def complete(
    game: str, options: Sequence[Option], given: Mapping[str, Setting], fists: Fists | None = None
) -> dict[str, Setting]:
    """Give every option its checked value: what was given, else its default.

    Numbers and words may be given as text in any case. An option without default that is not
    given stays absent. Raises OptionError.
    """
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise OptionError(
                UNKNOWN.format(game=game, name=quoted(str(name)), names=", ".join(names)), text=str(name)
            )
    settled: dict[str, Setting] = {}
    for option in options:
        if option.name in given:
            extra = (fists.value,) if fists and fists.option == option.name else ()
            settled[option.name] = _checked(option, given[option.name], extra)
        elif option.default is not None:
            settled[option.name] = option.default
    return settled


def _checked(option: Option, value: Setting, extra: tuple[str, ...]) -> Setting:
    said = str(value).strip().lower()
    if option.choices:
        for choice in (*option.choices, *extra):
            if str(choice).lower() == said:
                return choice
        listed = ", ".join(map(str, option.choices))
        reason = NOT_LISTED.format(name=option.name, value=quoted(str(value)), choices=listed)
        raise OptionError(reason, text=str(value))
    if _NUMBER.fullmatch(said) and option.minimum <= int(said) <= option.maximum:
        return int(said)
    reason = NOT_NUMBER.format(
        name=option.name, value=quoted(str(value)), minimum=option.minimum, maximum=option.maximum
    )
    raise OptionError(reason, text=str(value))
