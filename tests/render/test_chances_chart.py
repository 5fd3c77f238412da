"""The chart of winning chances: its curve, the markers, and labels that do not cover each other."""

from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image

from render import RenderOptions, ThemeName, build_chances_chart, place_labels, to_png
from render.scene import Circle, Stroke, Text


@pytest.mark.parametrize("theme", ThemeName)
def test_curve_and_markers(theme: ThemeName) -> None:
    chances = (0.5, 0.5, 0.9, 0.1, 1.0)
    drawing = build_chances_chart(chances, (2, 3), RenderOptions(theme=theme, width=600))
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
    dots = [(100.0, 95.0), (102.0, 100.0), (104.0, 105.0), (105.0, 20.0)]
    heights = place_labels(dots, [True, True, False, True], (0, 0, 300, 200), (40, 20))
    assert heights[0] < dots[0][1] < dots[2][1] < heights[2]
    assert all(10 <= height <= 190 for height in heights)
    assert all(abs(one - other) >= 20 for one, other in combinations(heights, 2))
    assert all(abs(height - y) >= 15 for height in heights for _, y in dots)
