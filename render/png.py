"""Scenes and drawings as PNG.

The tiles of a scene are painted once and then pasted from a cache; a drawing is painted as a whole.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image

from render.canvas import Canvas, to_rgba
from render.scene import Drawing
from render.tiles import tile_cache_for

if TYPE_CHECKING:
    from render.scene import Scene

_DEFLATE = 6
_SUPERSAMPLING = 4


def to_png(picture: Scene | Drawing) -> bytes:
    """Return a scene or a drawing as a PNG with a palette. Several threads may call this at once."""
    painted, file = (
        _paint_drawing(picture) if isinstance(picture, Drawing) else _paint_with_palette(picture),
        BytesIO(),
    )
    painted.save(file, "PNG", compress_level=_DEFLATE)
    return file.getvalue()


def _paint_with_palette(scene: Scene) -> Image.Image:
    picture = paint_scene(scene)
    picture.putpalette(tile_cache_for(scene.background).palette_values)
    return picture


def _paint_drawing(drawing: Drawing) -> Image.Image:
    canvas, palette = (
        Canvas(drawing.width, drawing.height, _SUPERSAMPLING, drawing.fill),
        Image.new("P", (1, 1)),
    )
    for shape in drawing.shapes:
        canvas.draw(shape, 0, 0)
    palette.putpalette([part for colour in drawing.palette for part in to_rgba(colour)[:3]])
    return canvas.to_image().quantize(palette=palette, dither=Image.Dither.NONE)


def paint_scene(scene: Scene) -> Image.Image:
    """Return `scene` as a new image of mode L; its pixels are indexes of the background's palette."""
    tiles = tile_cache_for(scene.background)
    picture = tiles.background_image.copy()
    for tile, sprites in tiles.place_sprites(scene).items():
        picture.paste(*tiles.paint_tile(tile, sprites))
    return picture
