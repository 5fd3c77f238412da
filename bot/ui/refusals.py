"""The sentence of every refusal: a key of the catalogue, and values made fit to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.utils import escape_markdown

from bot.ui import clock_formatting
from matches import (
    ChallengeAlreadyAccepted,
    ExtraTimeOutOfBounds,
    GameUnknown,
    IncompleteTurn,
    InvalidColour,
    MatchError,
    NotAddressee,
    NoVacationDaysLeft,
    TimeControlOutOfBounds,
    TooManyChallenges,
    TooManyMoves,
    parse_duration,
)

if TYPE_CHECKING:
    from i18n import Texts

MAX_LISTED = 12


class Refusal(Exception):  # noqa: N818 - a no to a person, not a fault
    """The front end's own no. `key` and `values` find the sentence, whose texts are ready to be read."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def format_refusal(texts: Texts, error: MatchError | Refusal) -> str:
    """Return the sentence that says why not, and what to do."""
    if isinstance(error, Refusal):
        return texts(f"refused.{error.key}", **error.values)
    return texts(f"refused.{refusal_key(error)}", **_sentence_values(texts, error))


def refusal_key(error: MatchError) -> str:
    """Return the key of the sentence: that of the error, or of the case of it that has its own."""
    if isinstance(error, ChallengeAlreadyAccepted) and error.values["you"]:
        return f"{error.key}_you"
    if isinstance(error, NotAddressee) and not error.values["to"]:
        return f"{error.key}_open"
    return error.key


def _sentence_values(texts: Texts, error: MatchError) -> dict[str, Any]:
    values: dict[str, Any] = {name: _format_value(texts, value) for name, value in error.values.items()}
    match error:
        case GameUnknown():
            values["games"] = _format_names(texts, error.values["games"], "game.{}.name")
        case InvalidColour():
            values["sides"] = _format_names(texts, error.values["sides"], "side.{}")
        case TooManyChallenges():
            values["count"] = error.values["limit"]
        case TooManyMoves() | IncompleteTurn():
            values["count"] = error.values["due"]
        case TimeControlOutOfBounds() | ExtraTimeOutOfBounds():
            values = {name: _format_duration(texts, str(value)) for name, value in error.values.items()}
        case NoVacationDaysLeft():
            values["count"] = error.values["days"]
        case _:
            pass
    return values


def _format_value(texts: Texts, value: str | int | tuple[str, ...]) -> str | int:
    if isinstance(value, tuple):
        return texts.join([f"`{one}`" for one in value[:MAX_LISTED]], "list.or")
    return escape_markdown(value) if isinstance(value, str) else value


def _format_duration(texts: Texts, text: str) -> str:
    duration = parse_duration(text)
    return escape_markdown(text) if duration is None else clock_formatting.describe_duration(texts, duration)


def _format_names(texts: Texts, value: str | int | tuple[str, ...], key: str) -> str:
    names = value if isinstance(value, tuple) else (str(value),)
    return texts.join([texts(key.format(name)) for name in names], "list.or")
