"""Complete and check the options of a game; the same for every game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.game import OptionError
from engine.notation_text import abbreviate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Option, OptionValue, SimultaneousChoice

_NUMBER = re.compile(r"-?[0-9]{1,20}")


def complete(
    game: str,
    options: Sequence[Option],
    given: Mapping[str, OptionValue],
    simultaneous_choice: SimultaneousChoice | None = None,
) -> dict[str, OptionValue]:
    """Return the checked value of every option: the given value, or else the default.

    Values may be given as text in any case. An option that has no default and is not given stays absent.
    Raise OptionError.
    """
    names = tuple(option.name for option in options)
    for name in given:
        if name not in names:
            values = {"game": game, "name": abbreviate(name)}
            if not names:
                raise OptionError("option.unknown_without_options", values, text=name)
            raise OptionError("option.unknown", {**values, "names": names}, text=name)
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
    text, normalized = str(value), str(value).strip().lower()
    refused = {"name": option.name, "value": abbreviate(text)}
    if option.choices:
        for choice in (*option.choices, *extra_choices):
            if str(choice).lower() == normalized:
                return choice
        choices = tuple(map(str, option.choices))
        raise OptionError("option.not_listed", {**refused, "choices": choices}, text=text)
    if _NUMBER.fullmatch(normalized) and option.minimum <= int(normalized) <= option.maximum:
        return int(normalized)
    bounds = {"minimum": option.minimum, "maximum": option.maximum}
    raise OptionError("option.not_number", {**refused, **bounds}, text=text)
