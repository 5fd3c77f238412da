"""The words of the catalogue that follow a command, in all their spellings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from i18n import Texts


def list_spellings(texts: Texts, word: str) -> list[str]:
    """Return the spellings of a word, in lower case."""
    return texts.plain(f"mail_word.{word}").casefold().split(", ")


def find_word(texts: Texts, typed: str, words: Iterable[str]) -> str | None:
    """Return which of some words is typed; None if it is none of them."""
    folded = " ".join(typed.split()).casefold()
    return next((word for word in words if folded in list_spellings(texts, word)), None)
