"""Scenes one after another as one animated picture.

The format is GIF: every Discord client plays it inline; of an animated PNG Discord keeps the first
picture only, and lossless animated WebP takes many times as long to make. A picture after the first holds
only the box that changed, and in it only the pixels that changed.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import TYPE_CHECKING

from PIL import GifImagePlugin, Image, ImageChops

from render.plots import plots
from render.raster import paint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from render.plots import Plots, Spread
    from render.scene import Scene

_CLEAR = 255
"""The palette's number for a pixel that stays as it was."""

Frame = tuple[Image.Image, tuple[int, int]]
"""A picture and its upper left corner."""


def animation(scenes: Sequence[Scene], pause: int = 700, rest: int = 3000) -> bytes:
    """Give `scenes` as a GIF that runs for ever: each for `pause` milliseconds, the last for `rest`.

    Raises ValueError where there is no scene, or where they do not share one ground.
    """
    if not scenes:
        raise ValueError("An animation needs a scene.")
    ground = scenes[0].ground
    if any(scene.ground != ground for scene in scenes):
        raise ValueError("The scenes of an animation share one ground.")
    pauses = [*[pause] * (len(scenes) - 1), rest]
    parts = [_head(scenes[0])]
    for (picture, corner), wait in zip(_frames(scenes), pauses, strict=True):
        parts += GifImagePlugin.getdata(picture, corner, transparency=_CLEAR, duration=wait, disposal=1)
    return b"".join((*parts, b";"))


def _head(scene: Scene) -> bytes:
    """Give what comes before the pictures: the size, a palette of 256 colours, and that they repeat."""
    colours = plots(scene.ground).colours
    screen = struct.pack("<6sHHBBB", b"GIF89a", scene.ground.width, scene.ground.height, 0xF7, 0, 0)
    again = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return screen + bytes(colours).ljust(3 * 256, b"\0") + again


def _frames(scenes: Sequence[Scene]) -> Iterator[Frame]:
    """Give the first scene whole, then of each what differs from the one before, and where."""
    ground = plots(scenes[0].ground)
    shown = paint(scenes[0])
    yield shown.copy(), (0, 0)
    for before, after in pairwise(map(ground.spread, scenes)):
        yield _change(ground, shown, before, after)


def _change(ground: Plots, shown: Image.Image, before: Spread, after: Spread) -> Frame:
    """Bring `shown` up to date; give the pixels that had to change, all others clear."""
    changed = {plot for plot in before.keys() | after.keys() if before.get(plot) != after.get(plot)}
    if not changed:
        return Image.new("L", (1, 1), _CLEAR), (0, 0)
    box = ground.around(changed)
    old = shown.crop(box)
    new = old.copy()
    for plot in sorted(changed.union(ground.panels)):
        tile, (x, y) = ground.tile(plot, after.get(plot, ()))
        new.paste(tile, (x - box[0], y - box[1]))
    shown.paste(new, box[:2])
    differs = ImageChops.difference(old, new).point(_ANY)
    picture = Image.new("L", new.size, _CLEAR)
    picture.paste(new, (0, 0), differs)
    return picture, box[:2]


_ANY = [0, *[255] * 255]
"""Turns every difference into a full one."""
