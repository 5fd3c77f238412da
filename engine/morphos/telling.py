"""What a legal turn does, as events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Event, EventKind
from engine.morphos.moves import Kind

if TYPE_CHECKING:
    from engine.morphos.moves import Turn
    from engine.morphos.position import MorphosPosition

_KINDS = {
    Kind.PLACE: EventKind.PLACE,
    Kind.FLIP: EventKind.FLIP,
    Kind.SWAP: EventKind.SWAP,
    Kind.PASS: EventKind.PASS,
}


def told(position: MorphosPosition, turn: Turn) -> tuple[Event, ...]:
    """Give the captured stone put back, if one is, then the regular turn; `side` is always the mover."""
    cell_at, side = position.rules.board.cell_at, position.mover
    regular = Event(_KINDS[turn.kind], side, tuple(cell_at[at] for at in turn.points))
    if turn.restored is None:
        return (regular,)
    return (Event(EventKind.RESTORE, side, (cell_at[turn.restored],)), regular)
