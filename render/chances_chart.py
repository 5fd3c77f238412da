"""A chart of a player's winning chances, turn by turn.

The area under the curve belongs to the player whose chances it shows. Turning points have a marker with the
number of the turn. The chart contains only numbers, so it needs no translation.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import hypot
from operator import itemgetter
from typing import TYPE_CHECKING

from render.layout import CAPITAL_HEIGHT
from render.scene import Box, Circle, Drawing, Polygon, Stroke, Text
from render.themes import build_palette, get_theme, mix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from render.options import RenderOptions
    from render.scene import Bounds, Colour, Point, Shape
    from render.themes import ThemeColours

GRID_PERCENTS = (0, 25, 50, 75, 100)
TURN_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MAX_TURN_LABELS = 8


@dataclass(frozen=True, slots=True)
class _PlotArea:
    """The rectangle of the curve in pixels, and the number of the last turn."""

    left: float
    top: float
    right: float
    bottom: float
    last: int

    def x(self, turn: int) -> float:
        return self.left + (turn / self.last if self.last else 0.5) * (self.right - self.left)

    def y(self, chances: float) -> float:
        return self.bottom - min(max(chances, 0), 1) * (self.bottom - self.top)

    def point(self, turn: int, chances: float) -> Point:
        return self.x(turn), self.y(chances)


def build_chances_chart(chances: Sequence[float], marked: Sequence[int], options: RenderOptions) -> Drawing:
    """Return the chart of the chances (0 to 1) after each turn, from turn 0 on; `marked` turns have a marker.

    It is half as high as it is wide. There is at least one position.
    """
    theme, width = get_theme(options.theme), options.width
    size = width / (24 if options.large_labels else 28)
    area = _PlotArea(
        left=3.6 * size,
        top=1.6 * size,
        right=width - 1.6 * size,
        bottom=width / 2 - 2.2 * size,
        last=len(chances) - 1,
    )
    shapes = (
        *_filled_area(chances, area, theme),
        *_grid(area, size, theme),
        *_turn_labels(area, size, theme),
        *_curve(chances, area, width, theme),
        *_markers(chances, marked, area, size, theme),
    )
    return Drawing(width, width // 2, theme.background, shapes, _palette(theme))


def _filled_area(chances: Sequence[float], area: _PlotArea, theme: ThemeColours) -> Iterator[Shape]:
    if area.last:
        curve = [area.point(turn, each) for turn, each in enumerate(chances)]
        ends = ((area.right, area.bottom), (area.left, area.bottom))
        yield Polygon((*curve, *ends), _area_colour(theme))


def _grid(area: _PlotArea, size: float, theme: ThemeColours) -> Iterator[Shape]:
    for percent in GRID_PERCENTS:
        y = area.y(percent / 100)
        line_width = max(1, size / (8 if percent == 50 else 16))
        yield Stroke(((area.left, y), (area.right, y)), theme.grid_line, line_width)
        if percent % 50 == 0:
            yield Text(
                area.left / 2, y + CAPITAL_HEIGHT * 0.9 * size / 2, f"{percent}%", 0.9 * size, theme.label
            )


def _turn_labels(area: _PlotArea, size: float, theme: ThemeColours) -> Iterator[Shape]:
    step = next((step for step in TURN_STEPS if area.last / step <= MAX_TURN_LABELS), TURN_STEPS[-1])
    for turn in range(0, area.last + 1, step):
        yield Text(area.x(turn), area.bottom + 1.6 * size, str(turn), 0.9 * size, theme.label)


def _curve(chances: Sequence[float], area: _PlotArea, width: int, theme: ThemeColours) -> Iterator[Shape]:
    if area.last:
        yield Stroke(
            tuple(area.point(turn, each) for turn, each in enumerate(chances)), theme.label, width / 180
        )


def place_labels(
    curve: Sequence[Point], marked: Sequence[int], bounds: Bounds, size: Point
) -> list[tuple[Point, Point]]:
    """Return dot and centre of the label of each marked point of a curve, by index, within the `bounds`.

    A label is above a dot to which the curve rises, else below; on the other side, beside it or further away
    where dots, other labels and the curve leave no room. `size` is width and height of a label.
    """
    (left, top, right, bottom), (width, height) = bounds, size
    dots = [curve[index] for index in marked]
    placed: list[Point] = []

    def cost(dot: Point, place: Point) -> float:
        """Return what a label would cover, other labels above all, and how far from its dot it is."""
        x, y = place
        labels = sum(abs(x - other) < width and abs(y - other_y) < height for other, other_y in placed)
        near = sum(
            abs(x - other) < 0.75 * width and abs(y - other_y) < 0.75 * height for other, other_y in dots
        )
        heights = _heights_between(curve, x - width / 2, x + width / 2)
        is_on_curve = min(heights) < y + height / 2 and max(heights) > y - height / 2
        return 4 * labels + 2 * near + is_on_curve + hypot(x - dot[0], y - dot[1]) / height / 2

    for index, (x, y) in zip(marked, dots, strict=True):
        first = -1 if index > 0 and y <= curve[index - 1][1] else 1
        offsets = [
            (dx * (1 + step / 2) * 0.9 * width, dy * (1 + step / 2) * 1.1 * height)
            for step in range(6)
            for dx, dy in (
                (0, first),
                (0, -first),
                (-0.6, first),
                (0.6, first),
                (-0.6, -first),
                (0.6, -first),
                (-1, 0),
                (1, 0),
            )
        ]
        places = [
            (
                min(max(x + dx, left + width / 2), right - width / 2),
                min(max(y + dy, top + height / 2), bottom - height / 2),
            )
            for dx, dy in offsets
        ]
        placed.append(min(places, key=partial(cost, (x, y))))
    return list(zip(dots, placed, strict=True))


def _heights_between(curve: Sequence[Point], left: float, right: float) -> list[float]:
    """Return each y at which a curve, whose x rise, turns between two x or crosses one; at least one y."""
    first, end = bisect_left(curve, left, key=itemgetter(0)), bisect_right(curve, right, key=itemgetter(0))
    heights = [y for _, y in curve[first:end]]
    for (x, y), (next_x, next_y) in pairwise(curve[max(0, first - 1) : end + 1]):
        heights += [
            y + (edge - x) / (next_x - x) * (next_y - y) for edge in (left, right) if x <= edge <= next_x
        ]
    return heights or [curve[0][1]]


def _markers(
    chances: Sequence[float], marked: Sequence[int], area: _PlotArea, size: float, theme: ThemeColours
) -> Iterator[Shape]:
    """Return a dot on the curve for each marked turn, with its number."""
    curve = [area.point(turn, each) for turn, each in enumerate(chances)]
    bounds = (area.left, 0.0, area.right + size, area.bottom)
    labels = place_labels(curve, marked, bounds, (2.2 * size, 1.5 * size))
    for turn, (_, (x, y)) in zip(marked, labels, strict=True):
        half = (0.7 if turn < 100 else 1.0) * size
        yield Box(x - half, y - 0.7 * size, 2 * half, 1.4 * size, theme.panel, 0.35 * size)
        yield Text(x, y + CAPITAL_HEIGHT * 0.9 * size / 2, str(turn), 0.9 * size, theme.label)
    for (x, y), _ in labels:
        yield Circle(x, y, 0.45 * size, theme.gold, theme.ink, 0.1 * size)


def _area_colour(theme: ThemeColours) -> Colour:
    return mix(theme.background, theme.bands[2], 0.45)


def _palette(theme: ThemeColours) -> tuple[Colour, ...]:
    mark, area, grid_line = theme.gold, _area_colour(theme), theme.grid_line
    base_colours = (theme.background, theme.label, grid_line, theme.panel, theme.ink, mark, area)
    backgrounds = (theme.background, area, grid_line)
    adjacent = (
        *((background, other) for background in backgrounds for other in (theme.ink, theme.label, mark)),
        (mark, theme.ink),
        (theme.label, theme.ink),
        (theme.background, area),
        (area, grid_line),
        (theme.background, theme.panel),
        (area, theme.panel),
        (theme.panel, theme.label),
    )
    return build_palette(base_colours, theme, adjacent)
