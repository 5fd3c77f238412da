"""Translations: texts of another language, each with a digest of the English text that it translates.

A language is a folder beside ``en``. Its TOML files have a line for each text (``mail.code.subject =
"..."``), and its file ``sources.txt`` has a line with the digest and the key. A text whose English has
changed since is stale: readers get English until a translator has looked at it again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from i18n.plurals import ENGLISH, PLURAL_FORMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    Template = str | Mapping[str, str]

SOURCES = "sources.txt"
DIGEST_LENGTH = 8  # hexadecimal digits


@dataclass(frozen=True, slots=True)
class Translation:
    """The texts of a language: those that are `current`, and the `stale` ones, by key."""

    current: Mapping[str, Template]
    stale: Mapping[str, Template]


def digest(template: Template) -> str:
    """Return a short digest of a text with all its plural forms.

    >>> digest("Your turn")
    'f2d14573'
    """
    text = template if isinstance(template, str) else json.dumps(dict(template), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def compare(
    english: Mapping[str, Template], translated: Mapping[str, Template], sources: Mapping[str, str]
) -> Translation:
    """Divide the texts of a language; `sources` are the digests of what they translate, by key.

    What has no English text any more is left out.
    """
    current = {
        key: text
        for key, text in translated.items()
        if key in english and sources.get(key) == digest(english[key])
    }
    stale = {key: text for key, text in translated.items() if key in english and key not in current}
    return Translation(MappingProxyType(current), MappingProxyType(stale))


def read_sources(folder: Traversable) -> dict[str, str]:
    """Return the digests of a folder, by key; empty without the file."""
    file = folder.joinpath(SOURCES)
    if not file.is_file():
        return {}
    lines = (line.split() for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return {sys.intern(key): value for value, key in lines}


def load_file(file: Traversable) -> dict[str, Template]:
    """Return the texts of a TOML file by key."""
    return dict(_flatten(tomllib.loads(file.read_text(encoding="utf-8"))))


def load_folder(folder: Traversable) -> dict[str, Template]:
    """Return all files of a folder as one catalogue. Raises ValueError for a key that is in two of them."""
    templates: dict[str, Template] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            add_templates(templates, load_file(file), file.name)
    return templates


def add_templates(templates: dict[str, Template], more: Mapping[str, Template], source: str) -> None:
    """Add texts to others. Raises ValueError for a key that is among them."""
    repeated = sorted(more.keys() & templates.keys())
    if repeated:
        raise ValueError(f"{source} repeats {', '.join(repeated)}")
    templates |= more


def load_translation(language: str, english: Mapping[str, Template]) -> Mapping[str, Template]:
    """Return what translates these English texts and is not stale; empty for English itself."""
    if language not in list_languages()[1:]:
        return MappingProxyType({})
    return compare(english, *_load_language(language)).current


@functools.cache
def _load_language(language: str) -> tuple[Mapping[str, Template], Mapping[str, str]]:
    """Return all texts of a language and the digests of what they translate; the files are read once."""
    folder = files(__package__).joinpath(language)
    return MappingProxyType(load_folder(folder)), MappingProxyType(read_sources(folder))


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Template]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str) or value.keys() <= set(PLURAL_FORMS):
            yield sys.intern(key), value  # one string for the key in all languages
        else:
            yield from _flatten(value, f"{key}.")


@functools.cache
def list_languages() -> tuple[str, ...]:
    """Return the languages that have texts, English first."""
    package = files(__package__)
    found = {one.name for one in package.iterdir() if one.is_dir() and one.joinpath(SOURCES).is_file()}
    return (ENGLISH, *sorted(found))


def choose_language(*wanted: str) -> str:
    """Return the first of the `wanted` languages that has texts; English if none has.

    A wanted one is a tag such as ``ja`` or ``de-AT``, of which only the language counts.
    """
    languages = list_languages()
    for tag in wanted:
        language = tag.replace("_", "-").partition("-")[0].casefold()
        if language in languages:
            return language
    return ENGLISH
