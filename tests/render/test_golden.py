"""The kept pictures, pixel by pixel. Made anew by ``python -m tests.render.regenerate``."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from render import to_png
from tests.render.golden_images import GOLDEN, golden_images

PICTURES = golden_images()


def pixels(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_the_kept_one(name: str) -> None:
    kept = pixels((GOLDEN / f"{name}.png").read_bytes())
    painted = pixels(to_png(PICTURES[name]))
    assert painted.size == kept.size
    assert ImageChops.difference(painted, kept).getbbox() is None


def test_no_picture_is_kept_for_nothing() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(PICTURES)
