"""The course of a rating as a curve."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from render import Drawing, RatingSeries, RenderOptions, ThemeName, build_rating_chart, to_png
from render.rating_chart import MAX_MARKED_POINTS
from render.scene import Circle, Polygon, Stroke, Text
from tests.render.golden_images import sample_ratings

PLAIN = RenderOptions(width=600)


def count_markers(sheet: Drawing) -> tuple[int, int, int]:
    """Count triangles that point up, discs, and triangles that point down."""
    triangles = [shape for shape in sheet.shapes if isinstance(shape, Polygon) and len(shape.points) == 3]
    up = sum(shape.points[0][1] < shape.points[1][1] for shape in triangles)
    discs = sum(isinstance(shape, Circle) for shape in sheet.shapes)
    return up // 2, discs, (len(triangles) - up) // 2


def drawn_texts(sheet: Drawing) -> list[str]:
    return [shape.text for shape in sheet.shapes if isinstance(shape, Text)]


def find_curve(sheet: Drawing) -> Stroke:
    (found,) = (shape for shape in sheet.shapes if isinstance(shape, Stroke) and shape.width > 2)
    return found


def ratings_with_scores(*scores: float) -> RatingSeries:
    made = sample_ratings(len(scores))
    marks = tuple(replace(mark, score=score) for mark, score in zip(made.points, scores, strict=True))
    return replace(made, points=marks)


def test_form_of_a_sign_tells_the_score() -> None:
    assert count_markers(build_rating_chart(ratings_with_scores(1, 1, 1, 0.5, 0.5, 0), PLAIN)) == (3, 2, 1)


@pytest.mark.parametrize("theme", ThemeName)
@pytest.mark.parametrize("matches", [1, 7, 120])
def test_picture_is_small_and_half_as_high_as_wide(theme: ThemeName, matches: int) -> None:
    data = to_png(build_rating_chart(sample_ratings(matches), RenderOptions(theme=theme)))
    picture = Image.open(BytesIO(data))
    assert (picture.size, picture.mode) == ((700, 350), "P")
    assert len(data) < 26_000


def test_curve_goes_through_every_match_and_on_to_now() -> None:
    made = sample_ratings(9)
    points = find_curve(build_rating_chart(made, PLAIN)).points
    assert len(points) == 10
    assert [one[0] for one in points] == sorted(one[0] for one in points)
    heights = [one[1] for one in points]
    better = sorted(range(9), key=lambda number: made.points[number].rating)
    assert sorted(range(9), key=lambda number: -heights[number]) == better
    assert heights[9] == heights[8]


def test_everything_lies_on_the_picture() -> None:
    for matches in (1, 2, 40, 200):
        sheet = build_rating_chart(sample_ratings(matches), PLAIN)
        for shape in sheet.shapes:
            left, top, right, bottom = shape.bounds
            assert 0 <= left <= right <= sheet.width
            assert 0 <= top <= bottom <= sheet.height


def test_first_and_last_day_are_told() -> None:
    told = drawn_texts(build_rating_chart(sample_ratings(18), PLAIN))
    assert {"2026-01-08", "2026-08-23"} <= set(told)


def test_day_is_told_once() -> None:
    told = drawn_texts(build_rating_chart(sample_ratings(3, days=0, rest=0), PLAIN))
    assert told.count("2026-01-08") == 1


def test_lines_stand_at_round_ratings() -> None:
    told = [
        int(text) for text in drawn_texts(build_rating_chart(sample_ratings(18), PLAIN)) if text.isdigit()
    ][:-1]
    steps = {later - earlier for earlier, later in pairwise(told)}
    assert len(steps) == 1
    assert 3 <= len(told) <= 8
    assert all(rating % steps.copy().pop() == 0 for rating in told)


def test_band_as_it_is_now_lies_between_the_edges() -> None:
    made = sample_ratings(1, rest=60)
    told = [int(text) for text in drawn_texts(build_rating_chart(made, PLAIN)) if text.isdigit()][:-1]
    rating = made.points[-1].rating
    assert min(told) < rating - made.deviation
    assert rating + made.deviation < max(told)


def test_rating_of_now_is_told_in_figures() -> None:
    made = sample_ratings(5)
    assert drawn_texts(build_rating_chart(made, PLAIN))[-1] == f"{made.points[-1].rating:.0f}"


def test_one_match_just_now_has_neither_curve_nor_band() -> None:
    made = sample_ratings(1, rest=0)
    sheet = build_rating_chart(made, PLAIN)
    assert sum(count_markers(sheet)) == 1
    assert not [shape for shape in sheet.shapes if isinstance(shape, Stroke) and shape.width > 2]


def test_very_many_matches_are_a_curve_without_signs() -> None:
    assert (
        sum(count_markers(build_rating_chart(sample_ratings(MAX_MARKED_POINTS), PLAIN))) == MAX_MARKED_POINTS
    )
    assert sum(count_markers(build_rating_chart(sample_ratings(MAX_MARKED_POINTS + 1), PLAIN))) == 0


def test_clock_that_went_back_does_no_harm() -> None:
    made = sample_ratings(4)
    early = replace(made, now=made.points[0].at - timedelta(days=1))
    assert to_png(build_rating_chart(early, PLAIN))
