"""The rows of a position line: top rank first, parted by ``/``, digits counting empty cells."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from engine.game import NotationError
from engine.texts import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EMPTY = "."
"""How an empty cell stands in a row that has been read."""

_PART = re.compile(r"[1-9][0-9]*|[^0-9]|0")

ROW_COUNT = "The position has {found} rows; {wanted} are needed, parted by /."
ROW_SIGN = "Row {row} holds {sign}; only {letters} and numbers of empty cells may stand there."
ROW_WIDTH = "Row {row} is {found} cells wide; it must be {wanted}."


def read(text: str, widths: Sequence[int], letters: str) -> list[str]:
    """Give the rows of `text` from the top rank down, one character a cell.

    `widths` are the cells of each row from the top down, `letters` what may stand on a cell;
    empty cells come back as :data:`EMPTY`. Raises NotationError.
    """
    rows = text.split("/")
    if len(rows) != len(widths):
        raise NotationError(ROW_COUNT.format(found=len(rows), wanted=len(widths)), text=text)
    return [
        _row(row, len(widths) - above, width, letters)
        for above, (row, width) in enumerate(zip(rows, widths, strict=True))
    ]


def write(rows: Iterable[Iterable[str]]) -> str:
    """Give the text of rows as :func:`read` returns them."""
    return "/".join("".join(_parts(row)) for row in rows)


def _row(text: str, rank: int, width: int, letters: str) -> str:
    cells: list[str] = []
    found = 0
    for part in _PART.findall(text):
        if part[0] in "123456789":
            run = int(part[:4])  # a longer number is too wide whatever its end
            cells.append(EMPTY * min(run, width + 1))
        elif part in letters:
            run = 1
            cells.append(part)
        else:
            raise NotationError(
                ROW_SIGN.format(row=rank, sign=quoted(part), letters=", ".join(letters)), text=text
            )
        found += run
    if found != width:
        raise NotationError(ROW_WIDTH.format(row=rank, found=found, wanted=width), text=text)
    return "".join(cells)


def _parts(row: Iterable[str]) -> Iterable[str]:
    for sign, run in groupby(row):
        cells = "".join(run)
        yield str(len(cells)) if sign == EMPTY else cells
