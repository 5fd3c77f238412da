"""The language of whoever reads what is written now.

A front end names it for each request, post or mail (:func:`reading_in`), and everything that is called
meanwhile finds its texts in that language. Threads of :func:`asyncio.to_thread` and new tasks inherit it.
What is kept between readers must be kept for each language (:func:`current_language`).
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from i18n.catalogue import Texts
from i18n.formats import load_formats
from i18n.plurals import ENGLISH
from i18n.writing import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from i18n.translations import Template
    from i18n.writing import Writer

Value = TypeVar("Value")

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current_language() -> str:
    """Return the language of the reader, such as ``ja``; English where nobody has named one."""
    return _language.get()


@contextmanager
def reading_in(language: str) -> Iterator[None]:
    """Write in a language, one of :func:`i18n.translations.list_languages`, while the block runs."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


class ByLanguage(Generic[Value]):
    """Something that exists in each language, made when the first reader of a language needs it."""

    def __init__(self, make: Callable[[str], Value]) -> None:
        self._make = make
        self._made: dict[str, Value] = {}

    def get(self) -> Value:
        """Return what is in the language of the reader."""
        language = _language.get()
        found = self._made.get(language)
        if found is None:
            found = self._made[language] = self._make(language)
        return found


class ReaderTexts(Texts):
    """Texts in the language of whoever reads them."""

    def __init__(self, loaded: ByLanguage[Texts], writer: Writer = PLAIN) -> None:
        """Take the texts of each language."""
        super().__init__({}, writer=writer)
        self._loaded = loaded
        self._texts = ByLanguage(lambda _language: loaded.get().with_writer(writer))

    @classmethod
    def of_folders(cls, *folders: Traversable) -> ReaderTexts:
        """Return the texts of the package and of further folders, as :meth:`Texts.load` does."""

        def load(language: str) -> Texts:
            load_formats(language)
            return Texts.load(*folders, language=language)

        return cls(ByLanguage(load))

    @property
    def language(self) -> str:
        """The code of the reader's language."""
        return self._texts.get().language

    def with_writer(self, writer: Writer) -> ReaderTexts:
        """Return the same texts, written by another writer."""
        return self if writer is self._writer else ReaderTexts(self._loaded, writer)

    def in_language(self, language: str) -> Texts:
        """Return the texts in a language, whoever reads now."""
        with reading_in(language):
            return self._texts.get()

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return a text as :meth:`Texts.__call__` does."""
        return self._texts.get()(key, **values)

    def write(self, value: Any) -> str:
        """Return one value as texts show it."""
        return self._texts.get().write(value)

    def write_markup(self, markup: str) -> str:
        """Return a text that is not in the catalogue."""
        return self._texts.get().write_markup(markup)

    def for_game(self, vocabulary: str, key: str, /, **values: Any) -> str:
        """Return the text of a key for a game's vocabulary."""
        return self._texts.get().for_game(vocabulary, key, **values)

    def has_for_game(self, vocabulary: str, key: str) -> bool:
        """Return whether a key has a text for a game."""
        return self._texts.get().has_for_game(vocabulary, key)

    def join(self, values: Iterable[Any], kind: str = "list.and") -> str:
        """Return values as one text."""
        return self._texts.get().join(values, kind)

    def has(self, key: str) -> bool:
        """Return whether there is a text of a key."""
        return self._texts.get().has(key)

    @property
    def templates(self) -> Mapping[str, Template]:
        """All templates of the language by key."""
        return self._texts.get().templates
