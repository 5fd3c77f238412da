"""The options of a game as people type them: their labels, values and other spellings.

People type ``9x9`` where the value is 9, or ``b, a`` where it is ``ab``. Refusals name options and values as
commands and forms show them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from engine.game import OptionError
from i18n.formatting import describe_option, format_option, format_option_name
from i18n.refusals import Formatted
from i18n.writing import Code
from matches.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Option, OptionValue
    from i18n.catalogue import Texts

MAX_TYPED = 100  # characters of a typed value that are read
NOTHING = "-"  # the value that is an empty set
MAX_EXAMPLES = 5  # the values that a refusal names

_WORD = re.compile(r"[0-9]+|[^\W\d_]+")


def parse_options(texts: Texts, game: Game, typed: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the values that were typed, by the name of the option.

    Raises `option_unknown`, `option_value_unknown`, `options_conflict`.
    """
    options: dict[str, OptionValue] = {
        name: _parse_value(texts, game, name, text) for name, text in typed.items()
    }
    if not accepts_options(game, options):
        _refuse_conflict(texts, game, options)
    return options


def parse_challenge_options(
    texts: Texts, game: Game, typed: Mapping[str, str | None], *, is_first_game: bool = False
) -> dict[str, OptionValue]:
    """Return the options of a challenge that were typed. Raises as :func:`parse_options`.

    With `is_first_game` those that suit a first game are added, as far as they fit those that were typed. If
    the game has a simultaneous choice, an option that it can decide and that was not typed is left to it,
    unless the other options do not allow that.
    """
    given = {name: value for name, value in typed.items() if value is not None}
    options = parse_options(texts, game, given)
    suited = {**game.first_options, **options}
    if is_first_game and accepts_options(game, suited):
        options = suited
    if game.simultaneous_choice is not None and game.simultaneous_choice.option not in options:
        with_choice = {**options, game.simultaneous_choice.option: game.simultaneous_choice.value}
        return with_choice if accepts_options(game, with_choice) else options
    return options


def accepts_options(game: Game, options: Mapping[str, OptionValue]) -> bool:
    """Return whether the game accepts this combination of options."""
    try:
        game.complete_options(**options)
    except OptionError:
        return False
    return True


def find_value(texts: Texts, game: Game, option: Option, typed: str) -> OptionValue | None:
    """Return the value of an option that a typed text means, or None. The option is not a random one.

    Besides values and labels, it understands the words of one label in any order, with or without words that
    say nothing (``9 by 9``, ``12 men``), and sets of letters in any order and with any separators (``b, a``).
    """
    typed, labels = typed[:MAX_TYPED], _value_labels(texts, game, option)
    for value, label in labels.items():
        described = describe_option(texts, game.name, option.name, value)
        names = {_normalize(str(value)), _normalize(label), _normalize(described)}
        names |= set(texts("typed_option.nothing").split()) if value == NOTHING else set()
        if _normalize(typed) in names:
            return value
    words = _words(typed) - set(texts("typed_option.filler").split()) - _words(option.name)
    fitting = [value for value, label in labels.items() if words and words <= _words(label)]
    if len(fitting) == 1:
        return fitting[0]
    letters = "".join(sorted(set("".join(words - _words(format_option_name(texts, option.name))))))
    if letters in _letter_sets(labels):
        return letters
    is_named = words and not any(set(word) <= set(option_letters(option)) for word in words)
    named = find_letter_sets(texts, game, option, typed) if is_named else []
    shortest = [value for value in named if len(value) == len(named[0])]
    return shortest[0] if len(shortest) == 1 else None


def find_letter_sets(texts: Texts, game: Game, option: Option, typed: str) -> list[str]:
    """Return the sets of letters with everything that a text names, the smallest first.

    Each word is letters (``ac``) or the beginning of a word in the name of a letter (``grudge``, ``corner``).
    Empty for an option whose values are no such sets.
    """
    letters = option_letters(option)
    filler = {*texts("typed_option.filler").split(), *_words(format_option_name(texts, option.name))}
    names = {one: _words(describe_option(texts, game.name, option.name, one)) - filler for one in letters}
    words = _words(typed[:MAX_TYPED]) - filler

    def has(value: str, word: str) -> bool:
        if set(word) <= set(letters):
            return set(word) <= set(value)
        return any(name.startswith(word) for one in value for name in names[one])

    values = [str(value) for value in option.choices if str(value).isalpha()] if letters else []
    fitting = [value for value in values if all(has(value, word) for word in words)]
    return sorted(fitting, key=lambda value: (len(value), value))


def option_letters(option: Option) -> tuple[str, ...]:
    """Return the letters of an option whose values are all sets of letters; empty for any other option."""
    words = {value for value in option.choices if isinstance(value, str) and value != NOTHING}
    letters = sorted(set("".join(words)))
    is_sets = len(letters) > 1 and len(words) == len(option.choices) - (NOTHING in option.choices)
    is_sets = is_sets and len(words) == 2 ** len(letters) - 1
    return tuple(letters) if is_sets and all("".join(sorted(set(word))) == word for word in words) else ()


def _parse_value(texts: Texts, game: Game, name: str, typed: str) -> OptionValue:
    shown_game = Formatted(texts(f"game.{game.name}.name"))
    shown_name = Formatted(Code(format_option_name(texts, name)))
    option = next((one for one in game.options if one.name == name and not one.is_random), None)
    if option is None:
        raise Refusal("option_unknown", game=shown_game, option=shown_name)
    value = find_value(texts, game, option, typed)
    if value is None:
        labels = list(_value_labels(texts, game, option).values())
        raise Refusal(
            "option_value_unknown",
            typed=typed,
            game=shown_game,
            option=shown_name,
            values=tuple(labels[:MAX_EXAMPLES]),
        )
    return value


def _refuse_conflict(texts: Texts, game: Game, options: Mapping[str, OptionValue]) -> None:
    """Raise `options_conflict` if another value of one of the options would make them fit together."""
    labels = {name: format_option(texts, game.name, name, value) for name, value in options.items()}
    for option in reversed(game.options):
        fitting = [
            value
            for value in (game.option_values(option) if option.name in options else ())
            if accepts_options(game, {**options, option.name: value})
        ]
        if fitting:
            shown = [format_option(texts, game.name, option.name, value) for value in fitting[:MAX_EXAMPLES]]
            raise Refusal(
                "options_conflict",
                game=Formatted(texts(f"game.{game.name}.name")),
                option=Formatted(Code(format_option_name(texts, option.name))),
                value=Formatted(labels.pop(option.name)),
                others=Formatted(texts.join(list(labels.values()))),
                values=tuple(shown),
            )


def _value_labels(texts: Texts, game: Game, option: Option) -> dict[OptionValue, str]:
    return {
        value: format_option(texts, game.name, option.name, value) for value in game.option_values(option)
    }


def _letter_sets(labels: Mapping[OptionValue, str]) -> set[OptionValue]:
    """Return the values that are sets of letters, sorted; empty if the option has others too."""
    words = {value for value in labels if isinstance(value, str) and value.isalpha()}
    return set(words) if all("".join(sorted(set(str(word)))) == word for word in words) else set()


def _normalize(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_normalize(text)))
