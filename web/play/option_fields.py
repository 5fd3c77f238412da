"""The options of a game as fields of the form for a new match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from i18n import formatting as game_formatting
from i18n import option_values
from web.pages.pages import capitalize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game, Option, OptionValue
    from i18n import Texts


@dataclass(frozen=True, slots=True)
class LetterField:
    """One letter of an option that combines letters, as a check box."""

    letter: str
    name: str
    about: str
    is_checked: bool


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game: its name, label and note, and a menu of values (value, label, is selected).

    An option that combines letters has check boxes instead; a field of the form is named ``OPTION.LETTER``,
    and ``OPTION.`` says that the boxes were on the form, because a browser sends only the ticked ones.
    """

    name: str
    label: str
    values: tuple[tuple[str, str, bool], ...]
    note: str
    letters: tuple[LetterField, ...] = ()


def option_fields(texts: Texts, rules: Game, values: Mapping[str, str]) -> Iterator[OptionField]:
    """Yield the fields of a game; `values` are those chosen in a URL or a form."""
    for option in rules.options:
        if not option.is_random:
            selected = submitted_text(option, values)
            yield OptionField(
                option.name,
                game_formatting.format_option_name(texts, option.name),
                tuple(_option_values(texts, rules, option, selected)),
                _option_note(texts, rules.name, option.name),
                tuple(_letter_fields(texts, rules.name, option, selected or str(option.default))),
            )


def _letter_fields(texts: Texts, game: str, option: Option, selected: str) -> Iterator[LetterField]:
    for letter in option_values.option_letters(option):
        name, more = (f"{kind}.{game}.{option.name}.{letter}" for kind in ("setting_about", "setting_more"))
        yield LetterField(
            letter,
            capitalize(texts(name)) if texts.has(name) else letter,
            texts("web.new.letter", letter=letter, more=texts(more)) if texts.has(more) else "",
            letter in selected,
        )


def _option_note(texts: Texts, game: str, option: str) -> str:
    """Return more about an option of a game whose values do not explain themselves; mostly empty."""
    key = f"web.new.note.{option}"
    return texts.for_game(game, key) if texts.has_for_game(game, key) else ""


def _option_values(
    texts: Texts, rules: Game, option: Option, selected: str
) -> Iterator[tuple[str, str, bool]]:
    """Yield value, label and whether it is selected. An option without a default can be left to the game."""
    if option.default is None:
        yield "", texts("web.new.usual"), not selected
    for value in rules.option_values(option):
        is_selected = selected == str(value) if selected else value == option.default
        label = game_formatting.describe_choice(texts, rules.name, option, value)
        yield str(value), label, is_selected


def submitted_options(texts: Texts, rules: Game, values: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options of the form. Raises Refusal."""
    submitted = {
        option.name: text
        for option in rules.options
        if not option.is_random and (text := submitted_text(option, values))
    }
    return option_values.parse_options(texts, rules, submitted)


def submitted_text(option: Option, values: Mapping[str, str]) -> str:
    """Return the value of an option in a form or a URL; empty if it has none."""
    if values.get(option.name) or f"{option.name}." not in values:
        return values.get(option.name, "")
    letters = option_values.option_letters(option)
    ticked = "".join(letter for letter in letters if f"{option.name}.{letter}" in values)
    return ticked or option_values.NOTHING
