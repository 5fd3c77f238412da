"""The events of a legal turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Event, EventKind
from engine.morphos.moves import TurnKind

if TYPE_CHECKING:
    from engine.morphos.moves import MorphosTurn
    from engine.morphos.state import MorphosState

_EVENT_KINDS = {
    TurnKind.PLACE: EventKind.PLACE,
    TurnKind.FLIP: EventKind.FLIP,
    TurnKind.SWAP: EventKind.SWAP,
    TurnKind.PASS: EventKind.PASS,
}


def events_of(position: MorphosState, turn: MorphosTurn) -> tuple[Event, ...]:
    """Return the event of the restored stone, if there is one, and that of the regular turn.

    The side of every event is the mover.
    """
    cell_at, side = position.rules.board.cell_at, position.mover
    regular = Event(_EVENT_KINDS[turn.kind], side, tuple(cell_at[point] for point in turn.points))
    if turn.restored is None:
        return (regular,)
    return (Event(EventKind.RESTORE, side, (cell_at[turn.restored],)), regular)
