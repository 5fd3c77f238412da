"""Every text that people read, by key; code never builds a sentence itself.

A language is a folder of this package, such as ``en``, with TOML files of templates whose placeholders are in
braces. No key occurs in two files. A template with plural forms is a table (``one``, ``other``); the value
named ``count`` chooses the form. Texts under ``[vocabulary."..."]`` override others for a game's own
vocabulary, the most specific first: ``morelli.throne``, then ``morelli``, then the common text.
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    Template = str | Mapping[str, str]

PLURAL_FORMS = frozenset({"one", "few", "many", "other"})
DEFAULT_LANGUAGE = "en"


def english_plural(count: int) -> str:
    """Return the plural form that English uses for a whole number."""
    return "one" if count == 1 else "other"


# Which form a language uses for a number; a new language adds its rule here.
PLURAL_RULES: Mapping[str, Callable[[int], str]] = {"en": english_plural}


class Texts:
    """The texts of one language."""

    def __init__(
        self, templates: Mapping[str, Template], plural: Callable[[int], str] = english_plural
    ) -> None:
        self._templates = templates
        self._plural = plural

    @classmethod
    def load(cls, language: str = DEFAULT_LANGUAGE) -> Texts:
        """Read a language's files. Raises KeyError for a language that has no plural rule."""
        plural = PLURAL_RULES[language]
        return cls(_load_language(language), plural)

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the text of `key` with its placeholders filled. Raises KeyError for an unknown key."""
        return self._fill(self._templates[key], values)

    def for_game(self, vocabulary: str, key: str, /, **values: Any) -> str:
        """Return the text of `key` in a game's own vocabulary (see the module)."""
        for name in _vocabularies(vocabulary):
            template = self._templates.get(f"vocabulary.{name}.{key}")
            if template is not None:
                return self._fill(template, values)
        return self(key, **values)

    def join(self, items: Sequence[str], kind: str = "list.and") -> str:
        """Join `items` as the language lists things; `kind` names a pair of patterns."""
        if not items:
            return ""
        text = items[0]
        for item in items[1:-1]:
            text = self(f"{kind}.middle", before=text, item=item)
        return text if len(items) == 1 else self(f"{kind}.last", before=text, item=items[-1])

    def has(self, key: str) -> bool:
        """Return whether there is a text of that key."""
        return key in self._templates

    @property
    def templates(self) -> Mapping[str, Template]:
        """All templates by key, for those who check or list them."""
        return self._templates

    def _fill(self, template: Template, values: Mapping[str, Any]) -> str:
        if not isinstance(template, str):
            form = self._plural(values["count"])
            template = template.get(form) or template["other"]
        return template.format_map(values)


@functools.cache
def _load_language(language: str) -> Mapping[str, Template]:
    """Read the package's texts of a language, once a process."""
    return MappingProxyType(load_folder(files(__package__).joinpath(language)))


def load_folder(folder: Traversable) -> dict[str, Template]:
    """Read all files of a folder as one catalogue. Raises ValueError for a key that stands in two of them."""
    templates: dict[str, Template] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        file_templates = dict(_flatten(tomllib.loads(file.read_text(encoding="utf-8"))))
        repeated = sorted(file_templates.keys() & templates.keys())
        if repeated:
            raise ValueError(f"{file.name} repeats {', '.join(repeated)}")
        templates |= file_templates
    return templates


def _vocabularies(vocabulary: str) -> Iterator[str]:
    while vocabulary:
        yield vocabulary
        vocabulary = vocabulary.rpartition(".")[0]


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Template]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str) or value.keys() <= PLURAL_FORMS:
            yield key, value
        else:
            yield from _flatten(value, f"{key}.")
