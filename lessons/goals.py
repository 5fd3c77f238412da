"""Goals of lesson tasks: conditions on a turn, as data, that the engine checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from engine.game import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.game import Event, Move, Position

# Events of these kinds are counted by their cells; all others count as one each.
COUNTED_BY_CELL = frozenset(
    {EventKind.PLACE, EventKind.CONVERT, EventKind.CAPTURE, EventKind.DECLINE_CONVERT, EventKind.FLIP}
)

WIN = "win"  # stands for a move that wins, where kinds of events are listed


@dataclass(frozen=True, slots=True)
class Goal:
    """Conditions on a turn; those that are given must all hold. Kinds are values of :class:`EventKind`.

    - `moves`: each move of the turn fits one of these patterns, in which ``*`` stands for any text.
    - `events`: the turn has exactly this number of each kind: pieces that are placed, converted, captured,
      spared or flipped, or else events.
    - `least`: the same, but at least this number.
    - `cells`: events of this kind name all these cells.
    - `outcome`: the result of the game after the turn.
    - `prevents`: no reply of the opponent has an event of any of these kinds, or, for :data:`WIN`, wins.
    - `prepares`: after every reply of the opponent there is a move that has such an event, or wins.
    """

    moves: Sequence[str] = ()
    events: Mapping[str, int] = field(default_factory=dict)
    least: Mapping[str, int] = field(default_factory=dict)
    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)
    outcome: str = ""
    prevents: Sequence[str] = ()
    prepares: Sequence[str] = ()

    def is_met(self, start: Position, moves: Sequence[Move]) -> bool:
        """Return whether the legal turn `moves` from `start` meets every condition."""
        position, events = play_turn(start, moves)
        counts = count_events(events)
        return (
            (not self.moves or all(any(fnmatchcase(str(move), one) for one in self.moves) for move in moves))
            and all(counts[kind] == number for kind, number in self.events.items())
            and all(counts[kind] >= number for kind, number in self.least.items())
            and all(set(cells) <= _cells_of(events, kind) for kind, cells in self.cells.items())
            and (not self.outcome or position.outcome == self.outcome)
            and self.refutation(position) is None
            and (not self.prepares or _is_prepared(position, self.prepares))
        )

    def refutation(self, position: Position) -> Move | None:
        """Return a reply in `position`, the one after the turn, that has an event which the goal prevents."""
        return _find_move(position, self.prevents) if self.prevents else None


def play_turn(start: Position, moves: Iterable[Move]) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after `moves`, and all their events."""
    position = start
    events: tuple[Event, ...] = ()
    for move in moves:
        events += position.events(move)
        position = position.play(move)
    return position, events


def count_events(events: Iterable[Event]) -> Counter[str]:
    """Return how many pieces or events of each kind there are; see :class:`Goal`."""
    counts = Counter[str]()
    for event in events:
        counts[event.kind] += len(event.cells) if event.kind in COUNTED_BY_CELL else 1
    return counts


def _cells_of(events: Iterable[Event], kind: str) -> set[str]:
    return {cell for event in events if event.kind == kind for cell in event.cells}


def _find_move(position: Position, kinds: Sequence[str]) -> Move | None:
    """Return the first legal move that has an event of one of these kinds, or wins; see :data:`WIN`."""
    return next((move for move in position.legal_moves() if _has_any(position, move, kinds)), None)


def _has_any(position: Position, move: Move, kinds: Sequence[str]) -> bool:
    if any(event.kind in kinds for event in position.events(move)):
        return True
    return WIN in kinds and str(position.play(move).outcome) == str(position.to_move)


def _is_prepared(position: Position, kinds: Sequence[str]) -> bool:
    replies = position.legal_moves()
    return bool(replies) and all(_find_move(position.play(reply), kinds) is not None for reply in replies)
