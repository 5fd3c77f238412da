"""Rule books as Markdown files with pictures, for docs/rules. A book is named after its vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render
from rules.pictures import render_example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game
    from rules.content import RuleBook, RuleBooks, RulePage

PICTURE_FOLDER = "../pictures/rules"
PICTURE_WIDTH = 500
HEADER = "<!-- Written by `python -m tools.rules` from rules/en; change the text there. -->"


def markdown_files(books: RuleBooks) -> Iterator[tuple[str, str]]:
    """Yield the name of each file in docs/rules and its content."""
    yield "README.md", _format_contents(books)
    for book in books:
        yield f"{book.vocabulary}.md", _format_book(book)


def picture_files(
    books: RuleBooks, games: Mapping[str, Game], words: render.Words
) -> Iterator[tuple[str, bytes]]:
    """Yield the name of each picture in docs/pictures/rules and its PNG data."""
    render_options = render.RenderOptions(words, width=PICTURE_WIDTH)
    for book in books:
        for page in book.pages:
            yield (
                _picture_name(book, page),
                render_example(games[book.game], page.example, render_options).png,
            )


def _picture_name(book: RuleBook, page: RulePage) -> str:
    return f"{book.vocabulary}.{page.key}.png"


def _format_contents(books: RuleBooks) -> str:
    lines = [f"- [{book.title}]({book.vocabulary}.md): {book.note}" for book in books]
    return "\n".join([HEADER, "", "# The rules", "", *lines, ""])


def _format_book(book: RuleBook) -> str:
    parts = [HEADER, f"# {book.title}", book.note]
    for page in book.pages:
        caption = page.example.caption
        image = f"![{caption}]({PICTURE_FOLDER}/{_picture_name(book, page)})"
        parts += [f"## {page.title}", page.text, image, f"*{caption}*"]
    return "\n\n".join(parts) + "\n"
