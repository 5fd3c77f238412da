"""Pictures as PNG.

Of a scene the plots are drawn once, large, then shrunk, and pasted ever after; a sheet is drawn as a whole.
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
    """Paint a scene or a sheet as a PNG with its palette. Safe to call from several threads at once."""
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
    """Paint `scene` as a fresh image of mode L whose pixels are numbers of its ground's palette."""
    tiles = tile_cache_for(scene.background)
    picture = tiles.background_image.copy()
    for tile, sprites in tiles.place_sprites(scene).items():
        picture.paste(*tiles.paint_tile(tile, sprites))
    return picture
