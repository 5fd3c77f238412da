"""The chart of winning chances: its curve, the markers, and labels that do not cover each other."""

from io import BytesIO
from itertools import combinations, product

import pytest
from PIL import Image

from render import RenderOptions, ThemeName, build_chances_chart, place_labels, to_png
from render.scene import Circle, Stroke, Text
from tests.games import TEXTS


@pytest.mark.parametrize("theme", ThemeName)
def test_curve_and_markers(theme: ThemeName) -> None:
    chances = (0.5, 0.5, 0.9, 0.1, 1.0)
    drawing = build_chances_chart(chances, (2, 3), RenderOptions(TEXTS, theme=theme, width=600))
    picture = Image.open(BytesIO(to_png(drawing)))
    assert (picture.format, picture.size) == ("PNG", (600, 300))
    (curve,) = (shape for shape in drawing.shapes if isinstance(shape, Stroke) and len(shape.points) > 2)
    heights = [y for _, y in curve.points]
    assert sorted(range(5), key=lambda turn: -heights[turn]) == [3, 0, 1, 2, 4]
    dots = [(shape.x, shape.y) for shape in drawing.shapes if isinstance(shape, Circle)]
    assert dots == [curve.points[2], curve.points[3]]
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert texts == ["0%", "50%", "100%", "0", "1", "2", "3", "4", "2", "3"]


def test_labels_of_neighbouring_dots_cover_neither_dots_nor_each_other() -> None:
    curve = [(98.0, 99.0), (100.0, 95.0), (102.0, 100.0), (104.0, 105.0), (105.0, 20.0)]
    marked = [1, 2, 3, 4]
    found = place_labels(curve, marked, (0, 0, 300, 200), (40, 20))
    dots, labels = [dot for dot, _ in found], [label for _, label in found]
    assert dots == [curve[index] for index in marked]
    assert labels[0][1] < dots[0][1]
    assert all(20 <= x <= 280 and 10 <= y <= 190 for x, y in labels)
    for (x, y), (other_x, other_y) in combinations(labels, 2):
        assert abs(x - other_x) >= 40 or abs(y - other_y) >= 20
    for (x, y), (dot_x, dot_y) in product(labels, dots):
        assert abs(x - dot_x) >= 30 or abs(y - dot_y) >= 15


def test_labels_stay_near_their_dots_and_off_the_curve() -> None:
    # A fall: below its middle and beside it is the curve, and the dots before and after it are near.
    heights = (150, 140, 100, 104, 108, 140, 180, 220, 224, 200, 190, 150, 120)
    curve = [(20.0 + 20 * index, float(y)) for index, y in enumerate(heights)]
    for dot, (x, y) in place_labels(curve, [2, 5, 7], (0, 0, 300, 300), (40, 25)):
        assert abs(x - dot[0]) <= 60
        assert abs(y - dot[1]) <= 60
        assert not [1 for (px, py) in curve if abs(px - x) < 20 and abs(py - y) < 12.5]


class LongCurve(list[tuple[float, float]]):
    """A curve that nobody may go through from end to end."""

    __iter__ = None  # type: ignore[assignment]


def test_only_the_curve_near_a_label_is_looked_at() -> None:
    points = [(float(x), 100.0 + 40 * (x % 7)) for x in range(600)]
    bounds, size, marked = (0.0, 0.0, 600.0, 400.0), (26.0, 18.0), [30, 31, 300]
    assert place_labels(LongCurve(points), marked, bounds, size) == place_labels(points, marked, bounds, size)
