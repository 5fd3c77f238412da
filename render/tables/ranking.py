"""A ranking: the table of a Swiss tournament, the order of a ladder, or final places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from render.png import to_png
from render.tables.lettering import (
    choose_name_columns,
    clean_name,
    fit_in_width,
    format_points,
    measure,
    pad_columns,
    place_left,
    place_right,
    write_in_font,
    write_or_number,
)
from render.tables.sheet import Sheet
from render.themes import ThemeName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.scene import Drawing, Shape

MAX_RANKING_ROWS = 30
"""So many lines are drawn, as a phone can show them at once. The text has all."""

_NAME_COLUMNS = 24
_WIDE_AS = 24.0


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A player. `points` are halves, None on a ladder.

    `note` stands before the points in smaller letters, for numbers such as ``3-1-2``. `handle` is written in
    the picture if the bundled font can write little of the name.
    """

    place: int
    name: str
    points: int | None = None
    note: str = ""
    is_withdrawn: bool = False
    handle: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Rows in the order of places; `title` may be empty."""

    title: str
    rows: tuple[RankingRow, ...]


def draw_ranking(ranking: Ranking, *, theme: ThemeName = ThemeName.RAINBOW, width: int = 720) -> bytes:
    """Return the first rows of a ranking as a PNG `width` pixels wide. Threads may call this at once."""
    return to_png(build_ranking(ranking, theme=theme, width=width))


def format_ranking(ranking: Ranking) -> str:
    """Return a ranking as lines for a block of fixed pitch: the place, the name, the points, the note."""
    names = [clean_name(row.name) for row in ranking.rows]
    columns = choose_name_columns(names, _NAME_COLUMNS)
    pitch = len(str(max((row.place for row in ranking.rows), default=0)))
    lines = [
        f"{row.place:>{pitch}} {pad_columns(name, columns)} {_format_points(row):>4} "
        f"{clean_name(row.note)}".rstrip()
        for name, row in zip(names, ranking.rows, strict=True)
    ]
    title = clean_name(ranking.title)
    return "\n".join((*([title] if title else []), *lines))


def _format_points(row: RankingRow) -> str:
    return "" if row.points is None else format_points(row.points)


def build_ranking(ranking: Ranking, *, theme: ThemeName = ThemeName.RAINBOW, width: int = 720) -> Drawing:
    """Return the drawing of the first rows of a ranking."""
    rows = ranking.rows[:MAX_RANKING_ROWS]
    sheet = Sheet.create(theme, width, ranking.title, len(rows), wide_as=_WIDE_AS)
    return sheet.finish(shape for line, row in enumerate(rows) for shape in _draw_row(line, row, sheet))


def _draw_row(line: int, row: RankingRow, sheet: Sheet) -> Iterator[Shape]:
    size, middle = sheet.size, sheet.middle(line)
    colour = sheet.quiet if row.is_withdrawn else sheet.strong
    right = sheet.width - sheet.margin - 0.3 * size
    yield from sheet.draw_stripe(line)
    yield from sheet.draw_place(line, row.place)
    if row.points is not None:
        yield place_right(_format_points(row), right, middle, 1.1 * size, colour)
        right -= 2.4 * size
    note = fit_in_width(write_in_font(row.note), 0.85 * size, 6 * size)
    if note:
        yield place_right(note, right, middle, 0.85 * size, sheet.theme.label)
        right -= 0.85 * size * measure(note) + 0.5 * size
    name = fit_in_width(write_or_number(row.name, row.handle, row.place), size, right - sheet.name_left)
    yield place_left(name, sheet.name_left, middle, size, colour)
