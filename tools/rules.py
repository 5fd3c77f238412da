"""Write docs/rules and docs/pictures/rules anew: `python -m tools.rules`."""

from pathlib import Path

from bot.rules import paper
from bot.rules.book import Library
from engine import GAMES

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXTS, PICTURES = DOCS / "rules", DOCS / "pictures" / "rules"


def main() -> None:
    """Write every file, and remove what no book holds any longer."""
    library = Library.load()
    texts = {name: text.encode() for name, text in paper.texts(library)}
    _fill(TEXTS, texts)
    _fill(PICTURES, dict(paper.pictures(library, GAMES)))


def _fill(folder: Path, contents: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in contents:
            path.unlink()
    for name, content in contents.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
