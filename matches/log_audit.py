"""Audit of matches: replay the log and compare the stored state with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import GAMES, get_game
from engine.game import GameError
from matches.updates import AuditDifference, AuditResult
from matches.values import EndReason, MatchId, MatchState
from matches.view_builder import (
    completes_turn,
    fetch_match,
    load_initial_position,
    replay_moves,
    seat_for_side,
    seats_after,
    seats_before,
    seats_from_row,
)
from storage.match import matches
from storage.match.takebacks import load_earlier_log

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.game import Game, Position
    from matches.view_builder import Seats
    from storage import Database
    from storage.match.matches import MatchRow
    from storage.match.packed_logs import MoveRow

_Facts = dict[str, tuple[object, object]]  # (stored, replayed) by name


async def audit_match(database: Database, match: MatchId, games: Mapping[str, Game] = GAMES) -> AuditResult:
    """Replay a match. Raises MatchUnknown."""
    async with database.read() as connection:
        row = await fetch_match(connection, match)
        moves = await matches.list_moves(connection, match)
        earlier = [await load_earlier_log(connection, match, number) for number in range(row.takebacks)]
    return AuditResult(
        match=match, moves=len(moves), difference=next(_find_differences(row, moves, earlier, games), None)
    )


async def list_match_ids(database: Database) -> tuple[MatchId, ...]:
    """Return the ids of all matches, in order."""
    async with database.read() as connection:
        return tuple(MatchId(number) for number in await matches.list_ids(connection))


@dataclass(slots=True)
class _ReplayState:
    """The state of a replay."""

    position: Position
    seats: Seats
    ply: int = 0
    turn: int = 1
    turn_ply: int = 0

    def play_and_compare(self, move: MoveRow) -> Iterator[AuditDifference]:
        """Play one stored move and yield the differences. Raises GameError."""
        people = {seat.person.account: seat.person for seat in self.seats}
        before = self.position
        (played,) = replay_moves(before, [move], people)
        if self.ply == 0:
            self.seats = seats_before(played, self.seats)
        self.ply += 1
        seat = seat_for_side(self.seats, before.to_move)
        facts: _Facts = {
            "ply": (move.ply, self.ply),
            "turn": (move.turn, self.turn),
            "side": (move.side, before.to_move),
            "person": (move.person, seat and seat.person.account),
            "text": (move.text, str(before.parse(move.text))),
        }
        if move.position is not None:
            facts["position"] = (move.position, str(played.position))
        self.position, self.seats = played.position, seats_after(played, self.seats)
        if completes_turn(before, played.position):
            self.turn, self.turn_ply = self.turn + 1, self.ply
        yield from _compare(self.ply, facts)

    def compare_row(self, row: MatchRow) -> Iterator[AuditDifference]:
        """Yield the differences between the match's row and the replay."""
        is_over = row.state == MatchState.OVER
        seat = None if is_over else seat_for_side(self.seats, self.position.to_move)
        facts: _Facts = {
            "ply": (row.ply, self.ply),
            "turn": (row.turn, self.turn),
            "turn_ply": (row.turn_ply, self.turn_ply),
            "position": (row.position, str(self.position)),
            "first": (row.first, self.seats[0].person.account),
            "mover": (row.mover, seat and seat.person.account),
        }
        outcome = self.position.outcome
        is_corrected = row.reason in {EndReason.CORRECTED, EndReason.VOIDED}
        if not is_corrected and (outcome is not None or row.reason == EndReason.PLAYED):
            facts["outcome"] = (row.outcome, outcome)
        yield from _compare(self.ply, facts)


def _find_differences(
    row: MatchRow,
    moves: Sequence[MoveRow],
    earlier: Sequence[Sequence[MoveRow]],
    games: Mapping[str, Game],
) -> Iterator[AuditDifference]:
    """Yield the differences in the earlier logs of takebacks, in the log, and in the match's row."""
    try:
        game = get_game(row.game, row.rules_version, games)
        position = load_initial_position(game, row) if row.position is not None else None
    except (GameError, LookupError) as error:
        yield AuditDifference(0, "start", row.options, str(error))
        return
    if position is None:
        yield from _compare(0, {"ply": (row.ply, 0), "moves": (len(moves), 0)})
        return
    for log in earlier:
        yield from _find_log_differences(_ReplayState(position, seats_from_row(row, game)), log)
    state = _ReplayState(position, seats_from_row(row, game))
    yield from _find_log_differences(state, moves)
    yield from state.compare_row(row)


def _find_log_differences(state: _ReplayState, moves: Sequence[MoveRow]) -> Iterator[AuditDifference]:
    for move in moves:
        try:
            yield from state.play_and_compare(move)
        except (GameError, KeyError) as error:
            yield AuditDifference(move.ply, "move", move.text, str(error))
            return


def _compare(ply: int, facts: Mapping[str, tuple[object, object]]) -> Iterator[AuditDifference]:
    for field, (stored, replayed) in facts.items():
        if stored != replayed:
            yield AuditDifference(ply, field, str(stored), str(replayed))
