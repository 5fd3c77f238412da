"""Lines in one message, as many as it holds."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from bot.posts import LONGEST_TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from words import Words

ROOM = LONGEST_TEXT - 100  # characters for the lines, heading and all


def fitted(words: Words, heading: str, lines: Sequence[str], more: str) -> str:
    """Give a heading and the lines that one message holds; `more` is the key of what counts the rest."""
    lengths = accumulate((len(line) + 1 for line in lines), initial=len(heading))
    shown = [line for line, length in zip(lines, list(lengths)[1:], strict=True) if length <= ROOM]
    if len(lines) > len(shown):
        shown.append(words(more, count=len(lines) - len(shown)))
    return words.listed([heading, *shown], "list.lines")
