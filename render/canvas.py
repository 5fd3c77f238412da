"""Shapes drawn with Pillow on an enlarged image, which is shrunk at the end to smooth the edges."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from render.scene import Box, Circle, Colour, Point, Polygon, Shape, Stroke, Text

_OPAQUE = 255
PROBE_SIZE, NO_LETTER = 24, "\U0010ffff"
FONT_PATH = Path(__file__).parent / "fonts" / "Karla-Bold.otf"


@lru_cache(maxsize=64)
def load_font(size: int) -> ImageFont.FreeTypeFont:
    """Return the bundled font at `size` pixels; the basic layout engine is the same on every machine."""
    return ImageFont.truetype(FONT_PATH, size, layout_engine=ImageFont.Layout.BASIC)


def can_write(text: str) -> bool:
    """Return whether the bundled font has every letter of a text; what it lacks would be an empty box."""
    font, lacking = load_font(PROBE_SIZE), bytes(load_font(PROBE_SIZE).getmask(NO_LETTER))
    return all(bytes(font.getmask(letter)) != lacking for letter in set(text))


@lru_cache(maxsize=512)
def to_rgba(colour: Colour) -> tuple[int, int, int, int]:
    """Return red, green, blue and opacity, each from 0 to 255."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue, int(colour[7:9] or "ff", 16)


@lru_cache(maxsize=512)
def _are_opaque(*colours: Colour | None) -> bool:
    """Return whether nothing shines through. Blending costs several times as much as copying."""
    return all(colour is None or to_rgba(colour)[3] == _OPAQUE for colour in colours)


class Canvas:
    """An image of `width` by `height` pixels, drawn at `scale` times its size."""

    def __init__(self, width: int, height: int, scale: int, fill: Colour) -> None:
        self._scale = scale
        self._image = Image.new("RGB", (width * scale, height * scale), to_rgba(fill)[:3])
        self._drawing = {True: ImageDraw.Draw(self._image), False: ImageDraw.Draw(self._image, "RGBA")}

    def draw(self, shape: Shape, x: float, y: float) -> None:
        """Draw `shape` moved by (x, y)."""
        match shape:
            case Box():
                self._box(shape, x, y)
            case Circle():
                self._circle(shape, x, y)
            case Polygon():
                points = self._points(shape.points, x, y)
                self._drawing[_are_opaque(shape.fill)].polygon(points, fill=to_rgba(shape.fill))
            case Stroke():
                self._stroke(shape, x, y)
            case Text():
                self._text(shape, x, y)

    def to_image(self) -> Image.Image:
        """Return the image, shrunk to its own size."""
        return self._image.reduce(self._scale)

    def _points(self, points: tuple[Point, ...], x: float, y: float) -> list[Point]:
        return [((px + x) * self._scale, (py + y) * self._scale) for px, py in points]

    def _box(self, box: Box, x: float, y: float) -> None:
        left, top, right, bottom = (
            round(edge * self._scale)
            for edge in (box.x + x, box.y + y, box.x + x + box.width, box.y + y + box.height)
        )
        self._drawing[_are_opaque(box.fill, box.line)].rounded_rectangle(
            (left, top, right - 1, bottom - 1),
            box.radius * self._scale,
            fill=to_rgba(box.fill) if box.fill else None,
            outline=to_rgba(box.line) if box.line else None,
            width=round(box.line_width * self._scale),
        )

    def _circle(self, circle: Circle, x: float, y: float) -> None:
        left, top, right, bottom = circle.bounds
        scale, dx, dy = self._scale, x * self._scale, y * self._scale
        self._drawing[_are_opaque(circle.fill, circle.line)].ellipse(
            (left * scale + dx, top * scale + dy, right * scale + dx - 1, bottom * scale + dy - 1),
            fill=to_rgba(circle.fill) if circle.fill else None,
            outline=to_rgba(circle.line) if circle.line else None,
            width=round(circle.line_width * self._scale),
        )

    def _stroke(self, stroke: Stroke, x: float, y: float) -> None:
        points = self._points(stroke.points, x, y)
        colour, half = to_rgba(stroke.colour), stroke.width * self._scale / 2
        draw = self._drawing[_are_opaque(stroke.colour)]
        draw.line(points, fill=colour, width=round(half * 2))
        for px, py in points:
            draw.ellipse((px - half, py - half, px + half - 1, py + half - 1), fill=colour)

    def _text(self, text: Text, x: float, y: float) -> None:
        anchor_point = ((text.x + x) * self._scale, (text.y + y) * self._scale)
        self._drawing[_are_opaque(text.fill)].text(
            anchor_point,
            text.text,
            fill=to_rgba(text.fill),
            font=load_font(round(text.size * self._scale)),
            anchor="ms",
        )
