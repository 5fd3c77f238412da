"""The sentence of every refusal: a key of the catalogue, and values made fit to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.utils import escape_markdown

from bot.clocks import wording
from matches import (
    ChallengeTaken,
    ColourRefused,
    GameUnknown,
    GiftOutOfBounds,
    MatchError,
    NotAddressee,
    PaceOutOfBounds,
    TooManyChallenges,
    TooManyMoves,
    TurnCutShort,
    VacationUsedUp,
    read_duration,
)

if TYPE_CHECKING:
    from words import Words

MOST_CHOICES = 12


class Refusal(Exception):  # noqa: N818 - a no to a person, not a fault
    """The front end's own no. `key` and `values` find the sentence, whose texts are ready to be read."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def refused(words: Words, error: MatchError | Refusal) -> str:
    """Give the sentence that says why not, and what to do."""
    if isinstance(error, Refusal):
        return words(f"refused.{error.key}", **error.values)
    return words(f"refused.{variant(error)}", **_values(words, error))


def variant(error: MatchError) -> str:
    """Give the key of the sentence: that of the error, or of the case of it that has its own."""
    if isinstance(error, ChallengeTaken) and error.values["you"]:
        return f"{error.key}_you"
    if isinstance(error, NotAddressee) and not error.values["to"]:
        return f"{error.key}_open"
    return error.key


def _values(words: Words, error: MatchError) -> dict[str, Any]:
    values: dict[str, Any] = {name: _shown(words, value) for name, value in error.values.items()}
    match error:
        case GameUnknown():
            values["games"] = _named(words, error.values["games"], "game.{}.name")
        case ColourRefused():
            values["sides"] = _named(words, error.values["sides"], "side.{}")
        case TooManyChallenges():
            values["count"] = error.values["limit"]
        case TooManyMoves() | TurnCutShort():
            values["count"] = error.values["due"]
        case PaceOutOfBounds() | GiftOutOfBounds():
            values = {name: _length(words, str(value)) for name, value in error.values.items()}
        case VacationUsedUp():
            values["count"] = error.values["days"]
        case _:
            pass
    return values


def _shown(words: Words, value: str | int | tuple[str, ...]) -> str | int:
    if isinstance(value, tuple):
        return words.listed([f"`{one}`" for one in value[:MOST_CHOICES]], "list.or")
    return escape_markdown(value) if isinstance(value, str) else value


def _length(words: Words, text: str) -> str:
    length = read_duration(text)
    return escape_markdown(text) if length is None else wording.length(words, length)


def _named(words: Words, value: str | int | tuple[str, ...], key: str) -> str:
    names = value if isinstance(value, tuple) else (str(value),)
    return words.listed([words(key.format(name)) for name in names], "list.or")
