"""What follows `challenge` and `play`: a name or address, a game and options, in any order and spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from i18n import option_values
from i18n.challenge_values import (
    DEFAULT_LEVEL,
    colour_labels,
    find_game_key,
    parse_colour,
    parse_terms,
    parse_typed_time_control,
    timeout_rule_labels,
)
from i18n.formatting import format_option_name
from mail.commands.words import list_spellings
from matches import LEVELS, Refusal, clean_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Game, OptionValue, Side
    from i18n import Texts
    from matches import Terms, TimeControl

Reader = Callable[[str], "tuple[str, Any] | None"]
"""Returns what kind of option a text is, and its value; None if it is another kind."""

OPTION = "option."  # before the name of an option of a game
MIN_GAME_LENGTH = 4  # of a beginning that is enough to name a game
MAX_LENGTH = 500  # characters that are read
MAX_WORDS = 60
MAX_WORDS_OF_VALUE = 13  # such as "14 days + 1 day per move , at most 21 days"
MAX_WORDS_OF_OPTION = 4  # of an option of a game, because these take longer to compare
_QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d'
_SEPARATOR = re.compile("[,;\u3001\uff0c\uff1b]")
_NOTE = re.compile(f"[{_QUOTES}]([^{_QUOTES}]{{1,400}})(?:[{_QUOTES}]|$)")
_SWITCHES: Mapping[str, tuple[str, bool]] = MappingProxyType(
    {
        "rated": ("rated", True),
        "unrated": ("rated", False),
        "takeback": ("takeback", True),
        "no_takeback": ("takeback", False),
        "vacation": ("vacation", True),
        "no_vacation": ("vacation", False),
        "private": ("private", True),
    }
)
"""Words that set one thing: what they set, and to what."""


@dataclass(frozen=True, slots=True)
class ChallengeWish:
    """What is typed: `to` is a name, an address, or empty for anyone; `level` that of the computer."""

    to: str
    game: Game
    options: Mapping[str, OptionValue]
    terms: Terms
    colour: Side | None
    note: str
    is_private: bool
    level: str = ""


@dataclass(slots=True)
class _Found:
    """What was recognized so far, by its kind; each kind can be given once."""

    values: dict[str, Any] = field(default_factory=dict)

    def add(self, kind: str, value: Any, typed: str) -> None:
        if kind in self.values:
            raise Refusal("challenge_word_twice", text=typed)
        self.values[kind] = value


def read_challenge(
    texts: Texts, games: Mapping[str, Game], typed: str, default: TimeControl | None
) -> ChallengeWish:
    """Return the challenge that is typed; `default` is the time control if none is.

    Raises `challenge_game_missing`, `challenge_word_unknown`, `challenge_word_twice`, `options_conflict`,
    `time_control_out_of_bounds`.
    """
    note, words = _split_note(typed)
    to = ""
    if words and not _is_game(texts, games, words[0], words[1:]):
        to, words = words[0], words[1:]
    if to.casefold() in list_spellings(texts, "anyone"):
        to = ""
    return _read(texts, games, words, note, default, to=to)


def read_computer_game(texts: Texts, games: Mapping[str, Game], typed: str) -> ChallengeWish:
    """Return the match against the computer that is typed, by default at the level for newcomers.

    Raises as :func:`read_challenge`.
    """
    _, words = _split_note(typed)
    return _read(texts, games, words, "", None, is_for_computer=True)


def _split_note(typed: str) -> tuple[str, list[str]]:
    """Return the note in quotation marks, and the other words."""
    typed = " ".join(typed[:MAX_LENGTH].split())
    found = _NOTE.search(typed)
    note = "" if found is None else clean_line(found[1])
    rest = typed if found is None else f"{typed[: found.start()]} {typed[found.end() :]}"
    return note, _SEPARATOR.sub(" , ", rest).split()[:MAX_WORDS]


def _is_game(texts: Texts, games: Mapping[str, Game], word: str, others: Sequence[str]) -> bool:
    """Return whether the first word is the game, and not a name: no other word is a game then."""
    if len(word) < MIN_GAME_LENGTH or find_game_key(texts.plain, games, word) is None:
        return False
    return not any(
        find_game_key(texts.plain, games, other) for other in others if len(other) >= MIN_GAME_LENGTH
    )


def _read(
    texts: Texts,
    games: Mapping[str, Game],
    words: Sequence[str],
    note: str,
    default: TimeControl | None,
    *,
    to: str = "",
    is_for_computer: bool = False,
) -> ChallengeWish:
    plain = texts.plain
    game, rest = _take_game(plain, games, words)
    readers = [
        partial(_read_switch, plain),
        partial(_read_time_control, plain),
        partial(_read_label, "colour", colour_labels(plain, game.sides)),
        partial(_read_label, "time_out", timeout_rule_labels(plain)),
        *([partial(_read_label, "level", _level_labels(plain))] if is_for_computer else []),
        partial(_read_option, plain, game),
    ]
    found = _Found()
    filler = {",", *list_spellings(plain, "filler")}
    while rest:
        rest = rest[1:] if rest[0].casefold() in filler else rest[_read_next(readers, rest, found) :]
    values = found.values
    options = {name.removeprefix(OPTION): value for name, value in values.items() if name.startswith(OPTION)}
    terms = parse_terms(
        plain,
        default,
        time_out=values.get("time_out"),
        vacation=values.get("vacation"),
        takeback=values.get("takeback"),
        rated=values.get("rated", False if is_for_computer else None),
    )
    if "time_control" in values:
        terms = replace(terms, time_control=values["time_control"])
    return ChallengeWish(
        to=to,
        game=game,
        options=option_values.parse_challenge_options(plain, game, options),
        terms=terms,
        colour=parse_colour(plain, game, values.get("colour")),
        note=note,
        is_private="private" in values,
        level=values.get("level", DEFAULT_LEVEL) if is_for_computer else "",
    )


def _take_game(texts: Texts, games: Mapping[str, Game], words: Sequence[str]) -> tuple[Game, Sequence[str]]:
    """Return the game that one of the words names, and the other words. Raises `challenge_game_missing`."""
    for index, word in enumerate(words):
        key = find_game_key(texts, games, word) if len(word) >= MIN_GAME_LENGTH else None
        if key is not None:
            return games[key], [*words[:index], *words[index + 1 :]]
    raise Refusal("challenge_game_missing", games=tuple(games))


def _read_next(readers: Sequence[Reader], words: Sequence[str], found: _Found) -> int:
    """Read the longest option with which words begin, and return of how many it is made.

    Raises `challenge_word_unknown`, `challenge_word_twice`.
    """
    for count in range(min(MAX_WORDS_OF_VALUE, len(words)), 0, -1):
        if words[count - 1] == ",":
            continue
        text = " ".join(words[:count]).replace(" ,", ",")
        for read in readers:
            option = read(text)
            if option is not None:
                found.add(*option, text)
                return count
    raise Refusal("challenge_word_unknown", text=words[0])


def _read_switch(texts: Texts, text: str) -> tuple[str, Any] | None:
    spellings = ((name, list_spellings(texts, name)) for name in _SWITCHES)
    return next((_SWITCHES[name] for name, spelled in spellings if text.casefold() in spelled), None)


def _read_time_control(texts: Texts, text: str) -> tuple[str, Any] | None:
    """Return a time control. Raises `time_control_out_of_bounds`."""
    if text.casefold() in list_spellings(texts, "no_clock"):
        return "time_control", None
    try:
        return "time_control", parse_typed_time_control(texts, text)
    except Refusal as error:
        if error.key != "time_control_unreadable":
            raise
        return None


def _read_label(kind: str, labels: Sequence[tuple[str, str]], text: str) -> tuple[str, Any] | None:
    """Return the value whose label or name is typed in full."""
    typed = text.casefold()
    found = (value for label, value in labels if typed in {label.casefold(), value.casefold()})
    value = next(found, None)
    return None if value is None else (kind, value)


def _read_option(texts: Texts, game: Game, text: str) -> tuple[str, Any] | None:
    """Return the option of a game with its text: by its name, or if no other option has such a value."""
    words = text.replace("=", " ").replace(":", " ").split()
    if not words or len(words) > MAX_WORDS_OF_OPTION:
        return None
    typed = " ".join(words)
    options = [option for option in game.options if not option.is_random]
    named = [
        option
        for option in options
        if words[0].casefold() in {option.name, format_option_name(texts, option.name).casefold()}
    ]
    if named and len(words) > 1:
        options, typed = named, " ".join(words[1:])
    fitting = [one for one in options if option_values.find_value(texts, game, one, typed) is not None]
    return (f"{OPTION}{fitting[0].name}", typed) if len(fitting) == 1 else None


def _level_labels(texts: Texts) -> list[tuple[str, str]]:
    return [(texts(f"level.{level}.name"), level) for level in LEVELS]
