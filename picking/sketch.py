"""The picture of a turn in the making: the board so far, and what is on offer marked on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import Ask, Cell, EventKind
from picking.steps import foreseen, is_cell, so_far
from render import Mark, MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Event, Position
    from picking.steps import Stand
    from render import View


def sketch(
    stand: Stand, view: View, cells: Sequence[str] = (), *, named: bool = False
) -> tuple[Position, View]:
    """Give the position to be painted, and `view` with what has been done and marks on what is on offer.

    `cells` are those of the offer; where they are `named`, each mark bears its cell's name.
    """
    position, events = so_far(stand)
    marks = tuple(_marks(stand, cells, named=named, moved=position is not stand.position))
    return position, replace(view, last=(*events, *_earned(stand)), marks=marks)


def _marks(stand: Stand, cells: Sequence[str], *, named: bool, moved: bool) -> Iterator[Mark]:
    if stand.choice is None:
        return
    for answer in filter(is_cell, () if moved else stand.path):
        yield Mark(MarkKind.CHOSEN, Cell(answer))
    kind = MarkKind.RINGED if stand.choice.many else MarkKind.OPEN
    for cell in cells:
        yield Mark(kind, Cell(cell), cell if named else "")


def _earned(stand: Stand) -> Iterator[Event]:
    """Give the occupation that is only asked, so that the stones that earn it can be seen."""
    if stand.choice is not None and stand.choice.ask is Ask.OCCUPY:
        move = foreseen(stand, "yes")
        if move is not None:
            yield from (one for one in stand.position.events(move) if one.kind is EventKind.OCCUPY)
