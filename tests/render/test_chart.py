"""The course of a rating as a curve."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from render import Course, Sheet, ThemeName, View, chart, png
from render.chart import MOST_SIGNED
from render.scene import Disc, Patch, Stroke, Text
from tests.render.gallery import course

PLAIN = View(width=600)


def signs(sheet: Sheet) -> tuple[int, int, int]:
    """Count triangles that point up, discs, and triangles that point down."""
    triangles = [shape for shape in sheet.shapes if isinstance(shape, Patch) and len(shape.points) == 3]
    up = sum(shape.points[0][1] < shape.points[1][1] for shape in triangles)
    discs = sum(isinstance(shape, Disc) for shape in sheet.shapes)
    return up // 2, discs, (len(triangles) - up) // 2


def words(sheet: Sheet) -> list[str]:
    return [shape.words for shape in sheet.shapes if isinstance(shape, Text)]


def curve(sheet: Sheet) -> Stroke:
    (found,) = (shape for shape in sheet.shapes if isinstance(shape, Stroke) and shape.width > 2)
    return found


def with_scores(*scores: float) -> Course:
    made = course(len(scores))
    marks = tuple(replace(mark, score=score) for mark, score in zip(made.marks, scores, strict=True))
    return replace(made, marks=marks)


def test_form_of_a_sign_tells_the_score() -> None:
    assert signs(chart(with_scores(1, 1, 1, 0.5, 0.5, 0), PLAIN)) == (3, 2, 1)


@pytest.mark.parametrize("theme", ThemeName)
@pytest.mark.parametrize("matches", [1, 7, 120])
def test_picture_is_small_and_half_as_high_as_wide(theme: ThemeName, matches: int) -> None:
    data = png(chart(course(matches), View(theme=theme)))
    picture = Image.open(BytesIO(data))
    assert (picture.size, picture.mode) == ((700, 350), "P")
    assert len(data) < 26_000


def test_curve_goes_through_every_match_and_on_to_now() -> None:
    made = course(9)
    points = curve(chart(made, PLAIN)).points
    assert len(points) == 10
    assert [one[0] for one in points] == sorted(one[0] for one in points)
    heights = [one[1] for one in points]
    better = sorted(range(9), key=lambda number: made.marks[number].rating)
    assert sorted(range(9), key=lambda number: -heights[number]) == better
    assert heights[9] == heights[8]


def test_everything_lies_on_the_picture() -> None:
    for matches in (1, 2, 40, 200):
        sheet = chart(course(matches), PLAIN)
        for shape in sheet.shapes:
            left, top, right, bottom = shape.bounds
            assert 0 <= left <= right <= sheet.width
            assert 0 <= top <= bottom <= sheet.height


def test_first_and_last_day_are_told() -> None:
    told = words(chart(course(18), PLAIN))
    assert {"2026-01-08", "2026-08-23"} <= set(told)


def test_day_is_told_once() -> None:
    told = words(chart(course(3, days=0, rest=0), PLAIN))
    assert told.count("2026-01-08") == 1


def test_lines_stand_at_round_ratings() -> None:
    told = [int(text) for text in words(chart(course(18), PLAIN)) if text.isdigit()][:-1]
    steps = {later - earlier for earlier, later in pairwise(told)}
    assert len(steps) == 1
    assert 3 <= len(told) <= 8
    assert all(rating % steps.copy().pop() == 0 for rating in told)


def test_band_as_it_is_now_lies_between_the_edges() -> None:
    made = course(1, rest=60)
    told = [int(text) for text in words(chart(made, PLAIN)) if text.isdigit()][:-1]
    rating = made.marks[-1].rating
    assert min(told) < rating - made.deviation
    assert rating + made.deviation < max(told)


def test_rating_of_now_is_told_in_figures() -> None:
    made = course(5)
    assert words(chart(made, PLAIN))[-1] == f"{made.marks[-1].rating:.0f}"


def test_one_match_just_now_has_neither_curve_nor_band() -> None:
    made = course(1, rest=0)
    sheet = chart(made, PLAIN)
    assert sum(signs(sheet)) == 1
    assert not [shape for shape in sheet.shapes if isinstance(shape, Stroke) and shape.width > 2]


def test_very_many_matches_are_a_curve_without_signs() -> None:
    assert sum(signs(chart(course(MOST_SIGNED), PLAIN))) == MOST_SIGNED
    assert sum(signs(chart(course(MOST_SIGNED + 1), PLAIN))) == 0


def test_clock_that_went_back_does_no_harm() -> None:
    made = course(4)
    early = replace(made, now=made.marks[0].at - timedelta(days=1))
    assert png(chart(early, PLAIN))
