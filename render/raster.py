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

    from render.scene import Bounds, Figure, Ground, Lattice, Scene, Shape, Stamp

Square = tuple[int, int]
"""Column and row of a square of the lattice; the board's upper left cell is (0, 0)."""

Placed = tuple["Stamp", float, float]
"""A stamp and where it stands, counted from the upper left corner of a square."""

_SCALE = 4
_DEFLATE = 6


def png(scene: Scene) -> bytes:
    """Paint `scene` as a PNG with the palette of its ground. Safe to call from several threads at once."""
    picture, file = paint(scene), BytesIO()
    picture.putpalette(still(scene.ground).colours)
    picture.save(file, "PNG", compress_level=_DEFLATE)
    return file.getvalue()


def paint(scene: Scene) -> Image.Image:
    """Paint `scene` as a fresh image of mode L whose pixels are numbers of its ground's palette."""
    floors = still(scene.ground)
    picture = floors.picture.copy()
    for square, stamps in gather(scene).items():
        picture.paste(floors.tile(floors.looks[square], stamps), floors.corner(square))
    return picture


def gather(scene: Scene) -> dict[Square, tuple[Placed, ...]]:
    """Sort the figures into the squares of the lattice that they touch, in the order of painting."""
    lattice = scene.ground.lattice
    inside = still(scene.ground).looks
    squares: dict[Square, list[Placed]] = {}
    for figure in scene.figures:
        x, y = figure.x - lattice.x, figure.y - lattice.y
        for square in _touched(lattice, _bounds(figure)):
            if square in inside:
                column, row = square
                placed = (
                    figure.stamp,
                    round(x - column * lattice.pitch, 3),
                    round(y - row * lattice.pitch, 3),
                )
                squares.setdefault(square, []).append(placed)
    return {square: tuple(stamps) for square, stamps in squares.items()}


def _bounds(figure: Figure) -> Bounds:
    left, top, right, bottom = figure.stamp.bounds
    return left + figure.x, top + figure.y, right + figure.x, bottom + figure.y


def _touched(lattice: Lattice, bounds: Bounds) -> list[Square]:
    left, top, right, bottom = bounds
    pitch = lattice.pitch
    columns = range(floor((left - lattice.x) / pitch), ceil((right - lattice.x) / pitch))
    rows = range(floor((top - lattice.y) / pitch), ceil((bottom - lattice.y) / pitch))
    return [(column, row) for row in rows for column in columns]


class Look:
    """What the ground shows within one square: `shapes`, seen from the square's corner at (x, y)."""

    __slots__ = ("shapes", "x", "y")

    def __init__(self, shapes: tuple[Shape, ...], corner: tuple[int, int]) -> None:
        self.shapes = shapes
        self.x, self.y = corner


class Still:
    """A painted ground, and the tiles painted on it so far.

    `picture` is the ground itself, `looks` what each of its squares shows; squares that show the same
    share one look, and so one tile for the same stone. Picture and tiles are of mode L and hold the
    numbers of `colours`, red, green and blue of each in turn.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.colours = [int(colour[i : i + 2], 16) for colour in ground.palette for i in (1, 3, 5)]
        self._palette = Image.new("P", (1, 1))
        self._palette.putpalette(self.colours)
        self.picture = Image.new("L", (ground.width, ground.height))
        self.looks = self._lay()
        self.tile = lru_cache(maxsize=1024)(self._tile)

    def corner(self, square: Square) -> tuple[int, int]:
        """Give the upper left corner of `square` in pixels of the picture."""
        lattice = self._ground.lattice
        return lattice.x + square[0] * lattice.pitch, lattice.y + square[1] * lattice.pitch

    def box(self, squares: Iterable[Square]) -> tuple[int, int, int, int]:
        """Give the box of pixels around `squares`: left, top, right, bottom, none beyond the picture."""
        lefts, tops = zip(*map(self.corner, squares), strict=True)
        pitch, ground = self._ground.lattice.pitch, self._ground
        right, bottom = min(max(lefts) + pitch, ground.width), min(max(tops) + pitch, ground.height)
        return max(min(lefts), 0), max(min(tops), 0), right, bottom

    def _lay(self) -> dict[Square, Look]:
        looks: dict[Square, Look] = {}
        alike: dict[bytes, Look] = {}
        for square, shapes in self._squares().items():
            corner = self.corner(square)
            look = Look(tuple(shapes), corner)
            tile = self._tile(look, ())
            self.picture.paste(tile, corner)
            looks[square] = alike.setdefault(tile.tobytes(), look)
        return looks

    def _squares(self) -> dict[Square, list[Shape]]:
        ground, lattice = self._ground, self._ground.lattice
        squares: dict[Square, list[Shape]] = {
            square: [] for square in _touched(lattice, (0, 0, ground.width, ground.height))
        }
        for shape in ground.shapes:
            for square in _touched(lattice, shape.bounds):
                if square in squares:
                    squares[square].append(shape)
        return squares

    def _tile(self, look: Look, stamps: tuple[Placed, ...]) -> Image.Image:
        pen = Pen(self._ground.lattice.pitch, _SCALE, self._ground.backdrop)
        for shape in look.shapes:
            pen.draw(shape, -look.x, -look.y)
        for stamp, x, y in stamps:
            for shape in stamp.shapes:
                pen.draw(shape, x, y)
        painted = pen.finish().quantize(palette=self._palette, dither=Image.Dither.NONE)
        return Image.frombytes("L", painted.size, painted.tobytes())


@lru_cache(maxsize=16)
def still(ground: Ground) -> Still:
    """Give `ground` painted."""
    return Still(ground)
