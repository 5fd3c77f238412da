"""Every text that a person reads, by key; code never builds a sentence itself.

A language is one folder beside this module, such as ``en``: files with tables of templates whose
placeholders stand in braces. ``games`` is what every front end says alike, each other file belongs to
one front end (``bot`` and ``records`` to Discord); no key stands in two of them. A template with several
forms (a table of ``one`` and ``other``) is chosen by the value named ``count``. Texts under
``[idiom."..."]`` override others for a game's own vocabulary, from the longest name to the shortest:
``morelli.throne``, then ``morelli``, then the common text.
"""

from __future__ import annotations

import functools
import logging
import tomllib
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    Template = str | Mapping[str, str]

log = logging.getLogger(__name__)

PLURAL_FORMS = frozenset({"one", "few", "many", "other"})
GENERIC_KEY_WORDS = frozenset({"name", "about", "other"})  # end many keys and say nothing by themselves
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
    def load(cls, *folders: Traversable, language: str = DEFAULT_LANGUAGE) -> Texts:
        """Read the files of a language, and those of further `folders` such as the texts of one more game.

        Raises KeyError for a language that has no plural rule, ValueError for a key that occurs twice.
        """
        plural = PLURAL_RULES[language]
        templates = dict(_load_language(language))
        for folder in folders:
            _add_templates(templates, load_folder(folder), str(folder))
        return cls(MappingProxyType(templates), plural)

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the text of `key` with its placeholders filled.

        A key without a text is logged as an error, and the text made of the key itself: a page or a post
        never fails because a sentence is missing.
        """
        template = self._templates.get(key)
        if template is None:
            log.error("missing text: %s", key)
            return fallback_text(key)
        return self._fill(template, values)

    def for_game(self, vocabulary: str, key: str, /, **values: Any) -> str:
        """Return the text of `key` in a game's own vocabulary (see the module)."""
        return self(self._game_key(vocabulary, key), **values)

    def has_for_game(self, vocabulary: str, key: str) -> bool:
        """Return whether `key` has a text, in a game's own vocabulary or a common one."""
        return self.has(self._game_key(vocabulary, key))

    def _game_key(self, vocabulary: str, key: str) -> str:
        names = (f"idiom.{name}.{key}" for name in _vocabularies(vocabulary))
        return next((name for name in names if name in self._templates), key)

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
        _add_templates(templates, file_templates, file.name)
    return templates


def fallback_text(key: str) -> str:
    """Return what is shown where `key` has no text: its last word that says something."""
    words = [word for word in key.split(".") if word not in GENERIC_KEY_WORDS]
    return (words[-1] if words else key).replace("_", " ")


def _add_templates(templates: dict[str, Template], more: Mapping[str, Template], source: str) -> None:
    repeated = sorted(more.keys() & templates.keys())
    if repeated:
        raise ValueError(f"{source} repeats {', '.join(repeated)}")
    templates |= more


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
