"""Words that wait for a click, as JSON; and the line that shows them."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from mail.reading.values import Command, CommandName, Play

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TYPED = 200  # characters of the line that is shown
# What is sure once somebody has clicked on a button with these words.
ASKING_BACK = frozenset({CommandName.RESIGN, CommandName.ABORT})


def pack_words(words: Play | Command) -> dict[str, Any]:
    """Return words as a JSON object."""
    return asdict(words)


def unpack_words(stored: Mapping[str, Any]) -> Play | Command:
    """Return stored words. Raises ValueError, KeyError, TypeError for what was not made by `pack_words`."""
    if "name" in stored:
        return Command(**{**stored, "name": CommandName(stored["name"])})
    return Play(words=tuple(stored["words"]), text=stored["text"])


def describe_words(words: Play | Command) -> str:
    """Return the line that shows what is asked for."""
    line = words.text if isinstance(words, Play) else f"{words.name} {words.argument}"
    return " ".join(line.split())[:MAX_TYPED]


def make_sure(words: Play | Command) -> Play | Command:
    """Return words that do not ask back, because their sender has confirmed them."""
    is_asking = isinstance(words, Command) and words.name in ASKING_BACK
    return replace(words, is_sure=True) if isinstance(words, Command) and is_asking else words
