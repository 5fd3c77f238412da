"""Morabaraba positions from the names of their men."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Cell
from engine.morabaraba import MORABARABA_VERSIONS
from tests.engine.morabaraba_oracle import MorabarabaOracle

if TYPE_CHECKING:
    from engine import Event, EventKind
    from engine.morabaraba import MorabarabaPosition


def from_men(
    white: str,
    red: str,
    *,
    side: str = "w",
    hands: tuple[int, int] = (0, 0),
    extra: str = "-",
    men: int = 12,
    version: int = 2,
) -> MorabarabaPosition:
    """Return a position with men on the named points, which are separated by spaces."""
    stones = dict.fromkeys(white.split(), "w") | dict.fromkeys(red.split(), "r")
    line = MorabarabaOracle(men, stones, side, dict(zip("wr", hands, strict=True))).line()
    return MORABARABA_VERSIONS[version].load(line.removesuffix("-") + extra)


def move_texts(position: MorabarabaPosition, start: str = "") -> list[str]:
    """Return the legal turns whose text begins with `start`."""
    return [str(move) for move in position.legal_moves() if str(move).startswith(start)]


def play_moves(position: MorabarabaPosition, *moves: str) -> MorabarabaPosition:
    """Return the position after `moves`."""
    for text in moves:
        position = position.play(position.parse(text))
    return position


def events_of_kind(position: MorabarabaPosition, text: str, kind: EventKind) -> list[Event]:
    """Return the events of one kind in the turn `text`."""
    return [event for event in position.events(position.parse(text)) if event.kind is kind]


def cells(*names: str) -> tuple[Cell, ...]:
    """Return `names` as cells."""
    return tuple(map(Cell, names))
