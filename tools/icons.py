"""Write the icons of the website as PNG from web/static/icon.svg: `python -m tools.icons`.

Systems cut a maskable icon to a shape of their own, so its picture is smaller, on a ground without corners.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw

from tools.picture_files import write_picture

if TYPE_CHECKING:
    from collections.abc import Iterator

STATIC = Path(__file__).resolve().parent.parent / "web" / "static"
SOURCE = STATIC / "icon.svg"
SVG_SIZE = 64
SUPERSAMPLING = 4
MASKABLE_SCALE = 0.72  # keeps the picture inside the circle that every shape leaves
ICONS = {
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "icon-maskable-192.png": (192, True),
    "icon-maskable-512.png": (512, True),
}


def draw_icon(size: int, *, is_maskable: bool) -> bytes:
    """Return the icon as PNG, `size` pixels wide. The first shape of the SVG is its ground."""
    ground, *shapes = _shapes()
    scale = size * SUPERSAMPLING / SVG_SIZE
    image = Image.new("RGBA", (size * SUPERSAMPLING,) * 2, ground.get("fill") if is_maskable else "#0000")
    drawing = ImageDraw.Draw(image)
    if not is_maskable:
        _draw_shape(drawing, ground, scale, 0)
    factor = MASKABLE_SCALE if is_maskable else 1
    margin = image.width * (1 - factor) / 2
    for shape in shapes:
        _draw_shape(drawing, shape, scale * factor, margin)
    file = BytesIO()
    image.reduce(SUPERSAMPLING).save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    """Write every icon that has changed."""
    for name, (size, is_maskable) in ICONS.items():
        write_picture(STATIC / name, draw_icon(size, is_maskable=is_maskable))


def _shapes() -> Iterator[dict[str, str]]:
    for element in ET.parse(SOURCE).getroot():  # noqa: S314 - our own file
        yield {"tag": element.tag.rpartition("}")[2], **element.attrib}


def _draw_shape(drawing: ImageDraw.ImageDraw, shape: dict[str, str], scale: float, margin: float) -> None:
    """Draw a rectangle or a circle of the SVG, `scale` times as large and moved by `margin`."""

    def value(name: str) -> float:
        return float(shape.get(name, 0)) * scale

    stroke = shape.get("stroke")
    if shape["tag"] == "circle":
        left, top, width, height = (
            *(value("cx") - value("r"), value("cy") - value("r")),
            *(2 * value("r"), 2 * value("r")),
        )
        radius = value("r")
    else:
        left, top, width, height = (value(name) for name in ("x", "y", "width", "height"))
        radius = value("rx")
    drawing.rounded_rectangle(
        (margin + left, margin + top, margin + left + width - 1, margin + top + height - 1),
        radius,
        fill=shape["fill"],
        outline=stroke,
        width=round(scale) if stroke else 0,
    )


if __name__ == "__main__":
    main()
