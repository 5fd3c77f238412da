"""Pictures as PNG.

Of a scene the plots are drawn once, large, then shrunk, and pasted ever after; a sheet is drawn as a whole.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image

from render.pen import Pen, ink
from render.plots import plots
from render.sheet import Sheet

if TYPE_CHECKING:
    from render.scene import Scene

_DEFLATE = 6
_SCALE = 4


def png(picture: Scene | Sheet) -> bytes:
    """Paint a scene or a sheet as a PNG with its palette. Safe to call from several threads at once."""
    painted, file = _drawn(picture) if isinstance(picture, Sheet) else _pasted(picture), BytesIO()
    painted.save(file, "PNG", compress_level=_DEFLATE)
    return file.getvalue()


def _pasted(scene: Scene) -> Image.Image:
    picture = paint(scene)
    picture.putpalette(plots(scene.ground).colours)
    return picture


def _drawn(sheet: Sheet) -> Image.Image:
    pen, palette = Pen(sheet.width, sheet.height, _SCALE, sheet.backdrop), Image.new("P", (1, 1))
    for shape in sheet.shapes:
        pen.draw(shape, 0, 0)
    palette.putpalette([part for colour in sheet.palette for part in ink(colour)[:3]])
    return pen.finish().quantize(palette=palette, dither=Image.Dither.NONE)


def paint(scene: Scene) -> Image.Image:
    """Paint `scene` as a fresh image of mode L whose pixels are numbers of its ground's palette."""
    ground = plots(scene.ground)
    picture = ground.picture.copy()
    for plot, stamps in ground.spread(scene).items():
        picture.paste(*ground.tile(plot, stamps))
    return picture
