"""The sentence of a refusal: why something was not done, and what to do. The same for every front end.

The texts are under ``refused``. A front end that needs another sentence, for instance because it has no slash
commands, has its own under ``FRONT_END.refused``.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from engine.game import GameError
from i18n.quoting import MAX_QUOTED, quote
from i18n.writing import Code, Megabytes, Moment, MomentStyle, describe_duration, isolate

if TYPE_CHECKING:
    from i18n.catalogue import Texts
    from matches.errors import Refusal

MAX_LISTED = 12
MAX_SENTENCE = 500

# The values that select between singular and plural.
COUNT_VALUES = ("limit", "due", "days")
# Values that are lists of things with names: the key of a name.
NAME_KEYS = {
    "games": "game.{}.name",
    "sides": "side.{}",
    "levels": "level.{}.name",
    "rules": "terms.timeout.{}",
    "modes": "watch.{}",
}
# Lists of what one can type; other lists are of things that have other spellings too.
TYPED_LISTS = ("choices", "levels", "rules")


class Formatted(str):
    """A value that is not shortened, such as text from the catalogue; `text` is what it was made of."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> Self:
        """Keep the text, whose type says which writer wrote it."""
        formatted = super().__new__(cls, text)
        formatted.text = text
        return formatted


def format_refusal(
    texts: Texts,
    error: Refusal,
    *,
    front_end: str = "",
    match_name: str = "",
) -> str:
    """Return the sentence of a refusal.

    Each text among its values is shortened to a quotation; a refusal of the game becomes its sentence. Of a
    tuple at most MAX_LISTED elements are shown, joined with "or". `match_name` is the name of the match in
    question; by default it is called by its number.
    """
    shown: dict[str, Any] = {}
    for name, value in error.values.items():
        shown[name] = _show_value(texts, name, value)
        if name in COUNT_VALUES:
            shown["count"] = shown[name]
    if match_name or "match" in error.values:
        shown["match_name"] = match_name or texts("match_name.bare", match=error.values["match"])
    key = _variant_key(error)
    own_key = f"{front_end}.refused.{key}"
    return texts(own_key if texts.has(own_key) else f"refused.{key}", **shown)


def _show_value(texts: Texts, name: str, value: Any) -> Any:  # noqa: PLR0911 - a table
    match value:
        case tuple():
            return _join(texts, name, value)
        case timedelta():
            return describe_duration(texts, value)
        case datetime():
            return Moment(value, MomentStyle.DATE)
        case Formatted():
            return value.text
        case str():
            max_length = MAX_SENTENCE if name == "reason" else MAX_QUOTED  # the words of moderators are whole
            return isolate(quote(value, max_length) or "“”")
        case GameError():
            return quote(format_game_error(texts.plain, value), MAX_SENTENCE)
    return Megabytes(value) if name == "megabytes" else value


def _join(texts: Texts, name: str, items: tuple[str, ...]) -> str:
    names = [texts(NAME_KEYS[name].format(item)) if name in NAME_KEYS else item for item in items]
    shown = map(Code, names[:MAX_LISTED]) if name in TYPED_LISTS else names[:MAX_LISTED]
    return texts.join(shown, "list.or")


def _variant_key(error: Refusal) -> str:
    """Return the key of the sentence; some refusals have a second sentence for a special case."""
    if error.key == "challenge_accepted" and error.values["you"]:
        return "challenge_accepted_you"
    if error.key == "not_addressee" and not error.values["to"]:
        return "not_addressee_open"
    return error.key


def format_game_error(texts: Texts, error: GameError) -> str:
    """Return why a game refuses something: the text under ``engine``, else the engine's English sentence."""
    key = f"engine.{error.key}"
    if not texts.has_for_game(error.vocabulary, key):
        return error.reason

    def find_word(word: str) -> str | None:
        word_key = f"engine.{word}"
        return texts(word_key) if texts.has(word_key) else None

    return texts.for_game(error.vocabulary, key, **error.format_values(find_word))
