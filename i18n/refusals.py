"""The sentence of a refusal. Both front ends share the texts under ``refused``.

A front end that needs another sentence, for instance because it has no slash commands, has its own under
``FRONT_END.refused``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.quoting import MAX_QUOTED, quote
from i18n.writing import Code, isolate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from i18n.catalogue import Texts

MAX_LISTED = 12
SENTENCES = ("reason",)  # the values that are sentences of a game
MAX_SENTENCE = 500

# The values that select between singular and plural.
COUNT_VALUES = ("limit", "due", "days")
# Refusals that list things by their names: the value with the things, and the key of a name.
NAME_KEYS = {"game_unknown": ("games", "game.{}.name"), "colour_refused": ("sides", "side.{}")}


def format_refusal(
    texts: Texts,
    key: str,
    values: Mapping[str, str | int | tuple[str, ...]],
    *,
    front_end: str = "",
    match_name: str = "",
) -> str:
    """Return the sentence of the refusal `key`, which says why something was not done and what to do.

    Each text among `values` is shortened to a quotation, except the SENTENCES of a game. The elements of a
    tuple are what one can type instead; at most MAX_LISTED of them are shown.
    `match_name` is the name of the match in question; by default it is called by its number.
    """
    shown: dict[str, str | int] = {}
    for name, value in values.items():
        if isinstance(value, tuple):
            shown[name] = texts.join([Code(one) for one in value[:MAX_LISTED]], "list.or")
        else:
            max_length = MAX_SENTENCE if name in SENTENCES else MAX_QUOTED
            shown[name] = isolate(quote(value, max_length)) if isinstance(value, str) else value
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
