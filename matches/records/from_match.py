"""Replays and records of matches, limited to what is public."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.records import Record, RecordEntry, format_moment
from matches.errors import NoBoard
from matches.records.turn_grouping import group_turns
from matches.records.values import Replay, ReplayTurn
from matches.values import EndReason, MatchState
from matches.view_builder import seats_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Game, Outcome, Position
    from matches.match_view import LoggedMove, MatchView
    from matches.updates import MatchHistory
    from matches.values import Result
    from matches.view_builder import Seats


def replay_from_history(history: MatchHistory) -> Replay:
    """Return the replay of a match. Raises `choice_pending`, `never_started`."""
    view, moves = history.match, history.moves
    first_turn = ReplayTurn(0, _first_board(history), _first_seats(view, moves))
    result = view.result
    return Replay(
        match=view.id,
        record=None,
        server=view.server,
        game=view.game,
        rules_version=view.rules_version,
        options=view.options,
        began=format_moment(view.made_at),
        turns=group_turns(
            first_turn, moves, result.outcome if result else None, result.reason if result else ""
        ),
    )


def record_from_history(history: MatchHistory) -> Record:
    """Return the record of a match. Raises `choice_pending`, `never_started`."""
    view, board, moves = history.match, _first_board(history), history.moves
    first, second = _first_seats(view, moves)
    default_position = board.game.initial_position(**view.options)
    final_outcome, reason = _recorded_result(view.result, moves)
    return Record(
        game=view.game,
        rules_version=view.rules_version,
        options=view.options,
        entries=tuple(RecordEntry(move.text) for move in moves),
        start="" if board == default_position else str(board),
        players=(first.person.name, second.person.name),
        began=format_moment(view.made_at),
        ended=format_moment(view.changed_at) if view.result else "",
        time_control="" if view.terms.time_control is None else str(view.terms.time_control),
        result=final_outcome,
        reason=reason,
        other_headers=()
        if view.reveal is None
        else ((_picks_header(board.game), " ".join(one.pick for one in view.reveal.picks)),),
        games={board.game.name: board.game},
    )


def _picks_header(game: Game) -> str:
    """Return the name of the header that lists the picks of a game's simultaneous choice."""
    choice = game.simultaneous_choice
    return "Picks" if choice is None else choice.value.capitalize()


def _recorded_result(result: Result | None, moves: Sequence[LoggedMove]) -> tuple[Outcome | None, str]:
    """Return the outcome and reason of a record.

    If the rules ended the game it is their result, even if it was corrected later.
    """
    rules_outcome = moves[-1].position.outcome if moves else None
    if rules_outcome is not None:
        return rules_outcome, EndReason.PLAYED
    if result is None or result.outcome is None:
        return None, ""  # a record has a reason only with an outcome
    return result.outcome, result.reason


def _first_board(history: MatchHistory) -> Position:
    if history.start is None:
        over = history.match.state is MatchState.OVER
        raise NoBoard("never_started" if over else "choice_pending", match=history.match.id)
    return history.start


def _first_seats(view: MatchView, moves: Sequence[LoggedMove]) -> Seats:
    return seats_before(moves[0], view.seats) if moves else view.seats
