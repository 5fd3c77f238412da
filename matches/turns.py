"""Turns: one move, or the placements of a set-up run, all of them or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, GameError, NotationError
from matches.concerns import End, Turned
from matches.errors import MoveIllegal, MoveOpen, MoveUnreadable, NothingPlayed, NotYourTurn, TooManyMoves
from matches.reading import Recent, completes, seat_of
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
            held.board()
            held.refuse_stale(seen_ply, held.row.ply, held.row.ply if exact else held.row.turn_ply)
            first_ply = held.row.turn_ply + 1
            whole = held.row.turn_ply == held.row.ply
            turned = await _make(held, texts)
            if not turned.complete:
                return await held.turn(None)
            replies = await _answer(held, turned)
            announcement = await held.announce(
                AnnouncementKind.TURN,
                _called(held),
                first_ply,
                details={"replies": replies} if replies else {},
            )
            recent = Recent(last=turned.moves) if whole and not replies else None
            return await held.turn(announcement, recent)


async def _make(held: Held, texts: Sequence[str]) -> Turned:
    """Have `held.person` play what the texts say, and write it."""
    before = held.board()
    _refuse_out_of_turn(held, before)
    _refuse_number(held, before, len(texts))
    moves = _play(held, before, texts)
    turned = Turned(held.person, before, tuple(moves), complete=_completes(before, moves))
    await _write(held, turned)
    return turned


async def _answer(held: Held, turned: Turned) -> int:
    """Carry out what was settled beforehand for as long as it goes on; give how many turns that made."""
    replies, person = 0, held.person
    while held.row.state != MatchState.OVER:
        reply = await held.concerns.reply(held, turned)
        if reply is None:
            break
        replies += 1
        held.person = reply.person
        if not reply.texts:
            await held.end(End(held.win(held.other), Reason.RESIGNED))
            break
        turned = await _make(held, reply.texts)
    held.person = person
    return replies


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


async def _write(held: Held, turned: Turned) -> None:
    """Write the moves and the new state, and have everybody do what follows."""
    rows = [_row(move) for move in turned.moves]
    await held.change(turned.position, position=rows[-1].position, **_changes(held, turned))
    await matches.add_moves(held.connection, held.row.id, rows)
    await held.concerns.after_turn(held, turned)
    if turned.position.outcome is not None:
        await held.concerns.after_end(held, End(turned.position.outcome, Reason.PLAYED))


def _changes(held: Held, turned: Turned) -> dict[str, Value]:
    """Give the columns that change beside the board: the count, the seats, the result, and others' own."""
    ply, outcome = turned.moves[-1].ply, turned.position.outcome
    changes: dict[str, Value] = {
        "ply": ply,
        "turn": held.row.turn + int(turned.complete),
        "turn_ply": ply if turned.complete else held.row.turn_ply,
        "changed_at": held.now,
        **held.concerns.turned(held, turned),
    }
    if turned.swapped:
        changes |= {"first": held.row.second, "second": held.row.first}
    if outcome is not None:
        changes |= {
            "state": MatchState.OVER,
            "outcome": outcome,
            "reason": Reason.PLAYED,
            **held.concerns.ended(held, End(outcome, Reason.PLAYED)),
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
