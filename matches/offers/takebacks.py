"""Takebacks: the match continues from an earlier position; the moves remain stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.conditionals.hooks import invalidate_lines
from matches.errors import Refusal
from matches.hook_events import MovesTakenBack, join_columns
from matches.terms import parse_terms
from matches.view_builder import load_position_after, replay_moves, swaps_sides
from storage.match import matches, takebacks
from storage.match.takebacks import TakebackRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Position
    from matches.locking import LockedMatch
    from storage.match.packed_logs import MoveRow


async def check_takeback_allowed(locked: LockedMatch, account: str) -> int:
    """Return the ply to which a takeback of `account` returns.

    Raises `takebacks_not_allowed`, or `nothing_to_take_back` if `account` has not moved.
    """
    if not parse_terms(locked.row.terms).takebacks_allowed:
        raise Refusal("takebacks_not_allowed", match=locked.row.id)
    return _ply_before_last_turn(locked, await matches.list_moves(locked.connection, locked.row.id), account)


async def take_back(locked: LockedMatch, account: str) -> None:
    """Return to the position before the last turn of `account`, who is to move again.

    The moves since then leave the log, and a swap among them is undone.
    """
    log = await matches.list_moves(locked.connection, locked.row.id)
    ply = _ply_before_last_turn(locked, log, account)
    board = load_position_after(locked.game, locked.row, log[:ply])
    seats = _seats_after(locked, board, log[ply:])
    turn = log[ply - 1].turn + 1 if ply else 1
    number = locked.row.takebacks + 1
    await takebacks.take_back(locked.connection, locked.row.id, TakebackRow(number, ply, account, locked.now))
    turn_makers = {move.turn: move.person for move in log[ply:] if move.ply <= locked.row.turn_ply}
    taken_back = MovesTakenBack(tuple(turn_makers.values()), log[ply].person)
    await locked.change(
        board,
        ply=ply,
        turn=turn,
        turn_ply=ply,
        takebacks=number,
        changed_at=locked.now,
        **seats,
        **join_columns(hook.on_takeback(locked, taken_back) for hook in locked.hooks),
    )
    await invalidate_lines(locked)


def _ply_before_last_turn(locked: LockedMatch, log: Sequence[MoveRow], account: str) -> int:
    """Return the ply before the last complete turn of `account`. Raises `nothing_to_take_back`."""
    turns = (move.turn for move in log if move.person == account and move.ply <= locked.row.turn_ply)
    turn = max(turns, default=None)
    if turn is None:
        raise Refusal("nothing_to_take_back", match=locked.row.id)
    return sum(move.turn < turn for move in log)


def _seats_after(locked: LockedMatch, board: Position, log: Sequence[MoveRow]) -> dict[str, str]:
    """Return the changed columns of the seats if a swap is undone; `log` are the moves taken back."""
    people = {seat.person.account: seat.person for seat in locked.seats}
    moves = replay_moves(board, log, people)
    if not swaps_sides(event for move in moves for event in move.events):
        return {}
    return {"first": locked.row.second, "second": locked.row.first}
