"""Scenes as an animated GIF.

Every Discord client plays a GIF inline; of an animated PNG Discord keeps only the first frame, and lossless
animated WebP takes many times as long to write. Each frame after the first holds only the box that changed,
with the unchanged pixels in it transparent.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import ceil
from typing import TYPE_CHECKING

from PIL import GifImagePlugin, Image, ImageChops

from render.png import paint_scene
from render.renderers import build_scene
from render.tiles import tile_cache_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Event, Position
    from render.options import RenderOptions
    from render.scene import Scene
    from render.tiles import TileCache, TileContents

    PositionAfterTurn = tuple[Position, tuple[Event, ...]]

_UNCHANGED = 255
"""The palette index of a pixel that does not change."""

GifFrame = tuple[Image.Image, tuple[int, int]]
"""A frame and its upper left corner."""


def to_gif(scenes: Sequence[Scene], pause: int = 700, final_pause: int = 3000) -> bytes:
    """Return `scenes` as a GIF that repeats: each for `pause` milliseconds, the last for `final_pause`.

    Raises ValueError if there is no scene or if the scenes have different backgrounds.
    """
    if not scenes:
        raise ValueError("An animation needs a scene.")
    background = scenes[0].background
    if any(scene.background != background for scene in scenes):
        raise ValueError("The scenes of an animation share one background.")
    pauses = [*[pause] * (len(scenes) - 1), final_pause]
    parts = [_header(scenes[0])]
    for (picture, position), duration in zip(_frames(scenes), pauses, strict=True):
        parts += GifImagePlugin.getdata(
            picture, position, transparency=_UNCHANGED, duration=duration, disposal=1
        )
    return b"".join((*parts, b";"))


def _header(scene: Scene) -> bytes:
    """Return the GIF header: the size, a palette of 256 colours, and the extension that makes it repeat."""
    colours = tile_cache_for(scene.background).palette_values
    screen = struct.pack("<6sHHBBB", b"GIF89a", scene.background.width, scene.background.height, 0xF7, 0, 0)
    loop_extension = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return screen + bytes(colours).ljust(3 * 256, b"\0") + loop_extension


def _frames(scenes: Sequence[Scene]) -> Iterator[GifFrame]:
    """Return the whole first scene, then for each scene what differs from the one before."""
    tiles = tile_cache_for(scenes[0].background)
    image = paint_scene(scenes[0])
    yield image.copy(), (0, 0)
    for before, after in pairwise(map(tiles.place_sprites, scenes)):
        yield _paint_changes(tiles, image, before, after)


def _paint_changes(
    tiles: TileCache, image: Image.Image, before: TileContents, after: TileContents
) -> GifFrame:
    """Update `image` from `before` to `after`; return the changed pixels, all others transparent."""
    changed = {tile for tile in before.keys() | after.keys() if before.get(tile) != after.get(tile)}
    if not changed:
        return Image.new("L", (1, 1), _UNCHANGED), (0, 0)
    box = tiles.bounding_box(changed)
    old = image.crop(box)
    new = old.copy()
    for tile in sorted(changed.union(tiles.panel_tiles)):
        painted, (x, y) = tiles.paint_tile(tile, after.get(tile, ()))
        new.paste(painted.image, (x - box[0], y - box[1]))
    image.paste(new, box[:2])
    mask = ImageChops.difference(old, new).point(_NONZERO_TO_MAX)
    picture = Image.new("L", new.size, _UNCHANGED)
    picture.paste(new, (0, 0), mask)
    return picture, box[:2]


_NONZERO_TO_MAX = [0, *[255] * 255]
"""A lookup table that maps every difference to 255."""


GIF_WIDTHS = (500, 400, 300, 200)  # pixels; the first that fits is taken
TURNS_PER_FRAME = (1, 2, 4, 8)  # the first that fits is taken
MAX_FRAMES = 500  # a longer game never shows every turn


@dataclass(frozen=True, slots=True)
class GameAnimation:
    """An animated GIF, `width` pixels wide, with a frame for every `turns_per_frame` turns."""

    gif: bytes
    width: int
    turns_per_frame: int


def animate_game(
    boards: Sequence[PositionAfterTurn], max_bytes: int, options: RenderOptions
) -> GameAnimation | None:
    """Return a game as an animation of at most `max_bytes` bytes; None if none is small enough.

    `boards` are the positions after each turn with its events; the width of `options` is not used, and
    `is_over` is about the last board.
    """
    min_turns = ceil(len(boards) / MAX_FRAMES)
    for turns, width in product(TURNS_PER_FRAME, GIF_WIDTHS):
        frame_options = replace(options, width=width)
        scenes = [
            build_scene(
                position,
                replace(
                    frame_options,
                    last_turn=events,
                    is_over=frame_options.is_over and position is boards[-1][0],
                ),
            )
            for position, events in _select_boards(boards, turns * min_turns)
        ]
        gif = to_gif(scenes)
        if len(gif) <= max_bytes:
            return GameAnimation(gif, width, turns * min_turns)
    return None


def _select_boards(boards: Sequence[PositionAfterTurn], step: int) -> list[PositionAfterTurn]:
    """Return every `step`-th board, and the last."""
    selected = list(boards[::step])
    return selected if selected[-1] is boards[-1] else [*selected, boards[-1]]
