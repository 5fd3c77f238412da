"""The rows of a position line: top rank first, separated by ``/``, with numbers for runs of empty cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.game import NotationError
from engine.notation_text import abbreviate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EMPTY = "."
"""An empty cell in a parsed row."""

_EMPTY_RUN = re.compile(r"\.+")
_TOKEN = re.compile(r"[1-9][0-9]*|[^0-9]|0")


def parse_rows(text: str, widths: Sequence[int], letters: str, line: str) -> list[str]:
    """Return the rows of `text` from the top rank down, one character for each cell. Raise NotationError.

    `widths` are the widths of the rows from the top down, in cells; `letters` are the characters allowed for
    occupied cells. Empty cells are returned as :data:`EMPTY`. `line` is the whole position line, for errors.
    """
    rows = text.split("/")
    if len(rows) != len(widths):
        counts = {"found": len(rows), "wanted": len(widths)}
        raise NotationError("line.wrong_row_count", counts, text=line)
    return [
        _parse_row(row, len(widths) - above, width, letters, line)
        for above, (row, width) in enumerate(zip(rows, widths, strict=True))
    ]


def format_rows(rows: Iterable[Iterable[str]]) -> str:
    """Return the text of `rows`, which are in the form that :func:`parse_rows` returns."""
    text = "/".join("".join(row) for row in rows)
    return _EMPTY_RUN.sub(lambda run: str(len(run[0])), text)


def _parse_row(text: str, rank: int, width: int, letters: str, line: str) -> str:
    cells: list[str] = []
    found = 0
    for token in _TOKEN.findall(text):
        if token[0] in "123456789":
            run = int(token[:4])  # a longer number is too wide in any case
            cells.append(EMPTY * min(run, width + 1))
        elif token in letters:
            run = 1
            cells.append(token)
        else:
            raise NotationError(
                "line.invalid_row_character",
                {"row": rank, "sign": abbreviate(token), "letters": tuple(letters)},
                text=line,
            )
        found += run
    if found != width:
        counts = {"row": rank, "found": found, "wanted": width}
        raise NotationError("line.wrong_row_width", counts, text=line)
    return "".join(cells)
