"""Grouping of moves into turns: the moves of one set-up run are one turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from matches.records.values import ReplayTurn
from matches.view_builder import completes_turn, decide_result, swap_seats, swaps_sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Event, Outcome, Position
    from matches.view_builder import Seats


@dataclass(frozen=True, slots=True)
class AnnotatedMove:
    """A move: its text, its events, the position after it, and a comment."""

    text: str
    events: tuple[Event, ...]
    position: Position
    comment: str = ""


def group_turns(
    first: ReplayTurn, moves: Iterable[AnnotatedMove], outcome: Outcome | None, reason: str
) -> tuple[ReplayTurn, ...]:
    """Return `first`, the turn before the first move, and the turns after it; the last may be incomplete.

    With a `reason` the game is over after the last one.
    """
    turns, pending = [first], list[AnnotatedMove]()
    before = first.position
    for move in moves:
        pending.append(move)
        if completes_turn(before, move.position):
            turns.append(_build_turn(turns[-1], pending))
            pending = []
        before = move.position
    if pending:
        turns.append(_build_turn(turns[-1], pending))
    result = decide_result(outcome, reason, turns[-1].seats) if reason else None
    return (*turns[:-1], replace(turns[-1], result=result))


def initial_turn(position: Position, seats: Seats, comment: str = "") -> ReplayTurn:
    """Return turn 0: the initial position."""
    return ReplayTurn(number=0, position=position, seats=seats, comment=comment)


def _build_turn(before: ReplayTurn, moves: Sequence[AnnotatedMove]) -> ReplayTurn:
    events = tuple(event for step in moves for event in step.events)
    return ReplayTurn(
        number=before.number + 1,
        position=moves[-1].position,
        seats=swap_seats(before.seats) if swaps_sides(events) else before.seats,
        side=before.position.to_move,
        move_texts=tuple(step.text for step in moves),
        events=events,
        comment="\n".join(step.comment for step in moves if step.comment),
    )
