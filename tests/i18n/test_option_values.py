"""Options as people type them: other spellings, and refusals that name what people see."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

import re
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from i18n.formatting import format_option, format_option_name
from i18n.option_values import find_value, parse_options
from i18n.refusals import format_refusal
from matches import Refusal
from tests.games import GAMES, TEXTS
from tests.refusals import refused

if TYPE_CHECKING:
    from engine.game import Game, OptionValue

MAX_VALUES = 40
LONGEST_REFUSAL = 300


@pytest.mark.parametrize(
    ("game", "option", "value", "spellings"),
    [
        ("morelli", "size", 9, "9;9x9;9 x 9;9×9;9 × 9;9*9;9 by 9;９ｘ９;a board? 9"),
        ("morphos", "size", 5, "5;5x5;5 X 5;05x5"),
        ("morphos", "mutators", "abc", "abc;cba;bca;a, b, c;A+B+C;a b c;a and b and c;mutators c b a;aabbc"),
        ("morphos", "mutators", "ab", "ab;b,a;A B;mutators ab;with b & a"),
        ("morphos", "mutators", "bc", "grudge, two stones;two + grudge"),
        ("morphos", "mutators", "-", "-;no mutators;none;No"),
        ("morabaraba", "men", 11, "11;11 men;11 men each;men: 11"),
        ("morelli", "edition", "nestor", "nestor;later rules;Later;the later rules"),
        ("morelli", "edition", "2015", "2015;rules of 2015"),
        ("morelli", "setup", "facing", "facing;Facing; FACING "),
        ("morelli", "setup", "fists", "fists;closed fists;Closed  Fists"),
    ],
)
def test_spellings_of_a_value_are_understood(
    game: str, option: str, value: OptionValue, spellings: str
) -> None:
    (asked,) = (one for one in GAMES[game].options if one.name == option)
    understood = {text: find_value(TEXTS, GAMES[game], asked, text) for text in spellings.split(";")}
    unknown = {"a board? 9": None, "05x5": None, "the later rules": None}
    assert understood == {text: unknown.get(text, value) for text in understood}


@pytest.mark.parametrize(
    ("game", "option", "typed"),
    [
        ("morelli", "size", "9x11"),
        ("morelli", "size", "x"),
        ("morelli", "size", ""),
        ("morelli", "edition", "rules"),
        ("morphos", "mutators", "xyz"),
        ("morphos", "mutators", "abcdef"),
        ("morphos", "mutators", "stones"),
        ("morphos", "mutators", "a grudge"),
        ("morphos", "size", "4"),
    ],
)
def test_what_means_no_value_or_several_is_refused(game: str, option: str, typed: str) -> None:
    with refused("option_value_unknown"):
        parse_options(TEXTS, GAMES[game], {option: typed})


def sentences(error: Refusal) -> list[str]:
    """Return a refusal as the bot and the website show it."""
    return [format_refusal(TEXTS, error, front_end=front_end) for front_end in ("", "web")]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_refusals_of_options_use_the_names_that_people_see(game: Game) -> None:
    options = [option for option in game.options if not option.is_random]
    values = {option: list(game.option_values(option)) for option in options}
    shown = " ".join(
        [format_option_name(TEXTS, option.name) for option in options]
        + [format_option(TEXTS, game.name, one.name, value) for one in options for value in values[one]]
    )
    internal = {option.name for option in options} | {str(value) for one in options for value in values[one]}
    hidden = {word for word in internal if word.isalpha()} - set(re.findall(r"\w+", shown.lower()))
    tried: list[dict[str, str]] = [{option.name: "nonsense"} for option in options] + [{"colour": "red"}]
    for first, second in combinations(options, 2):
        pairs = product(values[first][:MAX_VALUES], values[second][:MAX_VALUES])
        tried += [{first.name: str(one), second.name: str(other)} for one, other in pairs]
    count = 0
    for typed in tried:
        try:
            parse_options(TEXTS, game, typed)
        except Refusal as error:
            count += 1
            for sentence in sentences(error):
                assert hidden.isdisjoint(re.findall(r"\w+", sentence)), sentence
                assert len(sentence) < LONGEST_REFUSAL
        else:
            game.complete_options(**typed)
    assert count > len(options)
