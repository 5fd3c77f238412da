"""Write docs/rules and docs/pictures/rules from the rule books: `python -m tools.rules`."""

from pathlib import Path

from engine import GAMES
from i18n import Texts
from rules import markdown
from rules.content import RuleBooks

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXTS_FOLDER, PICTURES_FOLDER = DOCS / "rules", DOCS / "pictures" / "rules"


def main() -> None:
    """Write every file, and remove files that no rule book has any more."""
    books = RuleBooks.load()
    texts = {name: text.encode() for name, text in markdown.markdown_files(books)}
    _write_folder(TEXTS_FOLDER, texts)
    _write_folder(PICTURES_FOLDER, dict(markdown.picture_files(books, GAMES, Texts.load())))


def _write_folder(folder: Path, contents: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in contents:
            path.unlink()
    for name, content in contents.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
