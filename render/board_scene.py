"""The scene of a board from what a game's renderer gives: its sprites, its symbols and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from render.scene import Scene
from render.status_bar import StatusBar
from render.themes import get_theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.game import Cell, Position, Side
    from render.layout import BoardLayout
    from render.options import RenderOptions
    from render.scene import Background, PlacedSprite


def build_board_scene(
    position: Position,
    options: RenderOptions,
    layout: BoardLayout,
    background: Background,
    sprites: Iterable[PlacedSprite],
    symbol_of: Callable[[Cell], str],
    counts: Iterable[tuple[Side, int | str]],
    notes: Iterable[str] = (),
) -> Scene:
    """Return the scene of a position with a status bar, a title and a diagram.

    `symbol_of` returns a character for each cell of the diagram, a blank where there is none; the game's text
    ``picture.legend`` explains them. `counts` are the numbers of the status bar, `notes` more lines below the
    diagram. The title is the game's text ``picture.title``.
    """
    words, vocabulary = options.words, position.vocabulary
    status_bar = StatusBar.create(position, options, counts)
    legend = words.for_game(vocabulary, "picture.legend")
    game = words(f"game.{position.game.name}.name")
    return Scene(
        background,
        (*sprites, *status_bar.sprites(layout, get_theme(options.theme))),
        words.for_game(vocabulary, "picture.title", game=game, size=layout.size),
        layout.diagram(symbol_of, (legend, *notes, *status_bar.text_lines(words))),
        status_bar.counts,
    )
