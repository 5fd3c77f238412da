"""Shapes drawn with Pillow on a sheet that is larger than it will be seen."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from render.scene import Box, Colour, Disc, Patch, Point, Shape, Stroke, Text

FONT = Path(__file__).parent / "fonts" / "Karla-Bold.otf"


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Give the bundled font at `size` pixels, laid out alike on every machine."""
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


def ink(colour: Colour) -> tuple[int, int, int, int]:
    """Red, green, blue and opacity, each 0 to 255."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue, int(colour[7:9] or "ff", 16)


class Pen:
    """Draws on a sheet of some pixels at `scale` times its size; :meth:`finish` shrinks it."""

    def __init__(self, width: int, height: int, scale: int, backdrop: Colour) -> None:
        self._scale = scale
        self._image = Image.new("RGB", (width * scale, height * scale), ink(backdrop)[:3])
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def draw(self, shape: Shape, x: float, y: float) -> None:
        """Draw `shape` moved by (x, y)."""
        match shape:
            case Box():
                self._box(shape, x, y)
            case Disc():
                self._disc(shape, x, y)
            case Patch():
                self._draw.polygon(self._points(shape.points, x, y), fill=ink(shape.fill))
            case Stroke():
                self._stroke(shape, x, y)
            case Text():
                self._text(shape, x, y)

    def finish(self) -> Image.Image:
        """Give the sheet at its own size."""
        return self._image.reduce(self._scale)

    def _points(self, points: tuple[Point, ...], x: float, y: float) -> list[Point]:
        return [((px + x) * self._scale, (py + y) * self._scale) for px, py in points]

    def _box(self, box: Box, x: float, y: float) -> None:
        left, top, right, bottom = (
            round(edge * self._scale)
            for edge in (box.x + x, box.y + y, box.x + x + box.width, box.y + y + box.height)
        )
        self._draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1),
            box.radius * self._scale,
            fill=ink(box.fill) if box.fill else None,
            outline=ink(box.line) if box.line else None,
            width=round(box.line_width * self._scale),
        )

    def _disc(self, disc: Disc, x: float, y: float) -> None:
        left, top, right, bottom = (edge * self._scale for edge in disc.bounds)
        dx, dy = x * self._scale, y * self._scale
        self._draw.ellipse(
            (left + dx, top + dy, right + dx - 1, bottom + dy - 1),
            fill=ink(disc.fill) if disc.fill else None,
            outline=ink(disc.line) if disc.line else None,
            width=round(disc.line_width * self._scale),
        )

    def _stroke(self, stroke: Stroke, x: float, y: float) -> None:
        points = self._points(stroke.points, x, y)
        colour, half = ink(stroke.colour), stroke.width * self._scale / 2
        self._draw.line(points, fill=colour, width=round(half * 2))
        for px, py in points:
            self._draw.ellipse((px - half, py - half, px + half - 1, py + half - 1), fill=colour)

    def _text(self, text: Text, x: float, y: float) -> None:
        at = ((text.x + x) * self._scale, (text.y + y) * self._scale)
        self._draw.text(
            at, text.words, fill=ink(text.fill), font=font(round(text.size * self._scale)), anchor="ms"
        )
