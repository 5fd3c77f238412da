"""The English sentences of refusals, from ``en.toml``; the text protocol needs them.

Sentences of other languages are in their catalogues of `i18n`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RefusalValue = str | int | tuple[str, ...]


class Word(str):
    """A value of a refusal that has a name in every language: the key of the name, such as ``side.black``."""

    __slots__ = ()


@cache
def load_sentences() -> Mapping[str, str]:
    """Return the sentences and words by key, such as ``morelli.blocked``; the file is read once."""
    text = files(__package__).joinpath("en.toml").read_text(encoding="utf-8")
    return MappingProxyType(dict(_flatten(tomllib.loads(text))))


def find_sentence(key: str, vocabulary: str = "") -> str:
    """Return the sentence of `key` in the terms of a vocabulary, or else the last word of the key."""
    sentences = load_sentences()
    common = sentences.get(key) or key.rpartition(".")[2].replace("_", " ")
    return sentences.get(f"vocabulary.{vocabulary}.{key}", common)


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield f"{prefix}{name}", value
        else:
            yield from _flatten(value, f"{prefix}{name}.")
