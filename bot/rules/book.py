"""Rule books as data: ``en/IDIOM.toml`` holds pages, and beside each text the position of its picture.

What a page says of a position stands there as a claim (fields of :class:`Example`), so that a
test can play it: the words cannot go stale while the engine moves on.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.game import Setting

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Example:
    """A position that is shown, and what the page claims of it.

    Shown is the board after the move `show`; else the `position` line, and where `path` begins a move,
    its cells and the next question's options are marked.

    `moves` maps each legal move to all that it does besides its slide, as ``capture D6``; `ends` maps a
    move to the outcome it brings about; `illegal` moves are refused, `open` ones leave something open.
    `start` are the options that begin with this position; `fists` maps two picks to what they
    settle; `outcome`, `agreed` and `due` are the position's.
    """

    position: str
    caption: str
    show: str = ""
    path: Sequence[str] | None = None
    moves: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)
    illegal: Sequence[str] = ()
    open: Sequence[str] = ()
    start: Mapping[str, Setting] = field(default_factory=dict)
    fists: Mapping[str, str] = field(default_factory=dict)
    outcome: str = ""
    agreed: str = ""
    due: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """One page: a stable `key`, a title, Markdown that Discord and others read alike, one picture."""

    key: str
    title: str
    text: str
    example: Example


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one `game` in the vocabulary of one `idiom`; `note` says which rules these are."""

    idiom: str
    game: str
    title: str
    note: str
    pages: tuple[Page, ...]

    def index(self, key: str) -> int:
        """Give the place of a page, counted from 0; the first where there is none of that key."""
        return next((index for index, page in enumerate(self.pages) if page.key == key), 0)


class Library:
    """All rule books of one language, in the order of its ``contents.toml``."""

    def __init__(self, books: tuple[Book, ...]) -> None:
        self.books = books

    @classmethod
    def load(cls, language: str = DEFAULT_LANGUAGE) -> Library:
        """Read every book of `language`. Raises TypeError or KeyError for a malformed one."""
        folder = files(__package__).joinpath(language)
        contents = tomllib.loads(folder.joinpath("contents.toml").read_text(encoding="utf-8"))
        texts = (folder.joinpath(f"{name}.toml").read_text(encoding="utf-8") for name in contents["books"])
        return cls(tuple(map(_book, texts)))

    def __iter__(self) -> Iterator[Book]:
        return iter(self.books)

    def book(self, idiom: str) -> Book:
        """Give the book of `idiom`, the first one where there is none."""
        return next((book for book in self.books if book.idiom == idiom), self.books[0])


def _book(text: str) -> Book:
    table = tomllib.loads(text)
    return Book(**{**table, "pages": tuple(map(_page, table["pages"]))})


def _page(table: Mapping[str, Any]) -> Page:
    example = Example(**table["example"])
    return Page(key=table["key"], title=table["title"], text=table["text"].strip(), example=example)
