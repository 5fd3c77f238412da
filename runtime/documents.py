"""The documents that the program shows to people, in Markdown; they are also part of the documentation.

A translation is in the folder of its language beside them. Its first line names the English document and
has a digest of it: a translation of what has changed since is stale, and people read the English one.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from i18n.documents import EnglishText
from i18n.plurals import ENGLISH
from i18n.readers import current_language
from i18n.translations import digest

FOLDER = Path(__file__).resolve().parent.parent / "docs"
PRIVACY_POLICY, TERMS = "privacy.md", "terms.md"
FIRST_LINE = re.compile(r"<!-- translates (?P<source>\S+) (?P<digest>[0-9a-f]+) -->\n+")


def load_document(name: str) -> str:
    """Return the text of a document in the language of the reader.

    It is an :class:`i18n.documents.EnglishText` where there is no translation, or a stale one. Raises
    OSError.
    """
    return _load(name, current_language())


@cache
def _load(name: str, language: str) -> str:
    english = EnglishText((FOLDER / name).read_text(encoding="utf-8"))
    path = FOLDER / language / name
    if language == ENGLISH or not path.is_file():
        return english
    translated = path.read_text(encoding="utf-8")
    return FIRST_LINE.sub("", translated, count=1) if is_current(translated, english) else english


def is_current(translated: str, english: str) -> bool:
    """Return whether the first line of a translation has the digest of this English text."""
    found = FIRST_LINE.match(translated)
    return found is not None and found["digest"] == digest(english)
