"""What a legal turn does, as events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Event, EventKind
from engine.morabaraba.board import board

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morabaraba.moves import Turn
    from engine.morabaraba.position import MorabarabaPosition


def told(position: MorabarabaPosition, turn: Turn) -> Iterator[Event]:
    """Give the placement or step, every mill it closes, then the man removed or the removal declined.

    `side` is the mover, for REMOVE the owner of the man removed.
    """
    on, mover = board(), position.mover
    end = on.cell_at[turn.end]
    if turn.start:
        yield Event(EventKind.MOVE, mover, (on.cell_at[turn.start], end))
    else:
        yield Event(EventKind.PLACE, mover, (end,))
    men = position.own.men & ~turn.start | turn.end
    for line, mill in zip(on.lines, on.mills, strict=True):
        if mill & turn.end and men & mill == mill:
            yield Event(EventKind.MILL, mover, line)
    if turn.removed:
        yield Event(EventKind.REMOVE, position.other, (on.cell_at[turn.removed],))
    elif turn.declines:
        yield Event(EventKind.DECLINE_REMOVE, mover)
