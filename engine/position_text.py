"""Position lines: words separated by spaces, the first of them the name of the game, another the rows.

The top rank is first; rows are separated by ``/`` and have numbers for runs of empty cells.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.game import NotationError
from engine.notation_text import MAX_LINE_LENGTH, abbreviate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EMPTY = "."
"""An empty cell in a parsed row."""

_EMPTY_RUN = re.compile(r"\.+")
_TOKEN = re.compile(r"[1-9][0-9]*|[^0-9]|0")


def split_fields(text: str, layout: str, wrong_game: str = "line.wrong_game") -> list[str]:
    """Return the fields of the position line `text` without the name of the game. Raise NotationError.

    `layout` is the name of the game and the names of the fields, such as
    ``morphos MUTATORS ROWS SIDE TURN EXTRA``; `wrong_game` is the key of the refusal of another name.
    """
    name, *field_names = layout.split()
    if len(text) > MAX_LINE_LENGTH:
        raise NotationError("line.too_long", {"longest": MAX_LINE_LENGTH}, text=text)
    found = text.split()
    if len(found) != len(field_names) + 1:
        counts = {"found": len(found), "wanted": len(field_names) + 1}
        raise NotationError("line.wrong_field_count", {"form": layout, **counts}, text=text)
    if found[0] != name:
        raise NotationError(wrong_game, {"name": name, "found": abbreviate(found[0])}, text=text)
    return found[1:]


def check_side(found: str, letters: Iterable[str], line: str) -> None:
    """Raise NotationError if `found` is not one of the two `letters` of sides in a position line."""
    first, second = letters
    if found not in {first, second}:
        values = {"first": first, "second": second, "found": abbreviate(found)}
        raise NotationError("line.invalid_side", values, text=line)


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
