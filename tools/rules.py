"""Write docs/rules and docs/pictures/rules from the rule books: `python -m tools.rules`.

Pictures whose pixels have not changed stay as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import render
from engine import GAMES
from i18n import Texts
from rules.content import RuleBooks
from rules.pictures import render_example
from tools.picture_files import write_picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game
    from rules.content import RuleBook, RulePage

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXTS_FOLDER, PICTURES_FOLDER = DOCS / "rules", DOCS / "pictures" / "rules"

PICTURE_FOLDER = "../pictures/rules"
PICTURE_WIDTH = 500
HEADER = "<!-- Written by `python -m tools.rules` from rules/en; change the text there. -->"


def main() -> None:
    """Write every file that has changed, and remove files that no rule book has any more."""
    books = RuleBooks.load()
    texts = dict(markdown_files(books))
    pictures = dict(picture_files(books, GAMES, Texts.load()))
    for folder, names in ((TEXTS_FOLDER, texts), (PICTURES_FOLDER, pictures)):
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.name not in names:
                path.unlink()
    for name, text in texts.items():
        (TEXTS_FOLDER / name).write_text(text, encoding="utf-8")
    for name, picture in pictures.items():
        write_picture(PICTURES_FOLDER / name, picture)


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


if __name__ == "__main__":
    main()
