"""Every text that people read, by key; code never builds a sentence itself.

A language is a folder of this package, such as ``en``, with TOML files of templates whose placeholders are in
braces; :mod:`i18n.writing` says what markup they have. No key occurs in two files.
A template with plural forms is a table (``one``, ``other``); the value named ``count`` chooses the form.
Texts under ``[vocabulary."..."]`` override others for a game's own vocabulary, the most specific first:
``morelli.throne``, then ``morelli``, then the common text.
"""

from __future__ import annotations

import functools
import logging
import tomllib
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from i18n.writing import COMMAND, PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from i18n.writing import Writer

    Template = str | Mapping[str, str]

log = logging.getLogger(__name__)

PLURAL_FORMS = frozenset({"one", "few", "many", "other"})
GENERIC_KEY_WORDS = frozenset({"name", "about", "other"})  # end many keys and say nothing by themselves
DEFAULT_LANGUAGE = "en"


def english_plural(count: int) -> str:
    """Return the plural form that English uses for a whole number."""
    return "one" if count == 1 else "other"


# A new language adds its rule here.
PLURAL_RULES: Mapping[str, Callable[[int], str]] = {"en": english_plural}


class Texts:
    """The texts of one language, as the writer of a front end writes them."""

    def __init__(
        self,
        templates: Mapping[str, Template],
        plural: Callable[[int], str] = english_plural,
        writer: Writer = PLAIN,
    ) -> None:
        self._templates = templates
        self._plural = plural
        self._writer = writer
        self._compiled: dict[str, str] = {}

    def with_writer(self, writer: Writer) -> Texts:
        """Return the same texts, written by another writer."""
        return self if writer is self._writer else Texts(self._templates, self._plural, writer)

    @functools.cached_property
    def plain(self) -> Texts:
        """The same texts in plain words, for places where the front end shows no markup."""
        return self.with_writer(PLAIN)

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
        """Return the text of `key` with its placeholders filled; :mod:`i18n.writing` has the kinds of values.

        A key without a text is logged as an error, and the text made of the key itself: a page or a post
        never fails because a sentence is missing.
        """
        template = self._templates.get(key)
        if template is None:
            log.error("missing text: %s", key)
            return self.write(fallback_text(key))
        if not isinstance(template, str):
            template = template.get(self._plural(values["count"])) or template["other"]
        writer = self._writer
        for name, value in values.items():
            if type(value) is not writer.written:
                values[name] = writer.write(value, self)
        compiled = self._compiled.get(template) or self._compile(template)
        return writer.written(compiled.format_map(values))

    def write(self, value: Any) -> str:
        """Return one value as texts show it, such as a name or a mention."""
        return self._writer.written(self._writer.write(value, self))

    def write_markup(self, markup: str) -> str:
        """Return a text that is not in the catalogue but has its tags and commands, such as a lesson's."""
        named = COMMAND.sub(lambda found: f"/{self.plain(f'command.{found[1]}.name')}", markup)
        template = named.replace("{", "{{").replace("}", "}}")
        return self._writer.written((self._compiled.get(template) or self._compile(template)).format())

    def for_game(self, vocabulary: str, key: str, /, **values: Any) -> str:
        """Return the text of `key` for a game's vocabulary, such as ``morelli.throne``; see the module."""
        return self(self._game_key(vocabulary, key), **values)

    def has_for_game(self, vocabulary: str, key: str) -> bool:
        """Return whether `key` has a text, in a game's own vocabulary or a common one."""
        return self.has(self._game_key(vocabulary, key))

    def _game_key(self, vocabulary: str, key: str) -> str:
        while vocabulary:
            own_key = f"vocabulary.{vocabulary}.{key}"
            if own_key in self._templates:
                return own_key
            vocabulary = vocabulary.rpartition(".")[0]
        return key

    def join(self, values: Iterable[Any], kind: str = "list.and") -> str:
        """Return `values` as one text; `kind` is the key of the joining patterns, such as ``list.or``."""
        items = tuple(values)
        if not items:
            return ""
        text = self.write(items[0])
        for item in items[1:-1]:
            text = self(f"{kind}.middle", before=text, item=item)
        return text if len(items) == 1 else self(f"{kind}.last", before=text, item=items[-1])

    def has(self, key: str) -> bool:
        """Return whether there is a text of this key."""
        return key in self._templates

    @property
    def templates(self) -> Mapping[str, Template]:
        """All templates by key."""
        return self._templates

    def _compile(self, template: str) -> str:
        """Return a template in the markup of the writer."""
        compiled = self._compiled[template] = self._writer.compile(template, self.plain)
        return compiled


@functools.cache
def _load_language(language: str) -> Mapping[str, Template]:
    """Return the package's texts of a language; each language is read once."""
    return MappingProxyType(load_folder(files(__package__).joinpath(language)))


def load_folder(folder: Traversable) -> dict[str, Template]:
    """Return all files of a folder as one catalogue. Raises ValueError for a key that is in two of them."""
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


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Template]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str) or value.keys() <= PLURAL_FORMS:
            yield key, value
        else:
            yield from _flatten(value, f"{key}.")
