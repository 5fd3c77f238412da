"""Rule books on paper: Markdown files and the pictures that they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render
from bot.rules.plates import plate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bot.rules.book import Book, Library, Page
    from engine.game import Game

PICTURES = "../pictures/rules"
WIDTH = 500
HEAD = "<!-- Written by `python -m tools.rules` from bot/rules; change the text there. -->"


def texts(library: Library) -> Iterator[tuple[str, str]]:
    """Give each file's name in docs/rules, and what it says."""
    yield "README.md", _contents(library)
    for book in library:
        yield f"{book.idiom}.md", _book(book)


def pictures(library: Library, games: Mapping[str, Game]) -> Iterator[tuple[str, bytes]]:
    """Give each picture's name in docs/pictures/rules, and its PNG."""
    view = render.View(width=WIDTH)
    for book in library:
        for page in book.pages:
            yield _picture(book, page), plate(games[book.game], page.example, view).png


def _picture(book: Book, page: Page) -> str:
    return f"{book.idiom}.{page.key}.png"


def _contents(library: Library) -> str:
    lines = [f"- [{book.title}]({book.idiom}.md): {book.note}" for book in library]
    return "\n".join([HEAD, "", "# The rules", "", *lines, ""])


def _book(book: Book) -> str:
    parts = [HEAD, f"# {book.title}", book.note]
    for page in book.pages:
        caption = page.example.caption
        shown = f"![{caption}]({PICTURES}/{_picture(book, page)})"
        parts += [f"## {page.title}", page.text, shown, f"*{caption}*"]
    return "\n\n".join(parts) + "\n"
