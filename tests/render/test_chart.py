"""The rating chart: markers, curve, band, labels."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from render import Drawing, RatingSeries, RenderOptions, ThemeName, build_rating_chart, to_png
from render.rating_chart import MAX_MARKED_POINTS
from render.scene import Circle, Polygon, Stroke, Text
from tests.games import TEXTS
from tests.render.golden_images import sample_ratings

PLAIN = RenderOptions(TEXTS, width=600)


def count_markers(drawing: Drawing) -> tuple[int, int, int]:
    """Count triangles that point up, discs, and triangles that point down."""
    triangles = [shape for shape in drawing.shapes if isinstance(shape, Polygon) and len(shape.points) == 3]
    up = sum(shape.points[0][1] < shape.points[1][1] for shape in triangles)
    discs = sum(isinstance(shape, Circle) for shape in drawing.shapes)
    return up // 2, discs, (len(triangles) - up) // 2


def drawn_texts(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def find_curve(drawing: Drawing) -> Stroke:
    (found,) = (shape for shape in drawing.shapes if isinstance(shape, Stroke) and shape.width > 2)
    return found


def ratings_with_scores(*scores: float) -> RatingSeries:
    series = sample_ratings(len(scores))
    marks = tuple(replace(mark, score=score) for mark, score in zip(series.points, scores, strict=True))
    return replace(series, points=marks)


def test_shape_of_a_marker_shows_the_score() -> None:
    assert count_markers(build_rating_chart(ratings_with_scores(1, 1, 1, 0.5, 0.5, 0), PLAIN)) == (3, 2, 1)


@pytest.mark.parametrize("theme", ThemeName)
@pytest.mark.parametrize("matches", [1, 7, 120])
def test_picture_is_small_and_half_as_high_as_wide(theme: ThemeName, matches: int) -> None:
    data = to_png(build_rating_chart(sample_ratings(matches), RenderOptions(TEXTS, theme=theme)))
    picture = Image.open(BytesIO(data))
    assert (picture.size, picture.mode) == ((700, 350), "P")
    assert len(data) < 26_000


def test_curve_goes_through_every_match_and_on_to_now() -> None:
    series = sample_ratings(9)
    points = find_curve(build_rating_chart(series, PLAIN)).points
    assert len(points) == 10
    assert [one[0] for one in points] == sorted(one[0] for one in points)
    heights = [one[1] for one in points]
    better = sorted(range(9), key=lambda number: series.points[number].rating)
    assert sorted(range(9), key=lambda number: -heights[number]) == better
    assert heights[9] == heights[8]


def test_everything_is_inside_the_picture() -> None:
    for matches in (1, 2, 40, 200):
        drawing = build_rating_chart(sample_ratings(matches), PLAIN)
        for shape in drawing.shapes:
            left, top, right, bottom = shape.bounds
            assert 0 <= left <= right <= drawing.width
            assert 0 <= top <= bottom <= drawing.height


def test_first_and_last_days_are_labelled() -> None:
    labels = drawn_texts(build_rating_chart(sample_ratings(18), PLAIN))
    assert {"2026-01-08", "2026-08-23"} <= set(labels)


def test_a_day_is_labelled_once() -> None:
    labels = drawn_texts(build_rating_chart(sample_ratings(3, days=0, rest=0), PLAIN))
    assert labels.count("2026-01-08") == 1


def test_grid_lines_are_at_round_ratings() -> None:
    labels = [
        int(text) for text in drawn_texts(build_rating_chart(sample_ratings(18), PLAIN)) if text.isdigit()
    ][:-1]
    steps = {later - earlier for earlier, later in pairwise(labels)}
    assert len(steps) == 1
    assert 3 <= len(labels) <= 8
    assert all(rating % steps.copy().pop() == 0 for rating in labels)


def test_current_deviation_is_inside_the_chart() -> None:
    series = sample_ratings(1, rest=60)
    labels = [int(text) for text in drawn_texts(build_rating_chart(series, PLAIN)) if text.isdigit()][:-1]
    rating = series.points[-1].rating
    assert min(labels) < rating - series.deviation
    assert rating + series.deviation < max(labels)


def test_current_rating_is_labelled() -> None:
    series = sample_ratings(5)
    assert drawn_texts(build_rating_chart(series, PLAIN))[-1] == f"{series.points[-1].rating:.0f}"


def test_one_match_just_now_has_neither_curve_nor_band() -> None:
    series = sample_ratings(1, rest=0)
    drawing = build_rating_chart(series, PLAIN)
    assert sum(count_markers(drawing)) == 1
    assert not [shape for shape in drawing.shapes if isinstance(shape, Stroke) and shape.width > 2]


def test_very_many_matches_are_a_curve_without_markers() -> None:
    assert (
        sum(count_markers(build_rating_chart(sample_ratings(MAX_MARKED_POINTS), PLAIN))) == MAX_MARKED_POINTS
    )
    assert sum(count_markers(build_rating_chart(sample_ratings(MAX_MARKED_POINTS + 1), PLAIN))) == 0


def test_clock_may_go_back() -> None:
    series = sample_ratings(4)
    early = replace(series, now=series.points[0].at - timedelta(days=1))
    assert to_png(build_rating_chart(early, PLAIN))
