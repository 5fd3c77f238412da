"""A chart of a rating over time, with its deviation.

Each match is a marker whose shape shows the result: a triangle up for a win, down for a loss, a circle for a
draw. The band around the curve is one deviation wide on each side. The chart contains only dates and numbers,
so it needs no translation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from render.layout import CAPITAL_HEIGHT
from render.scene import Box, Circle, Drawing, Polygon, Stroke, Text
from render.themes import build_palette, get_theme, mix

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from render.options import RenderOptions
    from render.scene import Colour, Point, Shape
    from render.themes import ThemeColours

GRID_STEPS = (10, 20, 50, 100, 200, 500, 1000)
MAX_GRID_LINES = 6
DATE_COUNT = 4
MAX_MARKED_POINTS = 80
"""With more matches the curve has no markers."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating right after a match; `score` is 1, 0.5 or 0."""

    at: datetime
    rating: float
    deviation: float
    score: float


@dataclass(frozen=True, slots=True)
class RatingSeries:
    """At least one point, in the order of time, and the deviation of the rating at `now`."""

    points: tuple[RatingPoint, ...]
    now: datetime
    deviation: float


@dataclass(frozen=True, slots=True)
class _PlotArea:
    """The area of the curve: its rectangle in pixels, and the times and ratings at its edges."""

    left: float
    top: float
    right: float
    bottom: float
    start: datetime
    end: datetime
    low: float
    high: float

    def x(self, at: datetime) -> float:
        span = self.end - self.start
        fraction = (at - self.start) / span if span else 0.5
        return self.left + fraction * (self.right - self.left)

    def y(self, rating: float) -> float:
        fraction = (rating - self.low) / (self.high - self.low)
        return self.bottom - min(max(fraction, 0), 1) * (self.bottom - self.top)


def build_rating_chart(series: RatingSeries, options: RenderOptions) -> Drawing:
    """Return the chart of a rating, half as high as it is wide."""
    theme, width = get_theme(options.theme), options.width
    size = width / (28 if options.large_labels else 36)
    step, low, height = _scale(series)
    area = _PlotArea(
        left=4.2 * size,
        top=1.4 * size,
        right=width - 4.2 * size,
        bottom=width / 2 - 2.6 * size,
        start=series.points[0].at,
        end=max(series.now, series.points[-1].at),
        low=low,
        high=height,
    )
    shapes = (
        *_deviation_band(series, area, _band_colour(theme)),
        *_grid_lines(area, step, size, theme),
        *_date_labels(area, size, theme),
        *_curve(series, area, width, theme),
        *_result_markers(series, area, width, theme),
        *_current_rating(series, area, size, theme),
    )
    return Drawing(width, width // 2, theme.background, shapes, _palette(theme))


def _scale(series: RatingSeries) -> tuple[int, int, int]:
    """Return the distance of the grid lines, and the ratings at the lower and upper edge.

    The present band fits between the edges; the very wide band of the first matches may not.
    """
    margin = [*(min(mark.deviation, 100) for mark in series.points), 1.1 * series.deviation]
    ratings = [*(mark.rating for mark in series.points), series.points[-1].rating]
    low = min(rating - more for rating, more in zip(ratings, margin, strict=True))
    height = max(rating + more for rating, more in zip(ratings, margin, strict=True))
    step = next((step for step in GRID_STEPS if (height - low) / step <= MAX_GRID_LINES - 1), GRID_STEPS[-1])
    return step, floor(low / step) * step, ceil(height / step) * step


def _deviation_band(series: RatingSeries, area: _PlotArea, colour: Colour) -> Iterator[Shape]:
    last = series.points[-1]
    known = [(mark.at, mark.rating, mark.deviation) for mark in series.points]
    known.append((area.end, last.rating, series.deviation))
    upper = [(area.x(at), area.y(rating + deviation)) for at, rating, deviation in known]
    lower = [(area.x(at), area.y(rating - deviation)) for at, rating, deviation in known]
    if upper[0][0] < upper[-1][0]:
        yield Polygon((*upper, *reversed(lower)), colour)


def _grid_lines(area: _PlotArea, step: int, size: float, theme: ThemeColours) -> Iterator[Shape]:
    for rating in range(int(area.low), int(area.high) + 1, step):
        y = area.y(rating)
        yield Stroke(((area.left, y), (area.right, y)), theme.grid_line, max(1, size / 16))
        yield Text(area.left / 2, y + CAPITAL_HEIGHT * size / 2, str(rating), size, theme.label)


def _date_labels(area: _PlotArea, size: float, theme: ThemeColours) -> Iterator[Shape]:
    span = area.end - area.start
    shown = set[str]()
    for index in range(DATE_COUNT):
        at = area.start + span * (index / (DATE_COUNT - 1))
        date = f"{at:%Y-%m-%d}"
        if date not in shown:
            shown.add(date)
            yield Text(area.x(at), area.bottom + 1.8 * size, date, 0.9 * size, theme.label)


def _curve(series: RatingSeries, area: _PlotArea, width: int, theme: ThemeColours) -> Iterator[Shape]:
    curve = [(area.x(mark.at), area.y(mark.rating)) for mark in series.points]
    curve.append((area.x(area.end), curve[-1][1]))
    if curve[0] != curve[-1]:
        yield Stroke(tuple(curve), theme.label, width / 250)


def _result_markers(
    series: RatingSeries, area: _PlotArea, width: int, theme: ThemeColours
) -> Iterator[Shape]:
    if len(series.points) > MAX_MARKED_POINTS:
        return
    radius = width / (70 if len(series.points) <= MAX_MARKED_POINTS // 2 else 110)
    for mark in series.points:
        x, y = area.x(mark.at), area.y(mark.rating)
        if mark.score == 0.5:
            yield Circle(x, y, 0.85 * radius, theme.label, theme.ink, radius / 5)
            continue
        up = mark.score > 0.5
        yield Polygon(_triangle(x, y, 1.45 * radius, up=up), theme.ink)
        yield Polygon(_triangle(x, y, radius, up=up), _result_colour(theme, up=up))


def _triangle(x: float, y: float, radius: float, *, up: bool) -> tuple[Point, ...]:
    tip = -radius if up else radius
    return (x, y + tip), (x - 0.87 * radius, y - tip / 2), (x + 0.87 * radius, y - tip / 2)


def _current_rating(
    series: RatingSeries, area: _PlotArea, size: float, theme: ThemeColours
) -> Iterator[Shape]:
    """Return the present rating as a number, at the right of the curve's end."""
    rating = series.points[-1].rating
    x, y = area.right + 2.1 * size, area.y(rating)
    yield Box(area.right + 0.4 * size, y - 0.8 * size, 3.4 * size, 1.6 * size, theme.panel, 0.4 * size)
    yield Text(x, y + CAPITAL_HEIGHT * 1.1 * size / 2, f"{rating:.0f}", 1.1 * size, theme.label)


def _result_colour(theme: ThemeColours, *, up: bool) -> Colour:
    return theme.bands[3] if up else theme.bands[6]


def _band_colour(theme: ThemeColours) -> Colour:
    return mix(theme.background, theme.bands[2], 0.3)


def _palette(theme: ThemeColours) -> tuple[Colour, ...]:
    won, lost, band = _result_colour(theme, up=True), _result_colour(theme, up=False), _band_colour(theme)
    grid_line = theme.grid_line
    base_colours = (
        theme.background,
        theme.label,
        grid_line,
        theme.panel,
        theme.ink,
        theme.light,
        won,
        lost,
        band,
    )
    backgrounds = (theme.background, band, grid_line)
    adjacent = (
        *((background, other) for background in backgrounds for other in (theme.ink, theme.label, won, lost)),
        *((other, theme.ink) for other in (won, lost, theme.label)),
        (theme.background, band),
        (band, grid_line),
        (theme.background, theme.panel),
    )
    return build_palette(base_colours, theme, adjacent)
