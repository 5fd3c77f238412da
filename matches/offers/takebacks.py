"""Taking moves back: the match goes on from an earlier board, and what was played stays known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.concerns import Undone
from matches.offers.errors import NothingToTakeBack, TakebacksExcluded
from matches.reading import first_board, replay, swaps
from matches.terms import read_terms
from storage import matches, takebacks
from storage.takebacks import TakebackRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Position
    from matches.holding import Held
    from storage.matches import MoveRow


async def refuse_takeback(held: Held, account: str) -> None:
    """Raise TakebacksExcluded, or NothingToTakeBack where `account` has no move to take back."""
    if not read_terms(held.row.terms).takeback:
        raise TakebacksExcluded(match=held.row.id)
    _last_turn(held, await matches.moves(held.connection, held.row.id), account)


async def take_back(held: Held, account: str) -> None:
    """Go back to before the last turn in which `account` moved.

    The moves since then leave the log; the people sit as they sat then, and whoever was to move is so again.
    """
    log = await matches.moves(held.connection, held.row.id)
    ply = _last_turn(held, log, account)
    board, seats = _board_after(held, log[:ply]), _seats_after(held, log, ply)
    turn = log[ply - 1].turn + 1 if ply else 1
    number = held.row.takebacks + 1
    await takebacks.take(held.connection, held.row.id, TakebackRow(number, ply, account, held.now))
    await held.change(
        board,
        ply=ply,
        turn=turn,
        turn_ply=ply,
        takebacks=number,
        changed_at=held.now,
        **seats,
        **held.concerns.taken_back(held, _undone(held, log[ply:])),
    )
    await held.concerns.after_taken_back(held)


def _undone(held: Held, log: Sequence[MoveRow]) -> Undone:
    whole = {move.turn: move.person for move in log if move.ply <= held.row.turn_ply}
    return Undone(tuple(whole.values()), log[0].person)


def _last_turn(held: Held, log: Sequence[MoveRow], account: str) -> int:
    """Give the ply before the last turn in which `account` moved. Raises NothingToTakeBack."""
    turn = max((move.turn for move in log if move.person == account), default=None)
    if turn is None:
        raise NothingToTakeBack(match=held.row.id)
    return sum(move.turn < turn for move in log)


def _board_after(held: Held, log: Sequence[MoveRow]) -> Position:
    return held.game.load(log[-1].position) if log else first_board(held.game, held.row)


def _seats_after(held: Held, log: Sequence[MoveRow], ply: int) -> dict[str, str]:
    """Give the columns of the seats as they were after a ply, if they were other than now."""
    people = {seat.person.account: seat.person for seat in held.seats}
    undone = replay(_board_after(held, log[:ply]), log[ply:], people)
    if not swaps(event for move in undone for event in move.events):
        return {}
    return {"first": held.row.second, "second": held.row.first}
