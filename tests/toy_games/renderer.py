"""The renderer: a chequered board with the stones of two sides, for both games."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from render import Scene
from render.highlights import BoardHighlights
from render.layout import BoardLayout, build_background
from render.scene import Box, PlacedSprite
from render.status_bar import StatusBar
from render.stones import stone_sprite
from render.themes import build_palette, get_theme, mix

if TYPE_CHECKING:
    from engine.game import Side
    from render import RenderOptions
    from render.scene import Background, Colour
    from render.themes import ThemeColours
    from tests.toy_games.board import LetterPosition


def build_scene(position: LetterPosition, options: RenderOptions) -> Scene:
    """Return the scene of a position."""
    sides, stones = position.game.sides, position.stones
    is_flipped = options.bottom_side is sides[1]
    layout = BoardLayout(position.game.size, options.width, is_flipped, large_labels=options.large_labels)
    theme = get_theme(options.theme)
    highlights = BoardHighlights(layout, theme, options, stones, layout.cell_width)
    status_bar = StatusBar(
        tuple((side, str(len(position.cells_of(side)))) for side in sides),
        None if options.is_over else position.to_move,
        position.outcome,
        options.last_turn,
    )
    sprites = (
        *highlights.below_stones(),
        *(
            PlacedSprite(
                stone_sprite(theme.piece_colours(side), layout.cell_width),
                *layout.centre(cell),
                is_piece=True,
            )
            for cell, side in stones.items()
        ),
        *highlights.on_stones(),
        *highlights.above_stones(),
        *status_bar.sprites(layout, theme),
    )
    legend = ", ".join(f"{side[0]} {side}" for side in sides)
    symbols = {cell: side[0] for cell, side in stones.items()}
    diagram = layout.diagram(symbols, (legend, *status_bar.text_lines()))
    title = position.game.name.capitalize()
    return Scene(_build_background(layout, theme, sides), sprites, title, diagram, status_bar.counts)


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
