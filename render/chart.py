"""The course of a rating as a curve: match by match over time, with how sure it was.

Each match is a sign whose form tells how it ended: a triangle up for a win, down for a loss, a disc for a
draw. The band around the curve is one deviation wide on either side. Dates and numbers are all that is
written, so a chart reads alike in every language; what it tells is for its caption and alternative text.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from render.frame import CAP
from render.palette import blends
from render.scene import Box, Disc, Patch, Stroke, Text
from render.sheet import Sheet
from render.themes import mix, theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from render.scene import Colour, Point, Shape
    from render.themes import Theme
    from render.view import View

STEPS = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES = 6
DATES = 4
MOST_SIGNED = 80
"""With more matches than that the curve is drawn without signs."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating right after a match that was scored 1, 0.5 or 0."""

    at: datetime
    rating: float
    deviation: float
    score: float


@dataclass(frozen=True, slots=True)
class Course:
    """The marks of a rating in the order of time, at least one, and what it is at `now`."""

    marks: tuple[Rated, ...]
    now: datetime
    deviation: float


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where times and ratings lie: the inner rectangle in pixels, and what its edges stand for."""

    left: float
    top: float
    right: float
    bottom: float
    begin: datetime
    end: datetime
    low: float
    high: float

    def x(self, at: datetime) -> float:
        span = self.end - self.begin
        share = (at - self.begin) / span if span else 0.5
        return self.left + share * (self.right - self.left)

    def y(self, rating: float) -> float:
        share = (rating - self.low) / (self.high - self.low)
        return self.bottom - min(max(share, 0), 1) * (self.bottom - self.top)


def chart(course: Course, view: View) -> Sheet:
    """Picture the course of a rating, half as high as it is wide, in the theme and width of `view`."""
    look, wide = theme(view.theme), view.width
    size = wide / (28 if view.large else 36)
    step, low, high = _scale(course)
    plot = _Plot(
        left=4.2 * size,
        top=1.4 * size,
        right=wide - 4.2 * size,
        bottom=wide / 2 - 2.6 * size,
        begin=course.marks[0].at,
        end=max(course.now, course.marks[-1].at),
        low=low,
        high=high,
    )
    shapes = (
        *_band(course, plot, _shade(look)),
        *_grid(plot, step, size, look),
        *_dates(plot, size, look),
        *_curve(course, plot, wide, look),
        *_signs(course, plot, wide, look),
        *_latest(course, plot, size, look),
    )
    return Sheet(wide, wide // 2, look.backdrop, shapes, _palette(look))


def _scale(course: Course) -> tuple[int, int, int]:
    """Give the distance of the lines, and the ratings at the lower and upper edge.

    The band as it is now fits between them; the wide one of somebody's first matches need not.
    """
    margin = [*(min(mark.deviation, 100) for mark in course.marks), 1.1 * course.deviation]
    ratings = [*(mark.rating for mark in course.marks), course.marks[-1].rating]
    low = min(rating - more for rating, more in zip(ratings, margin, strict=True))
    high = max(rating + more for rating, more in zip(ratings, margin, strict=True))
    step = next((step for step in STEPS if (high - low) / step <= MOST_LINES - 1), STEPS[-1])
    return step, floor(low / step) * step, ceil(high / step) * step


def _band(course: Course, plot: _Plot, shade: Colour) -> Iterator[Shape]:
    last = course.marks[-1]
    known = [(mark.at, mark.rating, mark.deviation) for mark in course.marks]
    known.append((plot.end, last.rating, course.deviation))
    upper = [(plot.x(at), plot.y(rating + deviation)) for at, rating, deviation in known]
    lower = [(plot.x(at), plot.y(rating - deviation)) for at, rating, deviation in known]
    if upper[0][0] < upper[-1][0]:
        yield Patch((*upper, *reversed(lower)), shade)


def _grid(plot: _Plot, step: int, size: float, look: Theme) -> Iterator[Shape]:
    for rating in range(int(plot.low), int(plot.high) + 1, step):
        y = plot.y(rating)
        yield Stroke(((plot.left, y), (plot.right, y)), _line(look), max(1, size / 16))
        yield Text(plot.left / 2, y + CAP * size / 2, str(rating), size, look.label)


def _dates(plot: _Plot, size: float, look: Theme) -> Iterator[Shape]:
    span = plot.end - plot.begin
    told = set[str]()
    for part in range(DATES):
        at = plot.begin + span * (part / (DATES - 1))
        words = f"{at:%Y-%m-%d}"
        if words not in told:
            told.add(words)
            yield Text(plot.x(at), plot.bottom + 1.8 * size, words, 0.9 * size, look.label)


def _curve(course: Course, plot: _Plot, wide: int, look: Theme) -> Iterator[Shape]:
    points = [(plot.x(mark.at), plot.y(mark.rating)) for mark in course.marks]
    points.append((plot.x(plot.end), points[-1][1]))
    if points[0] != points[-1]:
        yield Stroke(tuple(points), look.label, wide / 250)


def _signs(course: Course, plot: _Plot, wide: int, look: Theme) -> Iterator[Shape]:
    if len(course.marks) > MOST_SIGNED:
        return
    radius = wide / (70 if len(course.marks) <= MOST_SIGNED // 2 else 110)
    for mark in course.marks:
        x, y = plot.x(mark.at), plot.y(mark.rating)
        if mark.score == 0.5:
            yield Disc(x, y, 0.85 * radius, look.label, look.ink, radius / 5)
            continue
        up = mark.score > 0.5
        yield Patch(_triangle(x, y, 1.45 * radius, up=up), look.ink)
        yield Patch(_triangle(x, y, radius, up=up), _colour(look, up=up))


def _triangle(x: float, y: float, radius: float, *, up: bool) -> tuple[Point, ...]:
    tip = -radius if up else radius
    return (x, y + tip), (x - 0.87 * radius, y - tip / 2), (x + 0.87 * radius, y - tip / 2)


def _latest(course: Course, plot: _Plot, size: float, look: Theme) -> Iterator[Shape]:
    """Give the rating as it is now, in figures, at the right of the curve's end."""
    rating = course.marks[-1].rating
    x, y = plot.right + 2.1 * size, plot.y(rating)
    yield Box(plot.right + 0.4 * size, y - 0.8 * size, 3.4 * size, 1.6 * size, look.panel, 0.4 * size)
    yield Text(x, y + CAP * 1.1 * size / 2, f"{rating:.0f}", 1.1 * size, look.label)


def _colour(look: Theme, *, up: bool) -> Colour:
    return look.bands[3] if up else look.bands[6]


def _line(look: Theme) -> Colour:
    return mix(look.rule, look.label, 0.25)


def _shade(look: Theme) -> Colour:
    return mix(look.backdrop, look.bands[2], 0.3)


def _palette(look: Theme) -> tuple[Colour, ...]:
    won, lost, shade = _colour(look, up=True), _colour(look, up=False), _shade(look)
    line = _line(look)
    plain = (look.backdrop, look.label, line, look.panel, look.ink, look.light, won, lost, shade)
    grounds = (look.backdrop, shade, line)
    meetings = (
        *((ground, other) for ground in grounds for other in (look.ink, look.label, won, lost)),
        *((other, look.ink) for other in (won, lost, look.label)),
        (look.backdrop, shade),
        (shade, line),
        (look.backdrop, look.panel),
    )
    return blends(plain, look, meetings)
