"""The sentence of a refusal. Both front ends share the texts under ``refused``.

A front end that needs another sentence, for instance because it has no slash commands, has its own under
``FRONT_END.refused``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import GameError
from i18n.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from i18n.catalogue import Texts

Value = str | int | tuple[str, ...] | GameError


MAX_LISTED = 12
MAX_SENTENCE = 500

# The values that select between singular and plural.
COUNT_VALUES = ("limit", "due", "days")
# Refusals that list things by their names: the value with the things, and the key of a name.
NAME_KEYS = {"game_unknown": ("games", "game.{}.name"), "colour_refused": ("sides", "side.{}")}


def format_refusal(
    texts: Texts,
    key: str,
    values: Mapping[str, Value],
    *,
    front_end: str = "",
    match_name: str = "",
    escape: Callable[[str], str] = str,
    list_item: str = "{}",
) -> str:
    """Return the sentence of the refusal `key`, which says why something was not done and what to do.

    Each text among `values` is shortened to a quotation and passed to `escape`. A refusal of the game becomes
    its sentence, escaped too. A tuple is joined with "or", each element in the format `list_item`; at most
    MAX_LISTED elements are shown. `match_name` is the name of the match in question; by default it is called
    by its number.
    """
    shown: dict[str, str | int] = {}
    for name, value in values.items():
        if isinstance(value, tuple):
            shown[name] = texts.join([list_item.format(one) for one in value[:MAX_LISTED]], "list.or")
        elif isinstance(value, GameError):
            shown[name] = escape(quote(format_game_error(texts, value), MAX_SENTENCE))
        else:
            shown[name] = escape(quote(value)) if isinstance(value, str) else value
        if name in COUNT_VALUES:
            shown["count"] = shown[name]
    list_name, name_key = NAME_KEYS.get(key, ("", ""))
    listed = values.get(list_name, ())
    if isinstance(listed, tuple) and listed:
        shown[list_name] = texts.join([texts(name_key.format(one)) for one in listed], "list.or")
    if match_name or "match" in values:
        shown["match_name"] = match_name or texts("match_name.bare", match=values["match"])
    own_key = f"{front_end}.refused.{key}"
    return texts(own_key if texts.has(own_key) else f"refused.{key}", **shown)


def format_game_error(texts: Texts, error: GameError) -> str:
    """Return why a game refuses something: the text under ``engine``, else the engine's English sentence."""
    key = f"engine.{error.key}"
    if not texts.has_for_game(error.vocabulary, key):
        return error.reason

    def find_word(word: str) -> str | None:
        word_key = f"engine.{word}"
        return texts(word_key) if texts.has(word_key) else None

    return texts.for_game(error.vocabulary, key, **error.format_values(find_word))
