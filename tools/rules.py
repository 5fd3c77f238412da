"""Write docs/rules and docs/pictures/rules from the rule books: `python -m tools.rules`.

Pictures whose pixels have not changed stay as they are.
"""

from pathlib import Path

from engine import GAMES
from i18n import Texts
from rules import markdown
from rules.content import RuleBooks
from tools.picture_files import write_picture

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXTS_FOLDER, PICTURES_FOLDER = DOCS / "rules", DOCS / "pictures" / "rules"


def main() -> None:
    """Write every file that has changed, and remove files that no rule book has any more."""
    books = RuleBooks.load()
    texts = dict(markdown.markdown_files(books))
    pictures = dict(markdown.picture_files(books, GAMES, Texts.load()))
    for folder, names in ((TEXTS_FOLDER, texts), (PICTURES_FOLDER, pictures)):
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.name not in names:
                path.unlink()
    for name, text in texts.items():
        (TEXTS_FOLDER / name).write_text(text, encoding="utf-8")
    for name, picture in pictures.items():
        write_picture(PICTURES_FOLDER / name, picture)


if __name__ == "__main__":
    main()
