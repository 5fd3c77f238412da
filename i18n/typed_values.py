"""Values that people type by their name, its beginning, or as a length of time."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.times import parse_duration

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta


def find_value(labels: Iterable[tuple[str, str]], typed: str) -> str | None:
    """Return the value that was typed, or whose label was, in whatever case and width.

    The beginning of a label or value is enough if no other begins so; None if nothing fits.
    """
    query = fold(typed).strip()
    spellings = {value: (fold(value), fold(label)) for label, value in labels}
    for value, names in spellings.items():
        if query in names:
            return value
    found = [value for value, names in spellings.items() if any(name.startswith(query) for name in names)]
    return found[0] if query and len(found) == 1 else None


def fold(text: str) -> str:
    """Return a text for comparisons: neither the case nor the width of characters matters."""
    return unicodedata.normalize("NFKC", text).casefold()


def parse_length(text: str) -> timedelta:
    """Return a length of time such as ``2 days`` or ``12h``. Raises `duration_unreadable`."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise Refusal("duration_unreadable", text=text) from error
