"""A scene as PNG: squares of the lattice are drawn once, large, then shrunk, and pasted ever after."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from typing import TYPE_CHECKING

from PIL import Image

from render.pen import Pen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from render.scene import Bounds, Colour, Figure, Ground, Lattice, Scene, Shape, Stamp

Square = tuple[int, int]
Placed = tuple["Stamp", float, float]
_SCALE = 4
_LEVEL = 6


def png(scene: Scene) -> bytes:
    """Paint `scene` as a PNG of the palette of its ground. Safe to call from several threads at once."""
    file = BytesIO()
    paint(scene).save(file, "PNG", compress_level=_LEVEL)
    return file.getvalue()


def paint(scene: Scene) -> Image.Image:
    """Paint `scene` as a fresh image of mode P."""
    still = _still(scene.ground)
    picture = still.picture.copy()
    for square, stamps in gather(scene).items():
        tile = _tile(still, still.floors[square], stamps)
        picture.paste(tile, still.corner(square))
    return picture


def gather(scene: Scene) -> dict[Square, tuple[Placed, ...]]:
    """Sort the figures into the squares of the lattice that they touch, each counted from its corner."""
    lattice = scene.ground.lattice
    squares: dict[Square, list[Placed]] = {}
    for figure in scene.figures:
        for square in _touched(lattice, _moved(figure)):
            x = figure.x - lattice.x - square[0] * lattice.pitch
            y = figure.y - lattice.y - square[1] * lattice.pitch
            squares.setdefault(square, []).append((figure.stamp, round(x, 3), round(y, 3)))
    inside = _still(scene.ground).floors
    return {square: tuple(stamps) for square, stamps in squares.items() if square in inside}


def _moved(figure: Figure) -> Bounds:
    left, top, right, bottom = figure.stamp.bounds
    return left + figure.x, top + figure.y, right + figure.x, bottom + figure.y


def _touched(lattice: Lattice, bounds: Bounds) -> list[Square]:
    left, top, right, bottom = bounds
    columns = range(
        floor((left - lattice.x) / lattice.pitch),
        ceil((right - lattice.x) / lattice.pitch),
    )
    rows = range(floor((top - lattice.y) / lattice.pitch), ceil((bottom - lattice.y) / lattice.pitch))
    return [(column, row) for row in rows for column in columns]


class _Floor:
    """What lies on the ground within one square; squares that look alike share one."""

    __slots__ = ("shapes", "x", "y")

    def __init__(self, shapes: tuple[Shape, ...], x: float, y: float) -> None:
        self.shapes = shapes
        self.x = x
        self.y = y


class _Still:
    """The painted ground, its floor square by square, and its palette."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.palette = _palette(ground.palette)
        self.floors = self._lay()
        self.picture = self.palette.resize((ground.width, ground.height))
        for square, floor_ in self.floors.items():
            self.picture.paste(_draw(self, floor_, ()), self.corner(square))

    def corner(self, square: Square) -> tuple[int, int]:
        lattice = self.ground.lattice
        return lattice.x + square[0] * lattice.pitch, lattice.y + square[1] * lattice.pitch

    def _lay(self) -> dict[Square, _Floor]:
        ground, lattice = self.ground, self.ground.lattice
        found: dict[Square, list[Shape]] = {
            square: [] for square in _touched(lattice, (0, 0, ground.width, ground.height))
        }
        for shape in ground.shapes:
            for square in _touched(lattice, shape.bounds):
                if square in found:
                    found[square].append(shape)
        return {square: _Floor(tuple(shapes), *self.corner(square)) for square, shapes in found.items()}


@lru_cache(maxsize=48)
def _still(ground: Ground) -> _Still:
    return _Still(ground)


@lru_cache(maxsize=4096)
def _tile(still: _Still, floor_: _Floor, stamps: tuple[Placed, ...]) -> Image.Image:
    return _draw(still, floor_, stamps)


def _draw(still: _Still, floor_: _Floor, stamps: tuple[Placed, ...]) -> Image.Image:
    pitch = still.ground.lattice.pitch
    pen = Pen(pitch, _SCALE, still.ground.backdrop)
    for shape in floor_.shapes:
        pen.draw(shape, -floor_.x, -floor_.y)
    for stamp, x, y in stamps:
        for shape in stamp.shapes:
            pen.draw(shape, x, y)
    return pen.finish().quantize(palette=still.palette, dither=Image.Dither.NONE)


def _palette(colours: Iterable[Colour]) -> Image.Image:
    flat = [int(colour[i : i + 2], 16) for colour in colours for i in (1, 3, 5)]
    image = Image.new("P", (1, 1))
    image.putpalette(flat)
    return image
