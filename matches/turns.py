"""Turns: one move, or the placements of a set-up run, all of them or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, GameError, NotationError
from matches.errors import MoveIllegal, MoveOpen, MoveUnreadable, NothingPlayed, NotYourTurn, TooManyMoves
from matches.reading import Recent, completes, seat_of, swaps
from matches.times import millis, moment
from matches.values import AnnouncementKind, MatchState, Played, Reason
from storage import matches
from storage.matches import MoveRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from engine.game import Move, Position
    from matches.holding import Held, Holder
    from matches.values import MatchId, Person, Turn
    from storage.statements import Value


class Turns:
    """The turns of matches."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder

    async def play(
        self,
        match: MatchId,
        person: Person,
        texts: Sequence[str],
        seen_ply: int | None,
        *,
        exact: bool,
        now: datetime,
    ) -> Turn:
        """Play what the texts say and commit it."""
        async with self._holder.hold(match, person, now) as held:
            position = held.board()
            held.refuse_stale(seen_ply, held.row.ply, held.row.ply if exact else held.row.turn_ply)
            _refuse_out_of_turn(held, position)
            _refuse_number(held, position, len(texts))
            moves = _play(held, position, texts)
            return await _commit(held, moves, complete=_completes(position, moves))


def _refuse_out_of_turn(held: Held, position: Position) -> None:
    seat = seat_of(held.seats, position.to_move)
    if seat is None or seat.person.account != held.person.account:
        raise NotYourTurn(match=held.row.id, name="" if seat is None else seat.person.name)


def _refuse_number(held: Held, position: Position, given: int) -> None:
    if given == 0:
        raise NothingPlayed(match=held.row.id, due=position.due)
    if given > position.due:
        raise TooManyMoves(match=held.row.id, due=position.due, given=given)


def _play(held: Held, position: Position, texts: Sequence[str]) -> list[Played]:
    """Play every text from `position`; nothing is stored yet. Raises MoveRefused."""
    moves: list[Played] = []
    for index, text in enumerate(texts):
        move = _parse(held, position, index, text)
        events = position.events(move)
        position = position.play(move)
        moves.append(
            Played(
                ply=held.row.ply + index + 1,
                turn=held.row.turn,
                side=held.seat.side,
                person=held.person,
                text=str(move),
                events=events,
                position=position,
                at=moment(held.now),
            )
        )
    return moves


def _parse(held: Held, position: Position, index: int, text: str) -> Move:
    try:
        return position.parse(text)
    except NotationError as error:
        raise MoveUnreadable(held.row.id, index, text, error) from error
    except AmbiguousMove as error:
        raise MoveOpen(held.row.id, index, text, error) from error
    except GameError as error:
        raise MoveIllegal(held.row.id, index, text, error) from error


def _completes(position: Position, moves: Sequence[Played]) -> bool:
    before = moves[-2].position if len(moves) > 1 else position
    return completes(before, moves[-1].position)


async def _commit(held: Held, moves: Sequence[Played], *, complete: bool) -> Turn:
    """Write the moves, the new state and, after a complete turn, what is to be told."""
    first_ply = held.row.turn_ply + 1
    rows = [_row(move) for move in moves]
    changes = _changes(held, moves, complete=complete)
    await held.change(moves[-1].position, position=rows[-1].position, **changes)
    await matches.add_moves(held.connection, held.row.id, rows)
    if not complete:
        return await held.turn(None)
    announcement = await held.announce(AnnouncementKind.TURN, _called(held), first_ply)
    whole = first_ply == moves[0].ply
    return await held.turn(announcement, Recent(last=tuple(moves)) if whole else None)


def _changes(held: Held, moves: Sequence[Played], *, complete: bool) -> dict[str, Value]:
    """Give the columns that change beside the board: the count, the seats, the result; an offer dies."""
    last = moves[-1]
    changes: dict[str, Value] = {
        "ply": last.ply,
        "turn": held.row.turn + int(complete),
        "turn_ply": last.ply if complete else held.row.turn_ply,
        "offer": None,
        "offer_declined": False,
        "changed_at": held.now,
    }
    if swaps(event for move in moves for event in move.events):
        changes |= {"first": held.row.second, "second": held.row.first}
    if last.position.outcome is not None:
        changes |= {
            "state": MatchState.OVER,
            "outcome": last.position.outcome,
            "reason": Reason.PLAYED,
        }
    return changes


def _called(held: Held) -> tuple[Person, ...]:
    """Give whoever is to move now, or, when the game is over, whoever did not end it."""
    seat = seat_of(held.seats, held.board().to_move)
    return (held.other,) if seat is None else (seat.person,)


def _row(move: Played) -> MoveRow:
    return MoveRow(
        ply=move.ply,
        turn=move.turn,
        side=move.side,
        person=move.person.account,
        text=move.text,
        position=str(move.position),
        played_at=millis(move.at),
    )
