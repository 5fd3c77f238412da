"""Morphos: stones on the points of a grid whose edges belong to the two sides."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Side
from render.frame import Frame
from render.grounds import ground
from render.palette import blends
from render.scene import Box, Disc, Figure, Scene, Stroke
from render.score import Score
from render.stones import stone
from render.themes import mix, theme
from render.traces import Traces
from render.trails import rope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morphos.position import MorphosPosition
    from render.scene import Colour, Ground, Point, Shape
    from render.themes import Theme
    from render.view import View

_SIDES = (Side.BLACK, Side.WHITE)
_LEGEND = "b black, joins bottom and top; w white, joins left and right"


def scene(position: MorphosPosition, view: View) -> Scene:
    """Give the picture of a Morphos position."""
    frame = place(position, view)
    look, stones, unit = theme(view.theme), position.stones, _UNIT * frame.cell
    traces = Traces(frame, look, view, stones, unit)
    score = Score(_numbers(position), position.to_move, position.outcome, view.last)
    figures = (
        *traces.under(),
        *(Figure(stone(look.coat(side), unit), *frame.centre(cell)) for cell, side in stones.items()),
        *traces.on(),
        *_chain(position, frame, look),
        *traces.over(),
        *score.figures(frame, look),
    )
    signs = {cell: str(side)[0] for cell, side in stones.items()}
    diagram = frame.diagram(lambda cell: signs.get(cell, "."), (_LEGEND, *score.notes()))
    title = f"Morphos {position.size} \u00d7 {position.size}"
    return Scene(_ground(frame, look), figures, title, diagram)


def place(position: MorphosPosition, view: View) -> Frame:
    """Give where the points of the board lie, each in the middle of a cell."""
    turned, rim = view.side is Side.WHITE, round(view.width / 36)
    return Frame(position.size, view.width, turned, rim, large=view.large)


_UNIT = 1.19
"""Stones on points may nearly touch, so they are drawn for a cell so much wider."""


def _numbers(position: MorphosPosition) -> tuple[tuple[Side, str], ...]:
    """Count the stones of each side, and the one that the mover still has to put back."""
    held = list(position.stones.values())
    owes = {position.mover: "+1"} if position.owed else {}
    return tuple((side, f"{held.count(side)}{owes.get(side, '')}") for side in _SIDES)


def _chain(position: MorphosPosition, frame: Frame, look: Theme) -> Iterator[Figure]:
    """Give the winning chain as a line from edge to edge."""
    points = [frame.centre(cell) for cell in position.winning_chain]
    if points:
        reach = frame.cell / 2 + frame.rim / 2
        ends = [_outwards(points[end], frame, reach, Side(position.outcome or "")) for end in (0, -1)]
        yield from rope(
            (ends[0], *points, ends[1]), min(frame.cell, frame.width / 14), look.gold, look.ink, 0.12
        )


def _outwards(point: Point, frame: Frame, reach: float, side: Side) -> Point:
    """Move a point beside an edge of `side` on to that edge."""
    x, y = point
    if side is Side.BLACK:
        return x, y + (reach if y > frame.top + frame.board / 2 else -reach)
    return x + (reach if x > frame.left + frame.board / 2 else -reach), y


@lru_cache(maxsize=32)
def _ground(frame: Frame, look: Theme) -> Ground:
    shapes = (*_table(frame, look), *_grid(frame, look), *_stars(frame, look))
    return ground(frame, look, shapes, _palette(look))


def _table(frame: Frame, look: Theme) -> Iterator[Shape]:
    """Give the surface and on it, beyond the points, the edges in their owners' colours."""
    rim, left, top, board = frame.rim, frame.left, frame.top, frame.board
    yield Box(left - rim, top - rim, board + 2 * rim, board + 2 * rim, look.table, rim / 2)
    wide, slack = 0.62 * rim, 0.2 * rim
    for across, side in ((True, Side.BLACK), (False, Side.WHITE)):
        coat = look.coat(side)
        for near in (-rim + slack, board + slack):
            x, y = (left, top + near) if across else (left + near, top)
            width, height = (board, wide) if across else (wide, board)
            yield Box(x, y, width, height, coat.face, wide / 2, coat.outline, max(1, 0.1 * rim))


def _grid(frame: Frame, look: Theme) -> Iterator[Shape]:
    half, width = frame.cell / 2, max(1, frame.width / 500)
    near, far = half, frame.board - half
    for index in range(frame.size):
        at = (index + 0.5) * frame.cell
        for ends in (((near, at), (far, at)), ((at, near), (at, far))):
            yield Stroke(tuple((frame.left + x, frame.top + y) for x, y in ends), look.grid, width)


def _stars(frame: Frame, look: Theme) -> Iterator[Shape]:
    """Give the points that help the eye to count."""
    for column, row in stars(frame.size):
        x, y = frame.left + (column + 0.5) * frame.cell, frame.top + (row + 0.5) * frame.cell
        yield Disc(x, y, max(2, 0.1 * frame.cell), look.grid)


def stars(size: int) -> tuple[tuple[int, int], ...]:
    """Give columns and rows, from 0, of the star points of a board: in the corners, the middle, the edges."""
    inset, middle = (3 if size >= 12 else 2), size // 2
    ends = (inset, size - 1 - inset) if size >= 8 else ()
    centre = (middle,) if size % 2 else ()
    lines = sorted({*ends, *centre}) if size >= 15 else ends
    found = {(column, row) for column in lines for row in lines}
    return tuple(sorted(found | {(middle, middle) for _ in centre}))


@lru_cache(maxsize=4)
def _palette(look: Theme) -> tuple[Colour, ...]:
    meetings = [(look.table, other) for other in (look.ink, look.light, look.grid, look.gold)]
    shade = mix(look.table, look.ink, 0.3)
    return blends((*look.colours(*_SIDES), look.table, look.grid, shade), look, meetings)
