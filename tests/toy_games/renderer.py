"""The renderer: a chequered board with the stones of two sides, for both games."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from render.board_scene import build_board_scene
from render.layout import BoardLayout, build_background
from render.scene import Box
from render.themes import build_palette, get_theme, mix

if TYPE_CHECKING:
    from engine.game import Side
    from render import RenderOptions, Scene
    from render.scene import Background, Colour
    from render.themes import ThemeColours
    from tests.toy_games.board import LetterPosition


def build_scene(position: LetterPosition, options: RenderOptions) -> Scene:
    """Return the scene of a position."""
    sides, stones = position.game.sides, position.stones
    is_flipped = options.bottom_side is sides[1]
    layout = BoardLayout(position.game.size, options.width, is_flipped, large_labels=options.large_labels)
    background = _build_background(layout, get_theme(options.theme), sides)
    counts = ((side, len(position.cells_of(side))) for side in sides)
    return build_board_scene(position, options, layout, background, stones, counts)


@lru_cache(maxsize=8)
def _build_background(layout: BoardLayout, theme: ThemeColours, sides: tuple[Side, Side]) -> Background:
    size = layout.cell_width
    light, dark = theme.board, mix(theme.board, theme.board_lines, 0.4)
    cells = (
        Box(
            layout.left + column * size,
            layout.top + row * size,
            size,
            size,
            dark if (row + column) % 2 else light,
        )
        for row in range(layout.size)
        for column in range(layout.size)
    )
    adjacent = [(colour, other) for colour in (light, dark) for other in (theme.ink, theme.light)]
    shadow = mix(theme.board, theme.ink, 0.3)
    colours: tuple[Colour, ...] = (*theme.common_colours(*sides), light, dark, shadow)
    return build_background(layout, theme, cells, build_palette(colours, theme, adjacent))
