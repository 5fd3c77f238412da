"""The events of a legal turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Event, EventKind
from engine.morabaraba.board import get_board

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morabaraba.moves import MorabarabaTurn
    from engine.morabaraba.state import MorabarabaState


def events_of(position: MorabarabaState, turn: MorabarabaTurn) -> Iterator[Event]:
    """Yield the placement or step, each mill that it closes, and the removal or its declining.

    The side is the mover; for CAPTURE it is the owner of the removed man.
    """
    board, mover = get_board(), position.mover
    end = board.cell_at[turn.end]
    if turn.start:
        yield Event(EventKind.MOVE, mover, (board.cell_at[turn.start], end))
    else:
        yield Event(EventKind.PLACE, mover, (end,))
    men = position.own.men & ~turn.start | turn.end
    for line, mill in zip(board.lines, board.mills, strict=True):
        if mill & turn.end and men & mill == mill:
            yield Event(EventKind.MILL, mover, line)
    if turn.removed:
        yield Event(EventKind.CAPTURE, position.opponent, (board.cell_at[turn.removed],))
    elif turn.declines_removal:
        yield Event(EventKind.DECLINE_CAPTURE, mover)
