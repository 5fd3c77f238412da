"""The events of a legal move, in the order in which they happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Event, EventKind
from engine.morelli.board import get_board
from engine.morelli.editions import Phase
from engine.morelli.state import OPPONENT

if TYPE_CHECKING:
    from engine.morelli.effects import SlideEffect
    from engine.morelli.moves import Placement, Slide
    from engine.morelli.state import MorelliState


def slide_events(position: MorelliState, move: Slide, effect: SlideEffect) -> tuple[Event, ...]:
    """Return the events of the slide `move` with `effect`."""
    board, mover = get_board(position.size), position.mover
    captured, spared, frame, occupies = effect
    events = [Event(EventKind.MOVE, mover, (move.path.origin, move.path.landing))]
    if captured:
        events.append(Event(EventKind.CONVERT, mover, board.to_cells(captured)))
    if spared:
        events.append(Event(EventKind.DECLINE_CONVERT, OPPONENT[mover], board.to_cells(spared)))
    if occupies:
        events.append(Event(EventKind.OCCUPY, mover, (board.centre, *board.to_cells(frame))))
    elif frame:
        events.append(Event(EventKind.DECLINE_OCCUPY, mover, (board.centre,)))
    return tuple(events)


def placement_events(position: MorelliState, move: Placement) -> tuple[Event, ...]:
    """Return the events of a placement; for a pair, the mover's own piece comes first."""
    mover = position.mover
    own = Event(EventKind.PLACE, mover, (move.cell,))
    if position.phase is not Phase.PAIRS:
        return (own,)
    return (own, Event(EventKind.PLACE, OPPONENT[mover], (get_board(position.size).opposite[move.cell],)))
