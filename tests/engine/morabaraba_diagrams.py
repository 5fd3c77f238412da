"""Morabaraba positions from the names of their men."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Cell
from engine.morabaraba import MORABARABA
from tests.engine.morabaraba_oracle import Oracle

if TYPE_CHECKING:
    from engine import Event, EventKind
    from engine.morabaraba import MorabarabaPosition


def placed(
    white: str, red: str, *, side: str = "w", hands: tuple[int, int] = (0, 0), extra: str = "-", men: int = 12
) -> MorabarabaPosition:
    """Put men on the points named, parted by spaces."""
    stones = dict.fromkeys(white.split(), "w") | dict.fromkeys(red.split(), "r")
    line = Oracle(men, stones, side, dict(zip("wr", hands, strict=True))).line()
    return MORABARABA.load(line.removesuffix("-") + extra)


def texts(position: MorabarabaPosition, start: str = "") -> list[str]:
    """Give the legal turns, or those that begin with `start`, as text."""
    return [str(move) for move in position.legal_moves() if str(move).startswith(start)]


def after(position: MorabarabaPosition, *moves: str) -> MorabarabaPosition:
    """Give the position after some turns."""
    for text in moves:
        position = position.play(position.parse(text))
    return position


def told(position: MorabarabaPosition, text: str, kind: EventKind) -> list[Event]:
    """Give the events of one kind in the turn `text`."""
    return [event for event in position.events(position.parse(text)) if event.kind is kind]


def cells(*names: str) -> tuple[Cell, ...]:
    """Give names as cells."""
    return tuple(map(Cell, names))
