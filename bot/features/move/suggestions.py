"""Moves proposed while somebody types: those that fit the text so far, the most telling first."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import render
from engine.game import EventKind, GameError
from render import RenderOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Move, Position
    from matches import MatchView

MAX_SUGGESTIONS = 25
# With two stones a turn on a large board there are millions of moves; the best are sought among so many.
MAX_RANKED = 1000

# How much it counts for a proposal that a move does such a thing, for each cell.
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
# Kinds that count once, however many cells they name.
COUNTED_ONCE = frozenset({EventKind.OCCUPY, EventKind.MILL})


def suggest_moves(position: Position, typed: Sequence[str]) -> list[str]:
    """Return at most 25 texts, each the whole of what would then be typed.

    All but the last word of `typed` are played first, as far as they are legal and due; the
    last is what the proposed move begins with. After a complete word the next move is proposed too.
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
    """Order moves: what captures or occupies first, then what lands nearer the middle, then by text."""
    centre = _find_centre(position)
    return sorted(
        moves, key=lambda move: (-_weigh(position, move), _distance(position, move, centre), str(move))
    )


def example_move(view: MatchView) -> str:
    """Return a legal move as an example of how one is written; empty without a board."""
    return "" if view.position is None else view.position.example_move


def _weigh(position: Position, move: Move) -> int:
    return sum(
        EVENT_WEIGHTS.get(event.kind, 0) * (1 if event.kind in COUNTED_ONCE else max(1, len(event.cells)))
        for event in position.events(move)
    )


def _distance(position: Position, move: Move, centre: tuple[float, float]) -> float:
    """Return how far from the middle the move lands, as a king walks; events name their cells in order."""
    cells = next((event.cells for event in position.events(move) if event.cells), ())
    if not cells:
        return 0
    file, rank = _coordinates(cells[-1])
    return max(abs(file - centre[0]), abs(rank - centre[1]))


def _find_centre(position: Position) -> tuple[float, float]:
    """Return the middle of the board, in files and ranks from 0, from how it is drawn."""
    diagram = render.build_scene(position, RenderOptions()).diagram
    return (len(diagram.files) - 1) / 2, (len(diagram.ranks) - 1) / 2


def _coordinates(cell: str) -> tuple[int, int]:
    return ord(cell[0]) - ord("A"), int(cell[1:]) - 1
