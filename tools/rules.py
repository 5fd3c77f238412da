"""Write docs/rules, in each language, and docs/pictures/rules from the rule books: `python -m tools.rules`.

All languages have the same pictures, which have no words. Those whose pixels are as before stay as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import render
from engine import GAMES
from i18n import Texts
from i18n.plurals import ENGLISH
from i18n.translations import list_languages
from rules.content import RuleBooks
from rules.pictures import render_example
from tools.picture_files import write_picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game
    from rules.content import RuleBook, RulePage

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXTS_FOLDER, PICTURES_FOLDER = "rules", DOCS / "pictures" / "rules"
PICTURE_WIDTH = 500
HEADER = "<!-- Written by `python -m tools.rules` from {source}; change the text there. -->"


def main() -> None:
    """Write every file that has changed, and remove files that no rule book has any more."""
    for language in list_languages():
        texts, folder = dict(markdown_files(language)), texts_folder(language)
        _prepare(folder, texts)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    pictures = dict(picture_files(RuleBooks.load(), GAMES, Texts.load()))
    _prepare(PICTURES_FOLDER, pictures)
    for name, picture in pictures.items():
        write_picture(PICTURES_FOLDER / name, picture)


def texts_folder(language: str) -> Path:
    """Return the folder of the rules in a language."""
    return (DOCS if language == ENGLISH else DOCS / language) / TEXTS_FOLDER


def markdown_files(language: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each file of the rules in a language and its content."""
    books, texts = RuleBooks.load(language=language), Texts.load(language=language)
    source = "rules/en" if language == ENGLISH else f"i18n/{language}/rules.toml"
    header, back = HEADER.format(source=source), ".." if language == ENGLISH else "../.."
    yield "README.md", _format_contents(header, texts("web.rules.title"), books)
    for book in books:
        yield f"{book.vocabulary}.md", _format_book(header, book, f"{back}/pictures/rules")


def _prepare(folder: Path, names: Mapping[str, object]) -> None:
    """Make a folder, and remove its files with other names."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in names:
            path.unlink()


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


def _format_contents(header: str, title: str, books: RuleBooks) -> str:
    lines = [f"- [{book.title}]({book.vocabulary}.md): {book.note}" for book in books]
    return "\n".join([header, "", f"# {title}", "", *lines, ""])


def _format_book(header: str, book: RuleBook, pictures: str) -> str:
    parts = [header, f"# {book.title}", book.note]
    for page in book.pages:
        caption = page.example.caption
        image = f"![{caption}]({pictures}/{_picture_name(book, page)})"
        parts += [f"## {page.title}", page.text, image, f"*{caption}*"]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
