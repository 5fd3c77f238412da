"""Positions of Morphos from diagrams, with the top rank first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Cell, position_text
from engine.morphos import MORPHOS

if TYPE_CHECKING:
    from engine.morphos import MorphosPosition


def from_diagram(
    diagram: str, *, mutators: str = "-", mover: str = "b", turns: int = 10, extra: str = "-"
) -> MorphosPosition:
    """Return the position of a diagram: ``.`` is an empty point, ``b`` and ``w`` are stones."""
    ranks = position_text.format_rows("".join(row.split()) for row in diagram.split("\n") if row.strip())
    return MORPHOS.load(f"morphos {mutators} {ranks} {mover} {turns} {extra}")


def cells(*names: str) -> tuple[Cell, ...]:
    """Return `names` as cells."""
    return tuple(map(Cell, names))


def flip_texts(position: MorphosPosition) -> set[str]:
    """Return the legal flips as text."""
    return {str(move) for move in position.legal_moves() if str(move).startswith("x")}


def move_texts(position: MorphosPosition) -> list[str]:
    """Return all legal turns as text."""
    return list(map(str, position.legal_moves()))


def play_moves(position: MorphosPosition, *moves: str) -> MorphosPosition:
    """Return the position after `moves`."""
    for text in moves:
        position = position.play(position.parse(text))
    return position
