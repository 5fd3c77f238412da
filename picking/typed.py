"""A turn as a person types it, followed as far as it goes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from picking.steps import Stand

if TYPE_CHECKING:
    from engine.game import Event, Move, Position

# Spaces around the signs inside one move do not part moves.
INSIDE = re.compile(r"\s*([-~,+\u2010-\u2015\u2212])\s*")


def parted(text: str) -> list[str]:
    """Part what was typed into moves, at spaces and semicolons."""
    return INSIDE.sub(r"\1", text).replace(";", " ").split()


def typed(start: Position, text: str) -> Stand:
    """Give what a typed turn leads to from `start`: one move, or several placements of one run.

    Nothing is asked any more, also where the turn takes more moves than were typed. Raises GameError for the
    first move that the game refuses.
    """
    moves: list[Move] = []
    events: list[Event] = []
    position = start
    for one in parted(text):
        move = position.parse(one)
        moves.append(move)
        events += position.events(move)
        position = position.play(move)
    return Stand(start, position, tuple(moves), tuple(events), (), None, start.due)
