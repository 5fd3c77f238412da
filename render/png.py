"""Scenes and drawings as PNG.

The tiles of a scene are painted once and then pasted from a cache. Each strip of tiles across the picture is
compressed by itself and cached too, because a turn changes few of them. A drawing is painted as a whole.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image

from render.canvas import Canvas, to_rgba
from render.png_file import compress_rows, format_png
from render.scene import Drawing
from render.tiles import tile_cache_for

if TYPE_CHECKING:
    from render.png_file import CompressedRows
    from render.scene import Scene
    from render.tiles import StripContents, TileCache

CACHED_STRIPS = 1024  # of about a kilobyte each; a board has 10 to 18
_DEFLATE = 6


def to_png(picture: Scene | Drawing) -> bytes:
    """Return a scene or a drawing as a PNG with a palette. Several threads may call this at once."""
    if isinstance(picture, Drawing):
        file = BytesIO()
        _paint_drawing(picture).save(file, "PNG", compress_level=_DEFLATE)
        return file.getvalue()
    tiles = tile_cache_for(picture.background)
    strips = (
        encode_strip(tiles, strip, contents) for strip, contents in enumerate(tiles.paint_strips(picture))
    )
    return format_png(picture.background.width, picture.background.height, tiles.palette_values, strips)


@lru_cache(maxsize=CACHED_STRIPS)
def encode_strip(tiles: TileCache, strip: int, contents: StripContents) -> CompressedRows:
    """Return a strip of a picture, compressed."""
    return compress_rows(tiles.strip_image(strip, contents).tobytes())


def _paint_drawing(drawing: Drawing) -> Image.Image:
    canvas = Canvas(drawing.width, drawing.height, drawing.enlargement, drawing.fill)
    palette = Image.new("P", (1, 1))
    for shape in drawing.shapes:
        canvas.draw(shape, 0, 0)
    palette.putpalette([part for colour in drawing.palette for part in to_rgba(colour)[:3]])
    return canvas.to_image().quantize(palette=palette, dither=Image.Dither.NONE)


def paint_scene(scene: Scene) -> Image.Image:
    """Return `scene` as a new image of mode L; its pixels are indexes of the background's palette."""
    tiles = tile_cache_for(scene.background)
    picture = tiles.background_image.copy()
    for tile, sprites in tiles.place_sprites(scene).items():
        painted, corner = tiles.paint_tile(tile, sprites)
        picture.paste(painted.image, corner)
    return picture
