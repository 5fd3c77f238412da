"""The texts of documents such as rule books, whose other values are the same in every language.

>>> book = {"title": "Morphos", "game": "morphos", "pages": [{"key": "aim", "text": "Join your edges."}]}
>>> dict(list_texts("rules.morphos", book))
{'rules.morphos.title': 'Morphos', 'rules.morphos.pages.aim.text': 'Join your edges.'}
>>> with_texts("rules.morphos", book, {"rules.morphos.pages.aim.text": "Verbinde deine Ränder."})["pages"]
[{'key': 'aim', 'text': 'Verbinde deine Ränder.'}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TEXT_FIELDS = frozenset({"title", "note", "text", "caption", "about", "end", "hint", "success", "failure"})


class EnglishText(str):
    """A text of a document as it is written in English; a translated one is another `str`."""

    __slots__ = ()


def list_texts(name: str, document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the key and text of each text of a document; keys begin with `name`.

    An element of a list is named by its ``key``, or by its number from 1.
    """
    for field, value in document.items():
        if isinstance(value, str) and field in TEXT_FIELDS:
            yield f"{name}.{field}", value.strip()
        elif isinstance(value, dict):
            yield from list_texts(f"{name}.{field}", value)
        elif isinstance(value, list):
            for key, item in _elements(f"{name}.{field}", value):
                yield from list_texts(key, item)


def with_texts(name: str, document: Mapping[str, Any], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the texts of these keys; what has none becomes an :class:`EnglishText`."""
    changed = dict(document)
    for field, value in document.items():
        if isinstance(value, str) and field in TEXT_FIELDS:
            changed[field] = texts.get(f"{name}.{field}", EnglishText(value.strip()))
        elif isinstance(value, dict):
            changed[field] = with_texts(f"{name}.{field}", value, texts)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            changed[field] = [
                with_texts(key, item, texts) for key, item in _elements(f"{name}.{field}", value)
            ]
    return changed


def _elements(name: str, values: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, value in enumerate(values, start=1):
        if isinstance(value, dict):
            yield f"{name}.{value.get('key', number)}", value
