"""The picture of a picking dialogue: the board so far, and what is on offer marked on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.picking.narrowing import is_cell
from bot.picking.steps import foreseen, so_far
from engine.game import Ask, Cell, EventKind
from render import Mark, MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bot.picking.steps import Stand
    from engine.game import Event, Position
    from render import View

# Questions about stones that may change; they are ringed, all else is marked as open.
ABOUT_TO_CHANGE = frozenset({Ask.CAPTURES, Ask.REMOVE, Ask.FLIP})


def sketch(stand: Stand, offered: Iterable[str], view: View) -> tuple[Position, View]:
    """Give the position to be painted, and `view` with what has been done and marks on `offered`."""
    position, events = so_far(stand)
    marks = tuple(_marks(stand, offered, moved=position is not stand.position))
    return position, replace(view, last=(*events, *_earned(stand)), marks=marks)


def _marks(stand: Stand, offered: Iterable[str], *, moved: bool) -> Iterator[Mark]:
    if stand.choice is None:
        return
    if stand.path and is_cell(stand.path[-1]) and not moved:
        yield Mark(MarkKind.CHOSEN, Cell(stand.path[-1]))
    kind = MarkKind.RINGED if stand.choice.ask in ABOUT_TO_CHANGE else MarkKind.OPEN
    for cell in offered:
        yield Mark(kind, Cell(cell), cell if kind is MarkKind.OPEN else "")


def _earned(stand: Stand) -> Iterator[Event]:
    """Give the occupation that is only asked, so that the stones that earn it can be seen."""
    if stand.choice is not None and stand.choice.ask is Ask.OCCUPY:
        move = foreseen(stand, "yes")
        if move is not None:
            yield from (one for one in stand.position.events(move) if one.kind is EventKind.OCCUPY)
