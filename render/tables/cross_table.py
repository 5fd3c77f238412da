"""The cross table of a round robin: who has played whom with which result, points and places."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from render.png import to_png
from render.scene import Box, Drawing, Stroke
from render.tables.lettering import (
    choose_name_columns,
    clean_name,
    fit_in_width,
    format_points,
    pad_columns,
    place_centred,
    place_left,
    place_right,
    write_or_number,
)
from render.tables.sheet import Sheet
from render.themes import ThemeName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.scene import Shape

MAX_CROSS_TABLE_ROWS = 20
"""A larger cross table cannot be read; show a ranking."""

_NAME_COLUMNS = 16


class Result(StrEnum):
    """What a player has got in a game. `OPEN`: it is being played; `WAITING`: it is not open yet."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    WIN_BY_DEFAULT = "win_by_default"
    LOSS_BY_DEFAULT = "loss_by_default"
    OPEN = "open"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class CrossTableRow:
    """A player. `results` are those of the games against the player of each row, in the order of rows.

    There may be several against one, or none, as in the place of the player. `points` are halves. `handle` is
    written in the picture if the bundled font can write little of the name.
    """

    name: str
    points: int
    results: tuple[tuple[Result, ...], ...]
    is_withdrawn: bool = False
    handle: str = ""


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Rows in the order of places, the first place first, at most `MAX_CROSS_TABLE_ROWS`.

    `title` may be empty. Raises ValueError if there are too many rows or a row has not one place each.
    """

    title: str
    rows: tuple[CrossTableRow, ...]

    def __post_init__(self) -> None:
        """Check the shape of the table."""
        if len(self.rows) > MAX_CROSS_TABLE_ROWS:
            raise ValueError(f"a cross table has at most {MAX_CROSS_TABLE_ROWS} rows, not {len(self.rows)}")
        if any(len(row.results) != len(self.rows) for row in self.rows):
            raise ValueError("a row of a cross table has results against each row")


def draw_cross_table(table: CrossTable, *, theme: ThemeName = ThemeName.RAINBOW, width: int = 720) -> bytes:
    """Return a cross table as a PNG `width` pixels wide. Several threads may call this at once."""
    return to_png(build_cross_table(table, theme=theme, width=width))


def format_cross_table(table: CrossTable) -> str:
    """Return a cross table as lines for a block of fixed pitch, in the order of places.

    A line has the place, the name, the points, and a column for each place: ``1``, ``½``, ``0``, ``+`` and
    ``-`` without play, ``*`` being played, ``.`` not yet, ``x`` the player.
    """
    names = [clean_name(row.name) for row in table.rows]
    columns = choose_name_columns(names, _NAME_COLUMNS)
    cells = [
        ["x" if column == index else _format_cell(results) for column, results in enumerate(row.results)]
        for index, row in enumerate(table.rows)
    ]
    numbers = [str(place) for place in range(1, len(table.rows) + 1)]
    pitch = max((len(cell) for cell in (*numbers, *(cell for row in cells for cell in row))), default=1)
    heading = f"{'':{columns + 8}} {' '.join(f'{one:>{pitch}}' for one in numbers)}"
    lines = [
        f"{number:>2} {pad_columns(name, columns)} {format_points(row.points):>4} "
        f"{' '.join(f'{one:>{pitch}}' for one in results)}"
        for number, name, row, results in zip(numbers, names, table.rows, cells, strict=True)
    ]
    title = clean_name(table.title)
    return "\n".join((*([title] if title else []), *([heading] if lines else []), *lines))


_SIGNS = {
    Result.WIN: "1",
    Result.DRAW: "\u00bd",
    Result.LOSS: "0",
    Result.WIN_BY_DEFAULT: "+",
    Result.LOSS_BY_DEFAULT: "-",
    Result.OPEN: "*",
    Result.WAITING: ".",
}
_HALVES = {Result.WIN: 2, Result.WIN_BY_DEFAULT: 2, Result.DRAW: 1, Result.LOSS: 0, Result.LOSS_BY_DEFAULT: 0}


def _format_cell(results: tuple[Result, ...]) -> str:
    """Return the result of one game, or the points of several as far as they are over."""
    if not results:
        return "."
    if len(results) == 1:
        return _SIGNS[results[0]]
    over = [_HALVES[one] for one in results if one in _HALVES]
    if over:
        return format_points(sum(over))
    return "*" if Result.OPEN in results else "."


def build_cross_table(
    table: CrossTable, *, theme: ThemeName = ThemeName.RAINBOW, width: int = 720
) -> Drawing:
    """Return the drawing of a cross table."""
    count = len(table.rows)
    sheet = Sheet.create(theme, width, table.title, count + 1, wide_as=max(count, 6) * _CELL + 14.5)
    return sheet.finish(_draw_shapes(table, sheet))


_CELL = 1.55  # the width of a cell, in sizes of the text
_POINTS = 2.7


def _draw_shapes(table: CrossTable, sheet: Sheet) -> Iterator[Shape]:
    size, colours, count = sheet.size, sheet.theme, len(table.rows)
    cell, right = _CELL * size, sheet.width - sheet.margin
    first = right - _POINTS * size - count * cell
    for place, row in enumerate(table.rows, 1):
        middle = sheet.middle(place)
        yield place_centred(
            str(place), first + (place - 0.5) * cell, sheet.middle(0), 0.8 * size, colours.label
        )
        yield from sheet.draw_stripe(place)
        yield from sheet.draw_place(place, place)
        name = fit_in_width(
            write_or_number(row.name, row.handle, place), size, first - sheet.name_left - 0.5 * size
        )
        colour = sheet.quiet if row.is_withdrawn else sheet.strong
        yield place_left(name, sheet.name_left, middle, size, colour)
        for index, results in enumerate(row.results):
            left = first + index * cell
            if index == place - 1:
                yield sheet.cell(left, place, cell, colours.border)
            elif results:
                yield from _draw_result(results, left, place, sheet)
        yield place_right(format_points(row.points), right - 0.3 * size, middle, 1.1 * size, colour)


def _draw_result(results: tuple[Result, ...], left: float, line: int, sheet: Sheet) -> Iterator[Shape]:
    cell, middle, size = _CELL * sheet.size, sheet.middle(line), sheet.size
    over = [_HALVES[one] for one in results if one in _HALVES]
    if not over:
        if Result.OPEN in results:
            dot = 0.32 * size
            yield Box(left + (cell - dot) / 2, middle - dot / 2, dot, dot, sheet.theme.label, dot / 2)
        return
    fill = sheet.result_colour(sum(over), len(over))
    yield sheet.cell(left, line, cell, fill)
    text = _format_cell(results).replace("-", "\u2212")
    yield place_centred(text, left + cell / 2, middle, 0.95 * size, sheet.strong)
    if len(over) < len(results):
        bottom = middle + 0.62 * size
        yield Stroke(
            ((left + 0.4 * cell, bottom), (left + 0.6 * cell, bottom)), sheet.theme.label, 0.12 * size
        )
