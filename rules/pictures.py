"""The pictures of a rule book, rendered from position lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import render
from engine.game import Cell, MoveChoice
from move_builder import is_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Game, Position
    from rules.content import Example


@dataclass(frozen=True, slots=True)
class RulePicture:
    """A picture as PNG, and its alt text: the caption and a text diagram."""

    png: bytes
    alt: str


def render_example(game: Game, example: Example, render_options: render.RenderOptions) -> RulePicture:
    """Render an example. Raises GameError if its position or move is invalid."""
    position, example_options = example_scene(game.load(example.position), example, render_options)
    scene = render.build_scene(position, example_options)
    return RulePicture(render.to_png(scene), f"{example.caption}\n{render.to_text(scene)}")


def example_scene(
    position: Position, example: Example, render_options: render.RenderOptions
) -> tuple[Position, render.RenderOptions]:
    """Return the position to render and the options with its last move or its marks."""
    if example.show:
        move = position.parse(example.show)
        return position.play(move), replace(render_options, last_turn=position.events(move))
    if example.path is not None:
        return position, replace(render_options, marks=tuple(_path_marks(position, tuple(example.path))))
    return position, render_options


def _path_marks(position: Position, path: tuple[str, ...]) -> Iterator[render.Mark]:
    """Yield marks for the cells in `path` and for the cells that can be selected next."""
    choice = position.next_choice(path)
    options = choice.options if isinstance(choice, MoveChoice) else ()
    for kind, answers in ((render.MarkKind.SELECTED, path), (render.MarkKind.SELECTABLE, options)):
        yield from (render.Mark(kind, Cell(answer)) for answer in answers if is_cell(answer))
