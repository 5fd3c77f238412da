"""A scene as PNG: plots are drawn once, large, then shrunk, and pasted ever after."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from render.plots import plots

if TYPE_CHECKING:
    from PIL import Image

    from render.scene import Scene

_DEFLATE = 6


def png(scene: Scene) -> bytes:
    """Paint `scene` as a PNG with the palette of its ground. Safe to call from several threads at once."""
    picture, file = paint(scene), BytesIO()
    picture.putpalette(plots(scene.ground).colours)
    picture.save(file, "PNG", compress_level=_DEFLATE)
    return file.getvalue()


def paint(scene: Scene) -> Image.Image:
    """Paint `scene` as a fresh image of mode L whose pixels are numbers of its ground's palette."""
    ground = plots(scene.ground)
    picture = ground.picture.copy()
    for plot, stamps in ground.spread(scene).items():
        picture.paste(*ground.tile(plot, stamps))
    return picture
