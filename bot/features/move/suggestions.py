"""Move suggestions for autocomplete: the moves that match the typed text, best first."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import render
from engine.game import EventKind, GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Move, Position

MAX_SUGGESTIONS = 25
# A turn of two stones on a large board has millions of moves; only the first ones are ranked.
MAX_RANKED = 1000

# The weight of an event in the ranking, for each of its cells.
EVENT_WEIGHTS = {
    EventKind.OCCUPY: 100,
    EventKind.CAPTURE: 40,
    EventKind.MILL: 30,
    EventKind.CONVERT: 20,
    EventKind.FLIP: 10,
    EventKind.DECLINE_CONVERT: -25,
    EventKind.DECLINE_OCCUPY: -150,
    EventKind.DECLINE_CAPTURE: -50,
    EventKind.PASS: -50,
}
# Kinds whose weight counts once, however many cells they name.
COUNTED_ONCE = frozenset({EventKind.OCCUPY, EventKind.MILL})


def suggest_moves(position: Position, typed: Sequence[str]) -> list[str]:
    """Return at most 25 suggestions, each a full replacement of the typed text.

    All but the last word of `typed` are played as moves; the suggested move starts with the last word.
    Returns nothing if one of them is illegal or completes the turn.
    """
    played: list[str] = []
    for text in typed[:-1]:
        try:
            move = position.parse(text)
        except GameError:
            return []
        played.append(str(move))
        if position.moves_due < 2:
            return []
        position = position.play(move)
    fitting = list(islice(position.moves_with_prefix(typed[-1] if typed else ""), MAX_RANKED))
    return [" ".join([*played, str(move)]) for move in rank_moves(position, fitting)[:MAX_SUGGESTIONS]]


def rank_moves(position: Position, moves: Sequence[Move]) -> list[Move]:
    """Sort moves by the weight of their events, then by distance to the centre, then by text."""
    centre = _find_centre(position)
    return sorted(
        moves, key=lambda move: (-_weigh(position, move), _distance(position, move, centre), str(move))
    )


def _weigh(position: Position, move: Move) -> int:
    return sum(
        EVENT_WEIGHTS.get(event.kind, 0) * (1 if event.kind in COUNTED_ONCE else max(1, len(event.cells)))
        for event in position.events(move)
    )


def _distance(position: Position, move: Move, centre: tuple[float, float]) -> float:
    """Return the king's distance from the last cell of the move's first event to the centre."""
    cells = next((event.cells for event in position.events(move) if event.cells), ())
    if not cells:
        return 0
    file, rank = _coordinates(cells[-1])
    return max(abs(file - centre[0]), abs(rank - centre[1]))


def _find_centre(position: Position) -> tuple[float, float]:
    """Return the centre of the board in files and ranks from 0, taken from its diagram."""
    diagram = render.build_scene(position, render.RenderOptions(render.NO_WORDS)).diagram
    return (len(diagram.files) - 1) / 2, (len(diagram.ranks) - 1) / 2


def _coordinates(cell: str) -> tuple[int, int]:
    return ord(cell[0]) - ord("A"), int(cell[1:]) - 1
