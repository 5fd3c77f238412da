"""The golden pictures, pixel by pixel; ``python -m tests.render.regenerate`` writes them."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from render import to_png
from tests.render.golden_images import GOLDEN, golden_images
from tests.render.pixel_probe import load_rgb
from tools.picture_files import same_pixels, write_picture

PICTURES = golden_images()


@pytest.mark.parametrize("name", PICTURES)
def test_picture_matches_its_golden_file(name: str) -> None:
    assert same_pixels(to_png(PICTURES[name]), (GOLDEN / f"{name}.png").read_bytes())


def test_comparison_sees_one_changed_pixel() -> None:
    png = to_png(next(iter(PICTURES.values())))
    changed, encoded = load_rgb(png), BytesIO()
    changed.putpixel((1, 1), (1, 2, 3))
    changed.save(encoded, "PNG")
    assert not same_pixels(png, encoded.getvalue())


def test_only_pictures_with_other_pixels_are_written(tmp_path: Path) -> None:
    one, other = (to_png(PICTURES[name]) for name in ("morelli-free", "morphos-flip"))
    compressed_otherwise = BytesIO()
    Image.open(BytesIO(one)).save(compressed_otherwise, "PNG", compress_level=1)
    file, kept = tmp_path / "picture.png", compressed_otherwise.getvalue()
    for picture, expected in ((kept, kept), (one, kept), (other, other)):
        write_picture(file, picture)
        assert file.read_bytes() == expected
    assert kept != one


def test_every_golden_file_has_a_picture() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(PICTURES)
