"""The parts of a picture, independent of the format in which it is written.

A :class:`Scene` is a value: a `background` (cells, lines, labels) that stays the same during a game, and the
`sprites` on it. Both consist of flat shapes in the order of painting. Coordinates are pixels from the upper
left corner, x to the right and y downwards; those of a sprite's shapes are relative to the sprite's place.
Colours are ``#rrggbb``, or ``#rrggbbaa`` where they are not opaque.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from collections.abc import Iterator

Colour = NewType("Colour", str)
Point = tuple[float, float]

Bounds = tuple[float, float, float, float]
"""Left, top, right and bottom."""

PixelRect = tuple[int, int, int, int]
"""Left, top, width and height of a part of the picture, in whole pixels."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle with its upper left corner at (x, y); `radius` rounds the corners."""

    x: float
    y: float
    width: float
    height: float
    fill: Colour | None = None
    radius: float = 0
    line: Colour | None = None
    line_width: float = 0

    @property
    def bounds(self) -> Bounds:
        """The bounding box: left, top, right, bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height

    def scaled(self, factor: float) -> Box:
        """Return the shape scaled by `factor` about (0, 0)."""
        x, y, width, height = (factor * part for part in (self.x, self.y, self.width, self.height))
        return replace(self, x=x, y=y, width=width, height=height, radius=factor * self.radius)


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around (x, y), or an ellipse where `height_ratio` is not 1; the line is inside the radius."""

    x: float
    y: float
    radius: float
    fill: Colour | None = None
    line: Colour | None = None
    line_width: float = 0
    height_ratio: float = 1

    @property
    def bounds(self) -> Bounds:
        """The bounding box: left, top, right, bottom."""
        half_height = self.radius * self.height_ratio
        return self.x - self.radius, self.y - half_height, self.x + self.radius, self.y + half_height

    def scaled(self, factor: float) -> Circle:
        """Return the shape scaled by `factor` about (0, 0)."""
        return replace(self, x=factor * self.x, y=factor * self.y, radius=factor * self.radius)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: Colour

    @property
    def bounds(self) -> Bounds:
        """The bounding box: left, top, right, bottom."""
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def scaled(self, factor: float) -> Polygon:
        """Return the shape scaled by `factor` about (0, 0)."""
        return replace(self, points=tuple((factor * x, factor * y) for x, y in self.points))


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through `points` with round ends and joints."""

    points: tuple[Point, ...]
    colour: Colour
    width: float

    @property
    def bounds(self) -> Bounds:
        """The bounding box: left, top, right, bottom."""
        xs, ys = zip(*self.points, strict=True)
        half = self.width / 2
        return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


@dataclass(frozen=True, slots=True)
class Text:
    """Text in the bundled font, centred on x, with its baseline at y."""

    x: float
    y: float
    text: str
    size: float
    fill: Colour

    @property
    def bounds(self) -> Bounds:
        """A box that is large enough for the text: left, top, right, bottom."""
        half = 0.45 * self.size * len(self.text)
        return self.x - half, self.y - self.size, self.x + half, self.y + 0.3 * self.size


Shape = Box | Circle | Polygon | Stroke | Text


@dataclass(frozen=True, slots=True)
class Sprite:
    """Shapes drawn together, relative to (0, 0). Equal by content; the hash is cached."""

    shapes: tuple[Shape, ...]
    bounds: Bounds = field(init=False, compare=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        edges = tuple(zip(*(shape.bounds for shape in self.shapes), strict=True))
        bounds = (min(edges[0]), min(edges[1]), max(edges[2]), max(edges[3])) if edges else (0, 0, 0, 0)
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "_hash", hash(self.shapes))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class PlacedSprite:
    """A sprite whose (0, 0) is at (x, y) of the picture. `is_piece`: it is a piece, which pages may move."""

    sprite: Sprite
    x: float
    y: float
    is_piece: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares of `cell_size` pixels over the whole picture, one of them at (x, y): the board's cells go on.

    The PNG and GIF writers cache what they have painted by these squares.
    """

    x: int
    y: int
    cell_size: int


@dataclass(frozen=True, slots=True)
class Background:
    """The part of a picture that stays the same during a game. Equal by content; the hash is cached.

    `palette` lists the colours of the whole picture, sprites included, at most 255. `panels` are the
    rectangles of the status bar: below the upper edge of the highest one, sprites are only in panels.
    """

    width: int
    height: int
    grid: Grid
    fill: Colour
    shapes: tuple[Shape, ...]
    palette: tuple[Colour, ...]
    panels: tuple[PixelRect, ...] = ()
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        content = (self.width, self.height, self.grid, self.fill, self.shapes)
        object.__setattr__(self, "_hash", hash(content))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Diagram:
    """The board as text, one symbol for each cell, for screen readers among others.

    `rows` run from the top of the picture down and are as long as `files`; a blank means that there is no
    cell. `notes` are the lines below the board.
    """

    files: tuple[str, ...]
    ranks: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of a position: a background, sprites in the order of painting, a title and a diagram.

    `counts` are the numbers of the status bar, as (side, text).
    """

    background: Background
    sprites: tuple[PlacedSprite, ...]
    title: str
    diagram: Diagram
    counts: tuple[tuple[str, str], ...] = ()

    def cell_positions(self) -> Iterator[tuple[str, int, int]]:
        """Return (name, left, top) of every cell of the board, row by row from the top."""
        grid, diagram = self.background.grid, self.diagram
        for row, (rank, symbols) in enumerate(zip(diagram.ranks, diagram.rows, strict=True)):
            for column, (file, symbol) in enumerate(zip(diagram.files, symbols, strict=True)):
                if symbol.strip():
                    x, y = grid.x + column * grid.cell_size, grid.y + row * grid.cell_size
                    yield f"{file}{rank}", x, y

    def pieces(self) -> dict[str, Sprite]:
        """Return the piece on each cell that has one."""
        half = self.background.grid.cell_size / 2
        placed = {(one.x, one.y): one.sprite for one in self.sprites if one.is_piece}
        centres = {cell: (x + half, y + half) for cell, x, y in self.cell_positions()}
        return {cell: placed[centre] for cell, centre in centres.items() if centre in placed}


def without_status_bar(scene: Scene) -> Scene:
    """Return the scene without its status bar, for a page that shows the counts and the last turn itself."""
    background = scene.background
    if not background.panels:
        return scene
    grid = background.grid
    bottom = grid.y + grid.cell_size * len(scene.diagram.ranks) + grid.y
    top = min(panel[1] for panel in background.panels)
    sprites = tuple(one for one in scene.sprites if one.y + one.sprite.bounds[1] < top)
    return replace(scene, background=replace(background, height=min(bottom, top), panels=()), sprites=sprites)


def with_caption(scene: Scene, caption: str) -> Scene:
    """Return the scene with a line of text below the board instead of its status bar."""
    bare = without_status_bar(scene)
    background, size = bare.background, round(scene.background.width / 14)
    labels = [shape for shape in background.shapes if isinstance(shape, Text)]
    text = Text(background.width / 2, background.height + size, caption, size, labels[0].fill)
    height, shapes = background.height + round(1.5 * size), (*background.shapes, text)
    return replace(bare, title=caption, background=replace(background, height=height, shapes=shapes))


def to_text(scene: Scene) -> str:
    """Return the diagram of `scene` as lines: ranks at the left, files below, then the notes."""
    diagram = scene.diagram
    rank_width = max(map(len, diagram.ranks))
    rows = [
        f"{rank:>{rank_width}} {' '.join(row)}".rstrip()
        for rank, row in zip(diagram.ranks, diagram.rows, strict=True)
    ]
    files = f"{'':{rank_width}} {' '.join(diagram.files)}"
    return "\n".join((*rows, files, *diagram.notes))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that is not a board: shapes on one colour, in the order of painting.

    `palette` lists the colours that the picture may use, at most 256. For smooth edges a PNG is painted
    `enlargement` times as large and then shrunk.
    """

    width: int
    height: int
    fill: Colour
    shapes: tuple[Shape, ...]
    palette: tuple[Colour, ...]
    enlargement: int = 4
