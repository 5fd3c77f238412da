"""Positions of Morelli from diagrams, seen from Black's side with the top rank first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Cell, position_text
from engine.cells import cell
from engine.morelli import MORELLI

if TYPE_CHECKING:
    from engine import EventKind
    from engine.morelli import MorelliPosition


def from_diagram(
    diagram: str, *, edition: str = "nestor", turn: str = "b", phase: str = "-"
) -> MorelliPosition:
    """Return the position of a diagram.

    ``.`` is an empty cell, ``b`` and ``w`` are stones, ``B`` and ``W`` are towers on the Centre.
    """
    ranks = position_text.format_rows("".join(row.split()) for row in diagram.split("\n") if row.strip())
    return MORELLI.load(f"morelli {edition} {ranks} {turn} {phase}")


def from_stones(
    black: str, white: str, *, size: int = 13, edition: str = "nestor", turn: str = "b", tower: str = ""
) -> MorelliPosition:
    """Return a position with stones on the named cells (separated by spaces) and a tower, ``B`` or ``W``."""
    signs = dict.fromkeys(black.split(), "b") | dict.fromkeys(white.split(), "w")
    if tower:
        signs[cell(size // 2, size // 2)] = tower
    ranks = ([signs.get(cell(file, rank), ".") for file in range(size)] for rank in reversed(range(size)))
    return MORELLI.load(f"morelli {edition} {position_text.format_rows(ranks)} {turn} -")


def move_texts(position: MorelliPosition, start: str = "") -> set[str]:
    """Return the legal moves, or those from one cell, as text."""
    return {
        str(move) for move in position.legal_moves() if str(move).startswith(f"{start}-" if start else "")
    }


def slide_targets(position: MorelliPosition, start: str) -> set[str]:
    """Return the cells that the stone on `start` can slide to."""
    return {text.partition("-")[2].partition("~")[0] for text in move_texts(position, start)}


def event_cells(position: MorelliPosition, text: str, kind: EventKind) -> set[Cell]:
    """Return the cells of the events of one kind in the move `text`."""
    events = position.events(position.parse(text))
    return {name for event in events if event.kind is kind for name in event.cells}
