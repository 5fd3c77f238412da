"""The pictures of a rule book, each made from its position line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import render
from engine.game import Cell, Choice
from picking import is_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.rules.book import Example
    from engine.game import Game, Position


@dataclass(frozen=True, slots=True)
class Plate:
    """One picture of a page as PNG, and `alt`, which tells the same in words and signs."""

    png: bytes
    alt: str


def plate(game: Game, example: Example, view: render.View) -> Plate:
    """Paint an example as `view` asks for it. Raises GameError where its position or move is none."""
    position, shown = exposed(game.load(example.position), example, view)
    scene = render.scene(position, shown)
    return Plate(render.png(scene), f"{example.caption}\n{render.text(scene)}")


def exposed(position: Position, example: Example, view: render.View) -> tuple[Position, render.View]:
    """Give the position to be painted for an example, and the view with its last move or its marks."""
    if example.show:
        move = position.parse(example.show)
        return position.play(move), replace(view, last=position.events(move))
    if example.path is not None:
        return position, replace(view, marks=tuple(_marks(position, tuple(example.path))))
    return position, view


def _marks(position: Position, path: tuple[str, ...]) -> Iterator[render.Mark]:
    """Mark the cells of the answers in `path`, and the cells that can be answered next."""
    choice = position.choice(path)
    options = choice.options if isinstance(choice, Choice) else ()
    for kind, answers in ((render.MarkKind.CHOSEN, path), (render.MarkKind.OPEN, options)):
        yield from (render.Mark(kind, Cell(answer)) for answer in answers if is_cell(answer))
