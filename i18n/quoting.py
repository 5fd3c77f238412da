"""Quotations of what people typed, for sentences about it."""

from __future__ import annotations

MAX_QUOTED = 40
"""The maximum length of a quotation, in characters, before it is escaped."""


def quote(text: str, max_length: int = MAX_QUOTED) -> str:
    """Return text on one line of at most `max_length` characters; a longer one ends in an ellipsis.

    Characters that are not printable (controls, marks that change the direction of text) become spaces.
    """
    start = text[: max_length + 1]
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in start).split())
    return line if len(text) <= max_length else f"{line[: max_length - 1]}…"
