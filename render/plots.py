"""A ground painted plot by plot, and the tiles painted on it so far.

A plot is a rectangle of the picture that is painted as one: a square of the ground's lattice, or one of its
panels. Plots are numbered, squares first and row by row, panels after them.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, NewType

from PIL import Image

from render.pen import Pen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from render.scene import Bounds, Ground, Lattice, Panel, Scene, Shape, Stamp

Plot = NewType("Plot", int)

Placed = tuple["Stamp", float, float]
"""A stamp and where it stands, counted from the upper left corner of a plot."""

Spread = dict[Plot, tuple[Placed, ...]]
"""What stands on the plots on which anything stands, in the order of painting."""

_SCALE = 4


class Look:
    """What the ground shows within one plot, in `box` of the picture; plots that look alike share it."""

    __slots__ = ("box", "shapes")

    def __init__(self, box: Panel, shapes: tuple[Shape, ...]) -> None:
        self.box = box
        self.shapes = shapes


class Plots:
    """The plots of one ground; `picture` is the bare ground, `panels` are the plots of its panels.

    Picture and tiles are of mode L and hold the numbers of `colours`, red, green and blue of each in turn.
    """

    def __init__(self, ground: Ground) -> None:
        self.colours = [int(colour[i : i + 2], 16) for colour in ground.palette for i in (1, 3, 5)]
        self._palette = Image.new("P", (1, 1))
        self._palette.putpalette(self.colours)
        self._ground = ground
        self._floor = min((panel[1] for panel in ground.panels), default=ground.height)
        self._squares = _Squares(ground.lattice, ground.width, ground.height)
        self._boxes = [*self._squares.boxes(), *ground.panels]
        self.panels = tuple(Plot(len(self._boxes) - back) for back in range(len(ground.panels), 0, -1))
        self._draw = lru_cache(maxsize=1024)(self._painted)
        self.picture = Image.new("L", (ground.width, ground.height))
        self._looks = self._lay()

    def spread(self, scene: Scene) -> Spread:
        """Sort the figures of `scene` into the plots that they touch."""
        found: dict[Plot, list[Placed]] = {}
        for figure in scene.figures:
            left, top, right, bottom = figure.stamp.bounds
            x, y = figure.x, figure.y
            for plot in self._touched((left + x, top + y, right + x, bottom + y)):
                across, down, _, _ = self._boxes[plot]
                placed = (figure.stamp, round(x - across, 3), round(y - down, 3))
                found.setdefault(plot, []).append(placed)
        return {plot: tuple(found[plot]) for plot in sorted(found)}

    def tile(self, plot: Plot, stamps: tuple[Placed, ...]) -> tuple[Image.Image, tuple[int, int]]:
        """Give `plot` with `stamps` on it, painted, and where it belongs. Not to be changed."""
        return self._draw(self._looks[plot], stamps), self._boxes[plot][:2]

    def around(self, plots: Iterable[Plot]) -> tuple[int, int, int, int]:
        """Give the box of pixels around `plots`: left, top, right, bottom, none beyond the picture."""
        boxes = [self._boxes[plot] for plot in plots]
        right = min(max(left + width for left, _, width, _ in boxes), self._ground.width)
        bottom = min(max(top + height for _, top, _, height in boxes), self._ground.height)
        return max(min(box[0] for box in boxes), 0), max(min(box[1] for box in boxes), 0), right, bottom

    def _touched(self, bounds: Bounds) -> Iterable[Plot]:
        """Give the plots on which something within `bounds` is seen; what lies low is on panels only."""
        if bounds[1] < self._floor:
            return self._squares.touched(bounds)
        return [plot for plot in self.panels if _meet(bounds, self._boxes[plot])]

    def _lay(self) -> list[Look]:
        """Paint the bare ground and give the look of each plot; those that look alike share one."""
        looks: list[Look] = []
        alike: dict[bytes, Look] = {}
        for box, shapes in zip(self._boxes, self._shapes(), strict=True):
            look = Look(box, tuple(shapes))
            tile = self._painted(look, ())
            self.picture.paste(tile, box[:2])
            looks.append(alike.setdefault(tile.tobytes(), look))
        return looks

    def _shapes(self) -> list[list[Shape]]:
        """Give what of the ground each plot shows."""
        found: list[list[Shape]] = [[] for _ in self._boxes]
        for shape in self._ground.shapes:
            for plot in self._squares.touched(shape.bounds):
                found[plot].append(shape)
            for plot in self.panels:
                if _meet(shape.bounds, self._boxes[plot]):
                    found[plot].append(shape)
        return found

    def _painted(self, look: Look, stamps: tuple[Placed, ...]) -> Image.Image:
        left, top, width, height = look.box
        pen = Pen(width, height, _SCALE, self._ground.backdrop)
        for shape in look.shapes:
            pen.draw(shape, -left, -top)
        for stamp, x, y in stamps:
            for shape in stamp.shapes:
                pen.draw(shape, x, y)
        painted = pen.finish().quantize(palette=self._palette, dither=Image.Dither.NONE)
        return Image.frombytes("L", painted.size, painted.tobytes())


class _Squares:
    """The squares of a lattice that cover a picture, numbered row by row."""

    def __init__(self, lattice: Lattice, width: int, height: int) -> None:
        pitch = lattice.pitch
        self._x, self._y, self._pitch = lattice.x % pitch - pitch, lattice.y % pitch - pitch, pitch
        self._columns = ceil((width - self._x) / pitch)
        self._rows = ceil((height - self._y) / pitch)

    def boxes(self) -> Iterator[Panel]:
        """Give every square as left, top, width and height."""
        for row in range(self._rows):
            for column in range(self._columns):
                yield self._x + column * self._pitch, self._y + row * self._pitch, self._pitch, self._pitch

    def touched(self, bounds: Bounds) -> list[Plot]:
        """Give the squares that `bounds` touch."""
        left, top, right, bottom = bounds
        columns = _span(left - self._x, right - self._x, self._pitch, self._columns)
        rows = _span(top - self._y, bottom - self._y, self._pitch, self._rows)
        return [Plot(row * self._columns + column) for row in rows for column in columns]


def _span(near: float, far: float, pitch: int, count: int) -> range:
    return range(max(floor(near / pitch), 0), min(ceil(far / pitch), count))


def _meet(bounds: Bounds, box: Panel) -> bool:
    left, top, width, height = box
    return bounds[0] < left + width and bounds[2] > left and bounds[1] < top + height and bounds[3] > top


@lru_cache(maxsize=16)
def plots(ground: Ground) -> Plots:
    """Give the plots of `ground`, painted."""
    return Plots(ground)
