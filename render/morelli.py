"""Morelli: a target of coloured bands, stones on its cells, a tower at its heart."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Side
from render.frame import CAP, Frame
from render.grounds import ground
from render.palette import blends
from render.scene import Box, Disc, Figure, Scene, Stamp, Text
from render.score import Score
from render.stones import stone, tower
from render.themes import mix, theme
from render.traces import Traces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Cell
    from engine.morelli.position import MorelliPosition
    from render.scene import Colour, Ground, Shape
    from render.themes import Theme
    from render.view import View


_LEGEND = "b black, w white; B or W: whose tower holds the Centre; *: the Centre, empty"


def scene(position: MorelliPosition, view: View) -> Scene:
    """Give the picture of a Morelli position."""
    frame = place(position, view)
    look, stones = theme(view.theme), position.stones
    traces = Traces(frame, look, view, stones, frame.cell)
    held = list(stones.values())
    numbers = tuple((side, str(held.count(side))) for side in (Side.BLACK, Side.WHITE))
    score = Score(numbers, position.to_move, position.outcome, view.last)
    figures = (
        *traces.under(),
        *(Figure(stone(look.coat(side), frame.cell), *frame.centre(cell)) for cell, side in stones.items()),
        *traces.on(),
        *_tower(position, frame, look),
        *traces.over(),
        *score.figures(frame, look),
    )
    title = f"Morelli {position.size} \u00d7 {position.size}"
    diagram = frame.diagram(lambda cell: _sign(position, stones.get(cell), cell), (_LEGEND, *score.notes()))
    return Scene(_ground(frame, look), figures, title, diagram)


def place(position: MorelliPosition, view: View) -> Frame:
    """Give where the cells of the board lie."""
    return Frame(position.size, view.width, turned=view.side is Side.WHITE, large=view.large)


def _sign(position: MorelliPosition, side: Side | None, cell: Cell) -> str:
    if cell == position.centre:
        return "*" if position.tower is None else position.tower[0].upper()
    return "." if side is None else side[0]


def _tower(position: MorelliPosition, frame: Frame, look: Theme) -> Iterator[Figure]:
    if position.tower is not None:
        middle = frame.centre(position.centre)
        yield Figure(_dais(frame.cell, look), *middle)
        yield Figure(tower(look.coat(position.tower), frame.cell), *middle)


@lru_cache(maxsize=16)
def _dais(cell: int, look: Theme) -> Stamp:
    """Give the Centre in the light that an occupation casts on it."""
    line = max(2, round(0.06 * cell))
    return Stamp((Box(-cell / 2, -cell / 2, cell, cell, _glow(look), line=look.gold, line_width=line),))


@lru_cache(maxsize=32)
def _ground(frame: Frame, look: Theme) -> Ground:
    cells = (
        shape
        for row in range(frame.size)
        for column in range(frame.size)
        for shape in _cell(frame, look, column, row)
    )
    return ground(frame, look, (*cells, *_eye(frame, look)), _palette(look))


def _cell(frame: Frame, look: Theme, column: int, row: int) -> Iterator[Shape]:
    cell, middle = frame.cell, frame.size // 2
    across, down = abs(column - middle), abs(row - middle)
    band = max(across, down)
    x, y = frame.left + column * cell, frame.top + row * cell
    yield Box(x, y, cell, cell, _tint(look, band, dark=(row + column) % 2 == 0))
    if look.numbered and band and (across == down or not min(across, down)):
        size = 0.42 * cell
        yield Text(x + cell / 2, y + cell / 2 + CAP * size / 2, str(band), size, _number(look, band))


def _eye(frame: Frame, look: Theme) -> Iterator[Disc]:
    """Give the rings on the Centre."""
    middle = frame.left + frame.board / 2
    for radius in (0.32, 0.16):
        yield Disc(middle, middle, radius * frame.cell, None, _glow(look), 0.05 * frame.cell)


_BANDS = range(7)
_PALE = (3, 4, 5)
"""Bands, counted from the Centre, on which dark numbers read better than light ones."""


def _tint(look: Theme, band: int, *, dark: bool) -> Colour:
    return mix(look.bands[band], look.ink, 0.07) if dark else look.bands[band]


def _number(look: Theme, band: int) -> Colour:
    return mix(look.bands[band], look.ink if band in _PALE else look.light, 0.7)


def _glow(look: Theme) -> Colour:
    return mix(look.bands[0], look.light, 0.5)


@lru_cache(maxsize=4)
def _palette(look: Theme) -> tuple[Colour, ...]:
    """Give the cells' colours, those of everything on them, and where these meet."""
    cells = [_tint(look, band, dark=dark) for band in _BANDS for dark in (False, True)]
    meetings = [(band, other) for band in look.bands for other in (look.ink, look.light)]
    return blends((*look.colours(Side.BLACK, Side.WHITE), *cells, _glow(look)), look, meetings)
