"""The renderer: a chequered board."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Side
from render import Scene, register_renderer
from render.board_scene import build_board_scene
from render.layout import BoardLayout, build_background
from render.scene import Box
from render.themes import build_palette, get_theme, mix
from tests.toy_game.game import BREAKTHROUGH, SIZE

if TYPE_CHECKING:
    from render import RenderOptions
    from render.scene import Background, Colour
    from render.themes import ThemeColours
    from tests.toy_game.game import BreakthroughPosition


def build_scene(position: BreakthroughPosition, options: RenderOptions) -> Scene:
    """Return the scene of a position."""
    layout = BoardLayout(
        SIZE, options.width, options.bottom_side is Side.BLACK, large_labels=options.large_labels
    )
    background, stones = _build_background(layout, get_theme(options.theme)), position.stones
    counts = ((side, len(position.cells_of(side))) for side in BREAKTHROUGH.sides)
    return build_board_scene(position, options, layout, background, stones, position.letter_at, counts)


@lru_cache(maxsize=8)
def _build_background(layout: BoardLayout, theme: ThemeColours) -> Background:
    size = layout.cell_width
    cells = (
        Box(
            layout.left + column * size,
            layout.top + row * size,
            size,
            size,
            _cell_colour(theme, dark=(row + column) % 2 == 1),
        )
        for row in range(SIZE)
        for column in range(SIZE)
    )
    colours = [_cell_colour(theme, dark=dark) for dark in (False, True)]
    touching = [(colour, other) for colour in colours for other in (theme.ink, theme.light)]
    shadow = mix(theme.board, theme.ink, 0.3)
    palette = build_palette((*theme.common_colours(*BREAKTHROUGH.sides), *colours, shadow), theme, touching)
    return build_background(layout, theme, cells, palette)


def _cell_colour(theme: ThemeColours, *, dark: bool) -> Colour:
    return mix(theme.board, theme.board_lines, 0.4) if dark else theme.board


register_renderer(BREAKTHROUGH.name, build_scene)
