"""Rule books as data: ``en/VOCABULARY.toml`` holds pages, each with a text and the position of its picture.

The claims that a page makes about its position are stored as fields of :class:`Example`, so that a test can
compare them with the engine.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from i18n.documents import list_texts, with_texts
from i18n.plurals import ENGLISH
from i18n.readers import ByLanguage
from i18n.translations import load_translation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from engine.game import OptionValue


@dataclass(frozen=True, slots=True)
class Example:
    """A position and what the page claims about it.

    The picture shows the board after the move `show` or, without it, the `position`; if `path` starts a
    move, its cells and the options of the next question are marked.

    `moves` maps each legal move to its effects besides the slide, such as ``convert D6``; `ends` maps a
    move to the resulting outcome; `illegal` moves are rejected and `ambiguous` ones are incomplete. `start`
    are options whose initial position this is; `picks` maps two picks to the resulting value. `outcome`,
    `agreed` and `moves_due` are properties of the position.
    """

    position: str
    caption: str
    show: str = ""
    path: Sequence[str] | None = None
    moves: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)
    illegal: Sequence[str] = ()
    ambiguous: Sequence[str] = ()
    start: Mapping[str, OptionValue] = field(default_factory=dict)
    picks: Mapping[str, str] = field(default_factory=dict)
    outcome: str = ""
    agreed: str = ""
    moves_due: int = 0


@dataclass(frozen=True, slots=True)
class RulePage:
    """One page: a stable `key`, a title, a text in Markdown that Discord also renders, and one picture.

    `explains` are the values of options whose picture this is, such as ``mutators=a``.
    """

    key: str
    title: str
    text: str
    example: Example
    explains: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules of one `game` in the terms of one `vocabulary`; `note` is a short description."""

    vocabulary: str
    game: str
    title: str
    note: str
    pages: tuple[RulePage, ...]

    def find_page(self, key: str) -> RulePage | None:
        """Return the page with a key, None if there is none."""
        return next((page for page in self.pages if page.key == key), None)

    def page_index(self, key: str) -> int:
        """Return the index of a page from 0; 0 if no page has this key."""
        return next((index for index, page in enumerate(self.pages) if page.key == key), 0)


class RuleBooks:
    """All rule books of one language, in the order of its ``contents.toml``."""

    def __init__(self, books: tuple[RuleBook, ...]) -> None:
        self._books = books

    @property
    def books(self) -> tuple[RuleBook, ...]:
        """The books in their order."""
        return self._books

    @classmethod
    def load(cls, *folders: Traversable, language: str = ENGLISH) -> RuleBooks:
        """Read every book in `language`, and those of further `folders` such as the rules of one more game.

        Raises TypeError or KeyError for a malformed book.
        """
        texts = load_translation(language, dict(list_rule_texts()))
        books: list[RuleBook] = []
        for folder in (_english_folder(), *folders):
            books += (_parse_book(with_texts(name, table, texts)) for name, table in _read_folder(folder))
        return cls(tuple(books))

    def __iter__(self) -> Iterator[RuleBook]:
        return iter(self.books)

    def find(self, name: str) -> RuleBook | None:
        """Return the book of a vocabulary, or the first book of a game; None if there is none."""
        by_vocabulary = (book for book in self.books if book.vocabulary == name)
        return next(by_vocabulary, next((book for book in self.books if book.game == name), None))

    def book_for(self, name: str) -> RuleBook:
        """Return the book that :meth:`find` returns; the first of all books if there is none."""
        return self.find(name) or self.books[0]

    def find_explanation(self, game: str, option: str, value: OptionValue) -> RulePage | None:
        """Return the page with the picture of an option's value, None if there is none."""
        pages = (page for book in self.books if book.game == game for page in book.pages)
        return next((page for page in pages if f"{option}={value}" in page.explains), None)

    def name_of(self, book: RuleBook) -> str:
        """Return the shortest name by which :meth:`find` returns a book: its game's, or its vocabulary."""
        return book.game if self.find(book.game) is book else book.vocabulary


class ReaderRuleBooks(RuleBooks):
    """The rule books of this project's games in the language of the reader."""

    def __init__(self) -> None:
        super().__init__(())
        self._by_language = ByLanguage(lambda language: RuleBooks.load(language=language))

    @property
    def books(self) -> tuple[RuleBook, ...]:
        """The books in their order."""
        return self._by_language.get().books


@cache
def default_rule_books() -> RuleBooks:
    """Return the books of this project's games, read once in a process, in the language of each reader."""
    return ReaderRuleBooks()


def list_rule_texts() -> Iterator[tuple[str, str]]:
    """Return the English texts of this project's rule books, by key."""
    for name, table in _read_folder(_english_folder()):
        yield from list_texts(name, table)


def _english_folder() -> Traversable:
    return files(__package__).joinpath(ENGLISH)


def _read_folder(folder: Traversable) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the name and the tables of each book of a folder, in the order of its ``contents.toml``."""
    contents = tomllib.loads(folder.joinpath("contents.toml").read_text(encoding="utf-8"))
    for name in contents["books"]:
        text = folder.joinpath(f"{name}.toml").read_text(encoding="utf-8")
        yield f"rules.{name}", tomllib.loads(text)


def _parse_book(table: Mapping[str, Any]) -> RuleBook:
    return RuleBook(**{**table, "pages": tuple(map(_parse_page, table["pages"]))})


def _parse_page(table: Mapping[str, Any]) -> RulePage:
    example = Example(**table["example"])
    return RulePage(**{**table, "example": example})
