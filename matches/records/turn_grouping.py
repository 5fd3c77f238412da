"""Grouping of moves into turns: the moves of one set-up run are one turn."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING

from matches.records.values import ReplayTurn
from matches.view_builder import completes_turn, decide_result, swap_seats, swaps_sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Outcome
    from matches.match_view import PlayedMove


def group_turns(
    first: ReplayTurn,
    moves: Iterable[PlayedMove],
    outcome: Outcome | None,
    reason: str,
    comments: Iterable[str] = repeat(""),
) -> tuple[ReplayTurn, ...]:
    """Return `first`, the turn before the first move, and the turns after it; the last may be incomplete.

    With a `reason` the game is over after the last one. `comments` are those of the moves.
    """
    turns: list[ReplayTurn] = [first]
    pending: list[tuple[PlayedMove, str]] = []
    before = first.position
    for move, comment in zip(moves, comments, strict=False):
        pending.append((move, comment))
        if completes_turn(before, move.position):
            turns.append(_build_turn(turns[-1], pending))
            pending = []
        before = move.position
    if pending:
        turns.append(_build_turn(turns[-1], pending))
    result = decide_result(outcome, reason, turns[-1].seats) if reason else None
    return (*turns[:-1], replace(turns[-1], result=result))


def _build_turn(before: ReplayTurn, played: Sequence[tuple[PlayedMove, str]]) -> ReplayTurn:
    moves = [move for move, _ in played]
    events = tuple(event for move in moves for event in move.events)
    return ReplayTurn(
        number=before.number + 1,
        position=moves[-1].position,
        seats=swap_seats(before.seats) if swaps_sides(events) else before.seats,
        side=before.position.to_move,
        move_texts=tuple(move.text for move in moves),
        events=events,
        comment="\n".join(comment for _, comment in played if comment),
    )
