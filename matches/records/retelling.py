"""A match as everybody may know it: to be paged through, and to be written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.records import Entry, Record, stamp
from matches.errors import FistsClosed, NeverStarted
from matches.reading import seats_before
from matches.records.binding import Step, bind, first_page
from matches.records.values import Replay
from matches.values import MatchState, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Outcome, Position
    from matches.reading import Seats
    from matches.steps import History
    from matches.values import MatchView, Played, Result

FISTS = "Fists"
"""The header that tells what two people picked, in the order of the sides."""


def replay_of(history: History) -> Replay:
    """Give a match to be paged through. Raises FistsClosed and NeverStarted where it has no board."""
    view, moves = history.match, _known(history)
    first = first_page(_board(history), _first_seats(view, moves))
    steps = (Step(move.text, move.events, move.position) for move in moves)
    ended = view.result
    return Replay(
        match=view.id,
        record=None,
        server=view.server,
        game=view.game,
        rules_version=view.rules_version,
        options=view.options,
        began=stamp(view.made_at),
        pages=bind(first, steps, ended.outcome if ended else None, ended.reason if ended else ""),
    )


def record_of(history: History) -> Record:
    """Give the record of a match. Raises FistsClosed and NeverStarted where it has no board."""
    view, board, moves = history.match, _board(history), _known(history)
    first, second = _first_seats(view, moves)
    usual = board.game.start(**view.options)
    picks = () if view.reveal is None else view.reveal.picks
    outcome, reason = _end(view.result, moves)
    return Record(
        game=view.game,
        rules_version=view.rules_version,
        options=view.options,
        entries=tuple(Entry(move.text) for move in moves),
        start="" if board == usual else str(board),
        people=(first.person.name, second.person.name),
        began=stamp(view.made_at),
        ended=stamp(view.changed_at) if view.result else "",
        pace="" if view.terms.pace is None else str(view.terms.pace),
        result=outcome,
        reason=reason,
        others=((FISTS, " ".join(one.pick for one in picks)),) if picks else (),
    )


def _end(result: Result | None, moves: Sequence[Played]) -> tuple[Outcome | None, str]:
    """Give how a record ends: as the rules had it where they ended the game, whatever was corrected since."""
    own = moves[-1].position.outcome if moves else None
    if own is not None:
        return own, Reason.PLAYED
    if result is None or result.outcome is None:
        return None, ""  # a record ends only with an outcome
    return result.outcome, result.reason


def _known(history: History) -> Sequence[Played]:
    """Give the moves that everybody knows: a run is told when it is complete, or when the match is over."""
    if history.match.state is MatchState.OVER:
        return history.moves
    return history.moves[: len(history.moves) - len(history.match.run)]


def _board(history: History) -> Position:
    if history.start is None:
        over = history.match.state is MatchState.OVER
        raise (NeverStarted if over else FistsClosed)(match=history.match.id)
    return history.start


def _first_seats(view: MatchView, moves: Sequence[Played]) -> Seats:
    return seats_before(moves[0], view.seats) if moves else view.seats
