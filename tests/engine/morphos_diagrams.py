"""Morphos positions drawn as they look, the top rank first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Cell, rows
from engine.morphos import MORPHOS

if TYPE_CHECKING:
    from engine.morphos import MorphosPosition


def drawn(
    picture: str, *, mutators: str = "-", mover: str = "b", turns: int = 10, extra: str = "-"
) -> MorphosPosition:
    """Read a picture: ``.`` an empty point, ``b`` and ``w`` stones."""
    ranks = rows.write("".join(row.split()) for row in picture.split("\n") if row.strip())
    return MORPHOS.load(f"morphos {mutators} {ranks} {mover} {turns} {extra}")


def cells(*names: str) -> tuple[Cell, ...]:
    """Give names as cells."""
    return tuple(map(Cell, names))


def flips(position: MorphosPosition) -> set[str]:
    """Give the legal flips as text."""
    return {str(move) for move in position.legal_moves() if str(move).startswith("x")}


def texts(position: MorphosPosition) -> list[str]:
    """Give all legal turns as text."""
    return list(map(str, position.legal_moves()))


def after(position: MorphosPosition, *moves: str) -> MorphosPosition:
    """Give the position after some turns."""
    for text in moves:
        position = position.play(position.parse(text))
    return position
