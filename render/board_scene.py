"""The scene of a board from what a game's renderer gives: its layout, its pieces and its numbers."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from render.highlights import BoardHighlights
from render.scene import PlacedSprite, Scene
from render.status_bar import StatusBar
from render.stones import stone_sprite
from render.themes import get_theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.game import Cell, Position, Side
    from render.layout import BoardLayout
    from render.options import RenderOptions
    from render.scene import Background

NO_SYMBOLS: Mapping[Cell, str] = MappingProxyType({})


def build_board_scene(
    position: Position,
    options: RenderOptions,
    layout: BoardLayout,
    background: Background,
    stones: Mapping[Cell, Side],
    counts: Iterable[tuple[Side, int | str]],
    *,
    symbols: Mapping[Cell, str] = NO_SYMBOLS,
    empty: str = ".",
    stone_size: float | None = None,
    lowest: Iterable[PlacedSprite] = (),
    above: Iterable[PlacedSprite] = (),
    notes: Iterable[str] = (),
) -> Scene:
    """Return the scene of a position: stones, highlights and status bar, with a title and a diagram.

    `stone_size` is the cell width for which stones are drawn, by default that of the layout. A game's own
    sprites are the `lowest`, or `above` the stones. `counts` are the numbers of the status bar. In the
    diagram a stone is the initial of its side; other cells are `empty` (a blank if there is none), except
    those with `symbols` of their own, which the game's text ``picture.legend`` explains. `notes` are more
    lines below it. The title is the text ``picture.title``.
    """
    words, vocabulary, theme = options.words, position.vocabulary, get_theme(options.theme)
    size = layout.cell_width if stone_size is None else stone_size
    highlights, status_bar = (
        BoardHighlights(layout, theme, options, stones, size),
        StatusBar.create(position, options, counts),
    )
    pieces = {side: stone_sprite(theme.piece_colours(side), size) for side in set(stones.values())}
    sprites = (
        *lowest,
        *highlights.below_stones(),
        *(PlacedSprite(pieces[side], *layout.centre(cell), is_piece=True) for cell, side in stones.items()),
        *highlights.on_stones(),
        *above,
        *highlights.above_stones(),
        *status_bar.sprites(layout, theme),
    )
    legend = words.for_game(vocabulary, "picture.legend")
    game = words(f"game.{position.game.name}.name")
    return Scene(
        background,
        sprites,
        words.for_game(vocabulary, "picture.title", game=game, size=layout.size),
        layout.diagram(
            {**{cell: side[0] for cell, side in stones.items()}, **symbols},
            (legend, *notes, *status_bar.text_lines(words)),
            empty,
        ),
        status_bar.counts,
    )
