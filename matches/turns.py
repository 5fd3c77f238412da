"""Turns: one move, or the placements of a set-up run, all of them or none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from matches.concerns import End, Turned
from matches.errors import NothingPlayed, NotYourTurn, TooManyMoves
from matches.moving import moved
from matches.reading import Recent, completes, read_told, seat_of, with_told
from matches.steps import AnnouncementKind
from matches.times import millis, moment
from matches.values import MatchState, Played, Reason
from storage import matches
from storage.matches import MoveRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Position
    from matches.holding import Held, Holder
    from matches.steps import Announcement, Turn
    from matches.values import MatchId, Person
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
            details = await _answer(held, turned)
            announcement = await held.announce(
                AnnouncementKind.TURN, _called(held), first_ply, details=details
            )
            if details:
                return await _with_replies(held, announcement)
            return await held.turn(announcement, Recent(last=turned.moves) if whole else None)


async def _make(held: Held, texts: Sequence[str]) -> Turned:
    """Have `held.person` play what the texts say, and write it."""
    before = held.board()
    _refuse_out_of_turn(held, before)
    _refuse_number(held, before, len(texts))
    moves = _play(held, before, texts)
    turned = Turned(held.person, before, tuple(moves), complete=_completes(before, moves))
    await _write(held, turned)
    return turned


async def _answer(held: Held, turned: Turned) -> Mapping[str, int]:
    """Carry out what was settled beforehand for as long as it goes on.

    Give what is told of it: how many `replies` that made, the last of which may be that somebody `resigned`.
    """
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
    if not replies:
        return {}
    resigned = held.row.reason == Reason.RESIGNED
    return {"replies": replies, "resigned": 1} if resigned else {"replies": replies}


async def _with_replies(held: Held, announcement: Announcement) -> Turn:
    """Give the match as it now stands, with all turns that are told together."""
    turn = await held.turn(announcement)
    told = await read_told(held.connection, held.game, held.row, announcement)
    return replace(turn, match=with_told(turn.match, told))


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
    return [
        Played(
            ply=held.row.ply + number,
            turn=held.row.turn,
            side=held.seat.side,
            person=held.person,
            text=move.text,
            events=move.events,
            position=move.position,
            at=moment(held.now),
        )
        for number, move in enumerate(moved(held.row.id, position, texts), start=1)
    ]


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
    """Give whoever is to move now, or, when the match is over, whoever did not act."""
    seat = None if held.row.state == MatchState.OVER else seat_of(held.seats, held.board().to_move)
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
