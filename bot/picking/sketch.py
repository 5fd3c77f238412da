"""The picture of a picking dialogue: the board so far, and what is on offer marked on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.picking.narrowing import is_cell
from bot.picking.steps import foreseen, so_far
from engine.game import Ask, Cell, EventKind
from render import Mark, MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.picking.steps import Stand
    from bot.picking.wording import Offer
    from engine.game import Event, Position
    from render import View


def sketch(stand: Stand, offer: Offer, view: View) -> tuple[Position, View]:
    """Give the position to be painted, and `view` with what has been done and marks on what is on offer.

    Cells bear their names only where they themselves are in the menu.
    """
    position, events = so_far(stand)
    marks = tuple(_marks(stand, offer, moved=position is not stand.position))
    return position, replace(view, last=(*events, *_earned(stand)), marks=marks)


def _marks(stand: Stand, offer: Offer, *, moved: bool) -> Iterator[Mark]:
    if stand.choice is None:
        return
    for answer in filter(is_cell, () if moved else stand.path):
        yield Mark(MarkKind.CHOSEN, Cell(answer))
    kind = MarkKind.RINGED if offer.many else MarkKind.OPEN
    is_named = not offer.many and not offer.kind
    for cell in offer.cells:
        yield Mark(kind, Cell(cell), cell if is_named else "")


def _earned(stand: Stand) -> Iterator[Event]:
    """Give the occupation that is only asked, so that the stones that earn it can be seen."""
    if stand.choice is not None and stand.choice.ask is Ask.OCCUPY:
        move = foreseen(stand, "yes")
        if move is not None:
            yield from (one for one in stand.position.events(move) if one.kind is EventKind.OCCUPY)
