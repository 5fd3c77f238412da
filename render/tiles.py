"""A background painted tile by tile, with a cache of painted tiles.

A tile is a rectangle of the picture that is painted at once: a square of the background's grid, or one of its
panels. Tiles are numbered: the squares first, row by row, then the panels.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING, NewType

from PIL import Image

from render.canvas import Canvas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from render.scene import Background, Bounds, Grid, PixelRect, Scene, Shape, Sprite

TileIndex = NewType("TileIndex", int)

TileSprite = tuple["Sprite", float, float]
"""A sprite and its place (x, y), from the upper left corner of a tile."""

TileContents = dict[TileIndex, tuple[TileSprite, ...]]
"""The sprites of each tile that has any, in the order of painting."""

_SUPERSAMPLING = 4


class TileBackground:
    """The part of the background in one tile, at `box` of the picture; tiles that look alike share it."""

    __slots__ = ("box", "shapes")

    def __init__(self, box: PixelRect, shapes: tuple[Shape, ...]) -> None:
        self.box = box
        self.shapes = shapes


class PaintedTile:
    """A tile with its sprites as an image; the same look is the same object while it is in the cache."""

    __slots__ = ("image",)

    def __init__(self, image: Image.Image) -> None:
        self.image = image


StripContents = tuple[tuple[TileIndex, PaintedTile], ...]
"""The tiles with sprites in one strip of the picture."""


class TileCache:
    """The painted tiles of one background.

    `background_image` is the background without sprites, `panel_tiles` are the tiles of the status bar,
    `strips` the upper and lower edges of its parts, from the top: each contains whole rows of squares, the
    last one all panels. All images are of mode L; their pixels are indexes of `palette_values` (red, green,
    blue, red, ...).
    """

    def __init__(self, background: Background) -> None:
        self.palette_values = [int(colour[i : i + 2], 16) for colour in background.palette for i in (1, 3, 5)]
        self._palette_image = Image.new("P", (1, 1))
        self._palette_image.putpalette(self.palette_values)
        self._background = background
        self._panels_top = min((panel[1] for panel in background.panels), default=background.height)
        self._grid_tiles = _GridTiles(background.grid, background.width, background.height)
        self._boxes = [*self._grid_tiles.boxes(), *background.panels]
        self.panel_tiles = tuple(
            TileIndex(len(self._boxes) - back) for back in range(len(background.panels), 0, -1)
        )
        tops = sorted({0, *self._grid_tiles.edges(self._panels_top)})
        self.strips = tuple(pairwise((*tops, background.height)))
        self._strips_of_tiles = [bisect(tops, max(top, 0)) - 1 for _, top, _, _ in self._boxes]
        self._places_cached = lru_cache(maxsize=2048)(self._places_in_tiles)
        self._paint_cached = lru_cache(maxsize=1024)(self._paint)
        self._fill_index = self._paint_part((0, 0, 1, 1), (), ()).getpixel((0, 0))
        self.background_image = Image.new("L", (background.width, background.height))
        self._tile_backgrounds = self._paint_background()

    def place_sprites(self, scene: Scene) -> TileContents:
        """Return the sprites of `scene` by the tiles that they overlap."""
        found: dict[TileIndex, list[TileSprite]] = {}
        for placed_sprite in scene.sprites:
            sprite = placed_sprite.sprite
            for tile, x, y in self._places_cached(sprite.bounds, placed_sprite.x, placed_sprite.y):
                found.setdefault(tile, []).append((sprite, x, y))
        return {tile: tuple(found[tile]) for tile in sorted(found)}

    def paint_tile(
        self, tile: TileIndex, sprites: tuple[TileSprite, ...]
    ) -> tuple[PaintedTile, tuple[int, int]]:
        """Return a tile with `sprites`, and its upper left corner. Do not change its image."""
        return self._paint_cached(self._tile_backgrounds[tile], sprites), self._boxes[tile][:2]

    def paint_strips(self, scene: Scene) -> list[StripContents]:
        """Return the tiles with sprites in each strip, painted."""
        contents: list[list[tuple[TileIndex, PaintedTile]]] = [[] for _ in self.strips]
        for tile, sprites in self.place_sprites(scene).items():
            contents[self._strips_of_tiles[tile]].append((tile, self.paint_tile(tile, sprites)[0]))
        return [tuple(tiles) for tiles in contents]

    def strip_image(self, strip: int, contents: StripContents) -> Image.Image:
        """Return a strip as an image with a column of zeros at the left, the filters of a PNG's rows."""
        top, bottom = self.strips[strip]
        image = self.background_image.crop((-1, top, self._background.width, bottom))
        for tile, painted in contents:
            left, tile_top, _, _ = self._boxes[tile]
            image.paste(painted.image, (left + 1, tile_top - top))
            if left < 0:
                image.paste(0, (0, 0, 1, bottom - top))
        return image

    def bounding_box(self, tiles: Iterable[TileIndex]) -> tuple[int, int, int, int]:
        """Return the bounding box of `tiles` within the picture: left, top, right, bottom."""
        boxes = [self._boxes[tile] for tile in tiles]
        right = min(max(left + width for left, _, width, _ in boxes), self._background.width)
        bottom = min(max(top + height for _, top, _, height in boxes), self._background.height)
        return max(min(box[0] for box in boxes), 0), max(min(box[1] for box in boxes), 0), right, bottom

    def _places_in_tiles(
        self, bounds: Bounds, x: float, y: float
    ) -> tuple[tuple[TileIndex, float, float], ...]:
        """Return the tiles that a sprite with `bounds` at (x, y) overlaps, and its place in each."""
        left, top, right, bottom = bounds
        tiles = self._tiles_within((left + x, top + y, right + x, bottom + y))
        corners = ((tile, *self._boxes[tile][:2]) for tile in tiles)
        return tuple(
            (tile, round(x - tile_left, 3), round(y - tile_top, 3)) for tile, tile_left, tile_top in corners
        )

    def _tiles_within(self, bounds: Bounds) -> Iterable[TileIndex]:
        """Return the tiles that `bounds` overlap; in the status bar these are only panels."""
        if bounds[1] < self._panels_top:
            return self._grid_tiles.tiles_within(bounds)
        return [tile for tile in self.panel_tiles if _overlaps(bounds, self._boxes[tile])]

    def _paint_background(self) -> list[TileBackground]:
        """Paint `background_image`, and return the background of each tile."""
        backgrounds: list[TileBackground] = []
        unique: dict[bytes, TileBackground] = {}
        for box, shapes in zip(self._boxes, self._shapes_by_tile(), strict=True):
            background = TileBackground(box, tuple(shapes))
            image = self._paint(background, ()).image
            self.background_image.paste(image, box[:2])
            backgrounds.append(unique.setdefault(image.tobytes(), background))
        return backgrounds

    def _shapes_by_tile(self) -> list[list[Shape]]:
        """Return the background's shapes by the tiles that they overlap."""
        found: list[list[Shape]] = [[] for _ in self._boxes]
        for shape in self._background.shapes:
            for tile in self._grid_tiles.tiles_within(shape.bounds):
                found[tile].append(shape)
            for tile in self.panel_tiles:
                if _overlaps(shape.bounds, self._boxes[tile]):
                    found[tile].append(shape)
        return found

    def _paint(self, background: TileBackground, sprites: tuple[TileSprite, ...]) -> PaintedTile:
        """Paint a tile; one without shapes, such as a panel, only where its sprites are."""
        if background.shapes or not sprites:
            return PaintedTile(self._paint_part(background.box, background.shapes, sprites))
        _, _, width, height = background.box
        left, top, right, bottom = _covered_part(sprites, width, height)
        moved = [(sprite, x - left, y - top) for sprite, x, y in sprites]
        image = Image.new("L", (width, height), self._fill_index)
        image.paste(self._paint_part((left, top, right - left, bottom - top), (), moved), (left, top))
        return PaintedTile(image)

    def _paint_part(
        self, part: PixelRect, shapes: Iterable[Shape], sprites: Iterable[TileSprite]
    ) -> Image.Image:
        """Paint a part of the picture: shapes of the background, then sprites at places within the part."""
        left, top, width, height = part
        canvas = Canvas(width, height, _SUPERSAMPLING, self._background.fill)
        for shape in shapes:
            canvas.draw(shape, -left, -top)
        for sprite, x, y in sprites:
            for shape in sprite.shapes:
                canvas.draw(shape, x, y)
        painted = canvas.to_image().quantize(palette=self._palette_image, dither=Image.Dither.NONE)
        return Image.frombytes("L", painted.size, painted.tobytes())


class _GridTiles:
    """The squares of a grid that cover a picture, numbered row by row."""

    def __init__(self, grid: Grid, width: int, height: int) -> None:
        cell_size = grid.cell_size
        self._x, self._y, self._cell_size = (
            grid.x % cell_size - cell_size,
            grid.y % cell_size - cell_size,
            cell_size,
        )
        self._columns = ceil((width - self._x) / cell_size)
        self._rows = ceil((height - self._y) / cell_size)

    def edges(self, bottom: int) -> range:
        """Return the edges between the rows of squares that are above `bottom`, from the top."""
        return range(self._y + self._cell_size, bottom, self._cell_size)

    def boxes(self) -> Iterator[PixelRect]:
        """Return every square as left, top, width and height."""
        for row in range(self._rows):
            for column in range(self._columns):
                yield (
                    self._x + column * self._cell_size,
                    self._y + row * self._cell_size,
                    self._cell_size,
                    self._cell_size,
                )

    def tiles_within(self, bounds: Bounds) -> list[TileIndex]:
        """Return the squares that `bounds` overlap."""
        left, top, right, bottom = bounds
        columns = _index_range(left - self._x, right - self._x, self._cell_size, self._columns)
        rows = _index_range(top - self._y, bottom - self._y, self._cell_size, self._rows)
        return [TileIndex(row * self._columns + column) for row in rows for column in columns]


def _index_range(near: float, far: float, cell_size: int, count: int) -> range:
    return range(max(floor(near / cell_size), 0), min(ceil(far / cell_size), count))


def _covered_part(sprites: tuple[TileSprite, ...], width: int, height: int) -> tuple[int, int, int, int]:
    """Return the part of a tile that `sprites` may change: left, top, right, bottom.

    A shape may be drawn up to a pixel larger than its bounds.
    """
    bounds = [(sprite.bounds, x, y) for sprite, x, y in sprites]
    left = min(floor(box[0] + x) for box, x, _ in bounds) - 1
    top = min(floor(box[1] + y) for box, _, y in bounds) - 1
    right = max(ceil(box[2] + x) for box, x, _ in bounds) + 1
    bottom = max(ceil(box[3] + y) for box, _, y in bounds) + 1
    return max(left, 0), max(top, 0), min(right, width), min(bottom, height)


def _overlaps(bounds: Bounds, box: PixelRect) -> bool:
    left, top, width, height = box
    return bounds[0] < left + width and bounds[2] > left and bounds[1] < top + height and bounds[3] > top


@lru_cache(maxsize=16)
def tile_cache_for(background: Background) -> TileCache:
    """Return the painted tiles of `background`; the latest backgrounds are cached."""
    return TileCache(background)
