"""The bracket of a knock-out: each round is a column of duels, whose winners go on to the right."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from render.png import to_png
from render.scene import Drawing, Stroke
from render.tables.lettering import (
    choose_name_columns,
    clean_name,
    fit_in_width,
    format_points,
    measure,
    pad_columns,
    place_left,
    place_right,
    write_or_number,
)
from render.tables.sheet import Sheet
from render.themes import ThemeName

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from render.scene import Shape

MAX_BRACKET_DUELS = 16
"""Rounds of more duels are not drawn. The text has all."""

MAX_NAMED_ROUNDS = 3
"""So many rounds with players are drawn, the last ones: more could not be read on a phone."""

_NAME_COLUMNS = 20
_COLUMN, _EMPTY_COLUMN = (
    9.5,
    2.5,
)  # the width of a round with players and of one without, in sizes of the text
_MIN_WIDE_AS = 20.0


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players; an empty name is a free place. `seeds` stand before the names.

    `handles` are written in the picture where the bundled font can write little of a name.

    `points` are the halves of both, None before the first game. `winner` is 0 for the upper player, 1 for the
    lower one, None while it is not decided.
    """

    upper: str
    lower: str
    seeds: tuple[int | None, int | None] = (None, None)
    points: tuple[int, int] | None = None
    winner: int | None = None
    handles: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Bracket:
    """Rounds, the first one first, each in the order of the bracket and with half as many duels as before.

    Rounds that are not paired yet may be left out; their places are drawn empty. `title` may be empty. Raises
    ValueError if the first round has not a power of two of duels, or a later one not half as many.
    """

    title: str
    rounds: tuple[tuple[Duel, ...], ...]

    def __post_init__(self) -> None:
        """Check the shape of the bracket."""
        sizes = [len(duels) for duels in self.rounds]
        halved = [sizes[0] >> index for index in range(len(sizes))]
        if sizes and (sizes[0].bit_count() != 1 or sizes != halved or 0 in sizes):
            raise ValueError(f"the rounds of a bracket cannot have {sizes} duels")


def draw_bracket(bracket: Bracket, *, theme: ThemeName = ThemeName.RAINBOW, width: int = 720) -> bytes:
    """Return a bracket as a PNG `width` pixels wide. Several threads may call this at once."""
    return to_png(build_bracket_drawing(bracket, theme=theme, width=width))


def format_bracket(bracket: Bracket) -> str:
    """Return a bracket as text for a block of fixed pitch: a line for each duel, rounds apart.

    ``>`` stands before who goes on.
    """
    names = [name for duels in bracket.rounds for duel in duels for name in _name_players(duel)]
    columns = choose_name_columns(names, _NAME_COLUMNS)
    blocks = ["\n".join(_format_duel(duel, columns) for duel in duels) for duels in bracket.rounds]
    title = clean_name(bracket.title)
    return "\n\n".join((*([title] if title else []), *blocks))


def _name_players(duel: Duel) -> tuple[str, str]:
    """Return the seeds and names; a free place is a dash."""
    upper, lower = (
        clean_name(f"{seed or ''} {name or '-'}")
        for seed, name in zip(duel.seeds, (duel.upper, duel.lower), strict=True)
    )
    return upper, lower


def _format_duel(duel: Duel, columns: int) -> str:
    upper, lower = (
        f"{'>' if duel.winner == index else ' '} {pad_columns(name, columns)}"
        for index, name in enumerate(_name_players(duel))
    )
    left, right = map(format_points, duel.points) if duel.points else ("", "")
    return f"{upper} {left:>2} : {right:>2} {lower}".rstrip()


def build_bracket_drawing(
    bracket: Bracket, *, theme: ThemeName = ThemeName.RAINBOW, width: int = 720
) -> Drawing:
    """Return the drawing of a bracket, without the first rounds if they are too many or have too many duels.

    Rounds that are not paired yet are narrow.
    """
    rounds = [duels for duels in _complete(bracket.rounds) if len(duels) <= MAX_BRACKET_DUELS]
    rounds = rounds[max(0, sum(map(_has_players, rounds)) - MAX_NAMED_ROUNDS) :]
    lines = len(rounds[0]) * _PITCH - 0.5 if rounds else 0
    widths = [_COLUMN if _has_players(duels) else _EMPTY_COLUMN for duels in rounds]
    ends = list(accumulate(one + _GAP for one in widths))
    sheet = Sheet.create(
        theme, width, bracket.title, lines, wide_as=max([_MIN_WIDE_AS, *ends[-1:]]) + 1 - _GAP
    )
    size = sheet.size
    columns = [
        (sheet.margin + (end - _GAP - one) * size, one * size) for one, end in zip(widths, ends, strict=True)
    ]
    return sheet.finish(
        shape
        for index, duels in enumerate(rounds)
        for number, duel in enumerate(duels)
        for shape in _draw_duel(duel, *columns[index], index, number, sheet)
    )


_PITCH = 2.5  # lines from one duel of the first round to the next
_GAP = 1.2  # the space between two rounds, in sizes of the text


def _complete(rounds: Sequence[tuple[Duel, ...]]) -> list[tuple[Duel, ...]]:
    """Return all rounds down to the final, with empty places where none is paired yet."""
    complete = list(rounds)
    while complete and len(complete[-1]) > 1:
        complete.append((Duel("", ""),) * (len(complete[-1]) // 2))
    return complete


def _find_line(index: int, number: int) -> float:
    """Return the line of the upper player of a duel: in the middle between the two duels before."""
    return _PITCH * ((number + 0.5) * (1 << index) - 0.5)


def _has_players(duels: Sequence[Duel]) -> bool:
    return any(duel.upper or duel.lower for duel in duels)


def _draw_duel(
    duel: Duel, left: float, width: float, index: int, number: int, sheet: Sheet
) -> Iterator[Shape]:
    line = _find_line(index, number)
    if index:
        yield from _draw_joints(left, line, index, number, sheet)
    for place, name in enumerate((duel.upper, duel.lower)):
        fill = sheet.result_colour(2, 1) if duel.winner == place and name else sheet.stripe
        yield sheet.cell(left, line + place, width, fill)
        if name:
            yield from _draw_player(duel, place, left, line + place, sheet)


def _draw_player(duel: Duel, place: int, left: float, line: float, sheet: Sheet) -> Iterator[Shape]:
    size, middle, right = sheet.size, sheet.middle(line), left + (_COLUMN - 0.4) * sheet.size
    is_out = duel.winner is not None and duel.winner != place
    colour = sheet.quiet if is_out else sheet.strong
    left += 0.4 * size
    seed, name = duel.seeds[place], (duel.upper, duel.lower)[place]
    if seed is not None:
        yield place_right(str(seed), left + 0.9 * size, middle, 0.75 * size, sheet.theme.label)
        left += 1.3 * size
    if duel.points:
        points = format_points(duel.points[place])
        yield place_right(points, right, middle, size, colour)
        right -= (measure(points) + 0.3) * size
    written = fit_in_width(write_or_number(name, duel.handles[place], seed), size, right - left)
    yield place_left(written, left, middle, size, colour)


def _draw_joints(left: float, line: float, index: int, number: int, sheet: Sheet) -> Iterator[Shape]:
    """Return the lines from the two duels before, whose winners meet."""
    turn, start, width = left - _GAP / 2 * sheet.size, left - _GAP * sheet.size, 0.12 * sheet.size
    for place in (0, 1):
        before = sheet.middle(_find_line(index - 1, 2 * number + place) + 0.5)
        here = sheet.middle(line + place)
        points = ((start, before), (turn, before), (turn, here), (left, here))
        yield Stroke(points, sheet.theme.border, width)
