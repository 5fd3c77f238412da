"""What a legal move of Morelli does, told as events in the order in which it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Event, EventKind
from engine.morelli.board import board
from engine.morelli.editions import Phase
from engine.morelli.judging import OTHER

if TYPE_CHECKING:
    from engine.morelli.judging import Effect
    from engine.morelli.moves import Placement, Slide
    from engine.morelli.position import MorelliPosition


def slide(position: MorelliPosition, move: Slide, does: Effect) -> tuple[Event, ...]:
    """Tell the slide `move`, which does what `does` says."""
    on, mover = board(position.size), position.turn
    taken, spared, images, occupies = does
    events = [Event(EventKind.MOVE, mover, (move.track.origin, move.track.landing))]
    if taken:
        events.append(Event(EventKind.CAPTURE, mover, on.names(taken)))
    if spared:
        events.append(Event(EventKind.DECLINE_CAPTURE, OTHER[mover], on.names(spared)))
    if occupies:
        events.append(Event(EventKind.OCCUPY, mover, (on.centre, *on.names(images))))
    elif images:
        events.append(Event(EventKind.DECLINE_OCCUPY, mover, (on.centre,)))
    return tuple(events)


def placement(position: MorelliPosition, move: Placement) -> tuple[Event, ...]:
    """Tell a placement; of a pair, one's own piece comes first."""
    mover = position.turn
    own = Event(EventKind.PLACE, mover, (move.cell,))
    if position.phase is not Phase.PAIRS:
        return (own,)
    return (own, Event(EventKind.PLACE, OTHER[mover], (board(position.size).opposite[move.cell],)))
