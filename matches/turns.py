"""Playing turns and resigning. A turn is one move, or several placements of a set-up run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, GameError, NotationError, TypedTurn
from matches.errors import MoveAmbiguous, MoveIllegal, MoveUnreadable, Refusal, TooManyMoves
from matches.hook_events import MatchEnded, TurnPlayed, join_columns
from matches.match_view import LoggedMove, PlayedMove
from matches.times import from_millis, to_millis
from matches.updates import AnnouncementKind
from matches.values import EndReason, MatchState
from matches.view_builder import (
    RecentMoves,
    completes_turn,
    load_announced_turns,
    load_position_after,
    seat_for_side,
    with_announced_turns,
)
from storage.match import matches
from storage.match.packed_logs import MoveRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Move, Position
    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import Announcement, MatchUpdate
    from matches.values import MatchId, Person
    from storage.statements import ColumnValue


class MatchActions:
    """What the players of a match do on their own: play and resign."""

    def __init__(self, locker: MatchLocker) -> None:
        self._locker = locker

    async def play(
        self,
        match: MatchId,
        person: Person,
        move_texts: Sequence[str],
        seen_revision: int | None,
        *,
        latest_only: bool,
        now: datetime,
    ) -> MatchUpdate:
        """Play moves. Raises as :meth:`matches.Matches.play` does."""
        async with self._locker.lock_for(match, person, now) as locked:
            locked.board()
            row = locked.row
            if await _replaces_unfinished_turn(locked, len(move_texts)):
                locked.check_revision(seen_revision, row.turn_ply)
                await _rewind(locked, row.turn_ply)
            else:
                locked.check_revision(seen_revision, row.ply, row.ply if latest_only else row.turn_ply)
            first_ply = locked.row.turn_ply + 1
            is_from_turn_start = locked.row.turn_ply == locked.row.ply
            turn = await _play_turn(locked, move_texts, is_typed=True)
            if not turn.is_complete:
                return await locked.make_update(None, readers=(person.account,))
            details = await _play_conditional_replies(locked, turn)
            announcement = await locked.announce(
                AnnouncementKind.TURN, _announcement_recipients(locked), first_ply, details=details
            )
            if details:
                return await _update_with_replies(locked, announcement)
            return await locked.make_update(
                announcement, RecentMoves(last_turn=turn.moves) if is_from_turn_start else None
            )

    async def undo(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Undo a move of an unfinished turn. Raises as :meth:`matches.Matches.undo` does."""
        async with self._locker.lock_for(match, person, now) as locked:
            locked.board()
            if locked.row.ply == locked.row.turn_ply or locked.row.mover != person.account:
                raise Refusal("nothing_to_undo", match=match)
            await _rewind(locked, locked.row.ply - 1)
            return await locked.make_update(None, readers=(person.account,))

    async def resign(
        self, match: MatchId, person: Person, *, seen_revision: int | None = None, now: datetime
    ) -> MatchUpdate:
        """Resign. Raises as :meth:`matches.Matches.resign` does."""
        async with self._locker.lock_for(match, person, now) as locked:
            locked.check_revision(seen_revision, locked.row.turn_ply)
            await locked.end(MatchEnded(locked.winning_outcome(locked.opponent), EndReason.RESIGNED))
            return await locked.make_update(
                await locked.announce(AnnouncementKind.RESIGNED, (locked.opponent,))
            )


async def _play_turn(locked: LockedMatch, move_texts: Sequence[str], *, is_typed: bool = False) -> TurnPlayed:
    """Play moves for `locked.person` and write them; with `is_typed` they are words as a person typed them.

    Raises `not_your_turn`, `no_move_given`, TooManyMoves, MoveRefused.
    """
    before = locked.board()
    _check_turn(locked, before)
    turn_read = before.read_turn(move_texts) if is_typed else TypedTurn(list(move_texts), None)
    _check_move_count(locked, before, len(turn_read.texts))
    moves = _log_moves(locked, play_typed_turn(locked.row.id, before, turn_read))
    turn = TurnPlayed(locked.person, before, tuple(moves), is_complete=_completes_turn(before, moves))
    await _store_turn(locked, turn)
    return turn


async def _replaces_unfinished_turn(locked: LockedMatch, given: int) -> bool:
    """Return whether so many moves are a whole turn, in place of the unfinished one of `locked.person`."""
    row = locked.row
    if row.ply == row.turn_ply or row.mover != locked.person.account or given <= locked.board().moves_due:
        return False
    return given == (await locked.load_turn_start()).moves_due


async def _rewind(locked: LockedMatch, ply: int) -> None:
    """Remove the moves after `ply`, all of which belong to the unfinished turn."""
    if ply == locked.row.turn_ply:
        board = await locked.load_turn_start()
    else:
        recent = await matches.list_recent_moves(locked.connection, locked.row.id, ply)
        board = load_position_after(locked.game, locked.row, recent)
    await locked.change(board, ply=ply)
    await matches.remove_moves_after(locked.connection, locked.row.id, ply)


async def _play_conditional_replies(locked: LockedMatch, turn: TurnPlayed) -> Mapping[str, int]:
    """Play saved conditional moves for as long as they apply.

    Return the details of the announcement: the number of `replies`, and `resigned` if the last was to resign.
    """
    replies, person = 0, locked.person
    while locked.row.state != MatchState.OVER:
        reply = None
        for hook in locked.hooks:
            reply = reply or await hook.reply(locked, turn)
        if reply is None:
            break
        replies += 1
        locked.person = reply.person
        if not reply.move_texts:
            await locked.end(MatchEnded(locked.winning_outcome(locked.opponent), EndReason.RESIGNED))
            break
        turn = await _play_turn(locked, reply.move_texts)
    locked.person = person
    if not replies:
        return {}
    resigned = locked.row.reason == EndReason.RESIGNED
    return {"replies": replies, "resigned": 1} if resigned else {"replies": replies}


async def _update_with_replies(locked: LockedMatch, announcement: Announcement) -> MatchUpdate:
    """Return the match with all turns that are announced together."""
    update = await locked.make_update(announcement)
    announced_turns = await load_announced_turns(locked.connection, locked.game, locked.row, announcement)
    return replace(update, match=with_announced_turns(update.match, announced_turns))


def _check_turn(locked: LockedMatch, position: Position) -> None:
    seat = seat_for_side(locked.seats, position.to_move)
    if seat is None or seat.person.account != locked.person.account:
        raise Refusal("not_your_turn", match=locked.row.id, name="" if seat is None else seat.person)


def _check_move_count(locked: LockedMatch, position: Position, given: int) -> None:
    if given == 0:
        raise Refusal(
            "no_move_given", match=locked.row.id, due=position.moves_due, example=position.example_move
        )
    if given > position.moves_due:
        raise TooManyMoves(match=locked.row.id, due=position.moves_due, given=given)


def _log_moves(locked: LockedMatch, moves: Sequence[PlayedMove]) -> list[LoggedMove]:
    """Return the moves as they will stand in the log."""
    return [
        LoggedMove(
            ply=locked.row.ply + number,
            turn=locked.row.turn,
            side=locked.seat.side,
            person=locked.person,
            text=move.text,
            events=move.events,
            position=move.position,
            played_at=from_millis(locked.now),
        )
        for number, move in enumerate(moves, start=1)
    ]


def _completes_turn(position: Position, moves: Sequence[LoggedMove]) -> bool:
    before = moves[-2].position if len(moves) > 1 else position
    return completes_turn(before, moves[-1].position)


async def _store_turn(locked: LockedMatch, turn: TurnPlayed) -> None:
    """Write the moves and the new state, then call the hooks."""
    rows = [_move_row(move) for move in turn.moves]
    await locked.change(turn.position, position=rows[-1].position, **_column_changes(locked, turn))
    await matches.add_moves(locked.connection, locked.row.id, rows)
    if turn.position.outcome is not None:
        for hook in locked.hooks:
            await hook.after_end(locked, MatchEnded(turn.position.outcome, EndReason.PLAYED))


def _column_changes(locked: LockedMatch, turn: TurnPlayed) -> dict[str, ColumnValue]:
    """Return the changed columns other than the position: counters, seats, result and those of the hooks."""
    ply, outcome = turn.moves[-1].ply, turn.position.outcome
    changes: dict[str, ColumnValue] = {
        "ply": ply,
        "turn": locked.row.turn + int(turn.is_complete),
        "turn_ply": ply if turn.is_complete else locked.row.turn_ply,
        "changed_at": locked.now if turn.is_complete else locked.row.changed_at,
        **join_columns(hook.on_turn(locked, turn) for hook in locked.hooks),
    }
    if turn.is_swap:
        changes |= {"first": locked.row.second, "second": locked.row.first}
    if outcome is not None:
        end = MatchEnded(outcome, EndReason.PLAYED)
        changes |= {
            "state": MatchState.OVER,
            "outcome": outcome,
            "reason": EndReason.PLAYED,
            **join_columns(hook.on_end(locked, end) for hook in locked.hooks),
        }
    return changes


def _announcement_recipients(locked: LockedMatch) -> tuple[Person, ...]:
    """Return the person to move, or, if the match is over, the opponent of the person who acted."""
    seat = (
        None if locked.row.state == MatchState.OVER else seat_for_side(locked.seats, locked.board().to_move)
    )
    return (locked.opponent,) if seat is None else (seat.person,)


def _move_row(move: LoggedMove) -> MoveRow:
    return MoveRow(
        ply=move.ply,
        turn=move.turn,
        side=move.side,
        person=move.person.account,
        text=move.text,
        position=str(move.position),
        played_at=to_millis(move.played_at),
    )


def play_moves(match: int, position: Position, move_texts: Sequence[str]) -> tuple[PlayedMove, ...]:
    """Play the moves from `position`. Raises a subclass of MoveRefused."""
    return play_typed_turn(match, position, TypedTurn(list(move_texts), None))


def play_typed_turn(match: int, position: Position, turn: TypedTurn) -> tuple[PlayedMove, ...]:
    """Play the moves of a turn as `position` has read it. Raises a subclass of MoveRefused."""
    played: list[PlayedMove] = []
    for index, text in enumerate(turn.texts):
        move = turn.first_move if not index and turn.first_move else parse_move(match, position, index, text)
        played.append(PlayedMove(str(move), position.events(move), position.play(move)))
        position = played[-1].position
    return tuple(played)


def parse_move(match: int, position: Position, index: int, text: str) -> Move:
    """Parse a legal move; `index` is its place among the given texts, from 0.

    Raises a subclass of MoveRefused.
    """
    try:
        return position.parse(text)
    except NotationError as error:
        raise MoveUnreadable(match, index, text, error) from error
    except AmbiguousMove as error:
        raise MoveAmbiguous(match, index, text, error) from error
    except GameError as error:
        raise MoveIllegal(match, index, text, error) from error
