"""Every text that people read, by key; code never builds a sentence itself.

A language is a folder of this package, such as ``en``, with TOML files of templates whose placeholders are in
braces; :mod:`i18n.writing` says what markup they have. No key occurs in two files.
A template with plural forms is a table (``one``, ``other``); the value named ``count`` chooses the form.
Where another language has no text of a key, or a stale one (:mod:`i18n.translations`), readers get the
English one.
Texts under ``[vocabulary."..."]`` override others for a game's own vocabulary, the most specific first:
``morelli.throne``, then ``morelli``, then the common text.
"""

from __future__ import annotations

import functools
import logging
from functools import reduce
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.sentences import load_sentences
from i18n.formats import format_list
from i18n.plurals import ENGLISH, english_plural, plural_rule
from i18n.translations import add_templates, load_folder, load_translation
from i18n.writing import COMMAND, PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from importlib.resources.abc import Traversable

    from i18n.formats import ListStyle
    from i18n.translations import Template
    from i18n.writing import Writer

log = logging.getLogger(__name__)

LIST_STYLES: Mapping[str, ListStyle] = MappingProxyType(
    {"list.and": "standard", "list.or": "or", "list.cells": "cells"}
)
GENERIC_KEY_WORDS = frozenset({"name", "about", "other"})  # end many keys and say nothing by themselves


class Texts:
    """The texts of one language, as the writer of a front end writes them."""

    def __init__(
        self,
        templates: Mapping[str, Template],
        plural: Callable[[int], str] = english_plural,
        writer: Writer = PLAIN,
        language: str = ENGLISH,
        english: Texts | None = None,
    ) -> None:
        """Take the templates by key; `english` has those that are missing here."""
        self._templates = templates
        self._plural = plural
        self._writer = writer
        self._english = english
        self._language = language
        self._compiled: dict[str, str] = {}

    @property
    def language(self) -> str:
        """The code of the language, such as ``ja``."""
        return self._language

    def with_writer(self, writer: Writer) -> Texts:
        """Return the same texts, written by another writer."""
        if writer is self._writer:
            return self
        english = None if self._english is None else self._english.with_writer(writer)
        return Texts(self._templates, self._plural, writer, self._language, english)

    def in_language(self, language: str) -> Texts:  # noqa: ARG002 - those of readers are in each
        """Return the texts in a language; these are in one alone."""
        return self

    @functools.cached_property
    def plain(self) -> Texts:
        """The same texts in plain words, for places where the front end shows no markup."""
        return self.with_writer(PLAIN)

    @classmethod
    def load(cls, *folders: Traversable, language: str = ENGLISH) -> Texts:
        """Read the files of a language, and English ones of further `folders`, such as one more game's.

        Raises KeyError for a language that has no plural rule, ValueError for a key that occurs twice.
        """
        plural = plural_rule(language)
        templates = dict(_load_english())
        for folder in folders:
            add_templates(templates, load_folder(folder), str(folder))
        english = cls(MappingProxyType(templates))
        if language == ENGLISH:
            return english
        known = {**templates, **load_engine_sentences()}
        return cls(load_translation(language, known), plural, language=language, english=english)

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the text of `key` with its placeholders filled; :mod:`i18n.writing` has the kinds of values.

        A key without a text is logged as an error, and the text made of the key itself: a page or a post
        never fails because a sentence is missing.
        """
        template = self._templates.get(key)
        if template is None and self._english is not None:
            return self._english(key, **values)
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
            if self.has(own_key):
                return own_key
            vocabulary = vocabulary.rpartition(".")[0]
        return key

    def join(self, values: Iterable[Any], kind: str = "list.and") -> str:
        """Return `values` as one text, joined by "and", by "or" with the `kind` ``list.or``.

        The kind ``list.cells`` is for the cells of one event in a turn. Other kinds are keys of a text with
        two values, `before` and `item`, such as ``list.lines``.
        """
        items = [self.write(value) for value in values]
        if kind in LIST_STYLES:
            return self._writer.written(format_list(self._language, items, LIST_STYLES[kind]))
        return reduce(lambda before, item: self(kind, before=before, item=item), items) if items else ""

    def has(self, key: str) -> bool:
        """Return whether there is a text of this key."""
        return key in self._templates or (self._english is not None and self._english.has(key))

    @property
    def templates(self) -> Mapping[str, Template]:
        """All templates by key, without those that are English in another language."""
        return self._templates

    def _compile(self, template: str) -> str:
        """Return a template in the markup of the writer."""
        compiled = self._compiled[template] = self._writer.compile(template, self.plain)
        return compiled


@functools.cache
def _load_english() -> Mapping[str, Template]:
    """Return the package's English texts; they are read once."""
    return MappingProxyType(load_folder(files(__package__).joinpath(ENGLISH)))


@functools.cache
def load_engine_sentences() -> Mapping[str, Template]:
    """Return the English sentences of the engine's refusals, by the keys of their translations."""
    return MappingProxyType({_engine_key(key): text for key, text in load_sentences().items()})


def _engine_key(key: str) -> str:
    """Return the key under which :mod:`i18n.refusals` looks for a sentence of the engine."""
    if not key.startswith("vocabulary."):
        return f"engine.{key}"
    *vocabulary, subject, name = key.split(".")
    return ".".join([*vocabulary, "engine", subject, name])


def fallback_text(key: str) -> str:
    """Return what is shown where `key` has no text: its last word that says something."""
    words = [word for word in key.split(".") if word not in GENERIC_KEY_WORDS]
    return (words[-1] if words else key).replace("_", " ")
