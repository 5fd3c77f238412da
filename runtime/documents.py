"""The documents that the program shows to people, in Markdown; they are also part of the documentation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs"
PRIVACY_POLICY, TERMS = "privacy.md", "terms.md"


@cache
def load_document(name: str) -> str:
    """Return the text of a document. Raises OSError."""
    return (FOLDER / name).read_text(encoding="utf-8")
