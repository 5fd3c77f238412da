"""The truth of a match is its log: replay it and compare what is stored beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import find
from engine.game import GameError
from matches.reading import (
    completes,
    fetch,
    first_board,
    read_seats,
    replay,
    seat_of,
    seats_after,
    seats_before,
)
from matches.steps import Audit, Difference
from matches.values import MatchId, MatchState, Reason
from storage import matches
from storage.takebacks import log_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.game import Position
    from matches.reading import Seats
    from storage import Store
    from storage.matches import MatchRow, MoveRow

_Facts = dict[str, tuple[object, object]]  # what: stored, replayed


async def audit(store: Store, match: MatchId) -> Audit:
    """Replay one match. Raises MatchUnknown."""
    async with store.reading() as connection:
        row = await fetch(connection, match)
        moves = await matches.moves(connection, match)
        earlier = [await log_before(connection, match, number) for number in range(row.takebacks)]
    return Audit(match=match, moves=len(moves), difference=next(_differences(row, moves, earlier), None))


async def all_matches(store: Store) -> tuple[MatchId, ...]:
    """Give the numbers of all matches, in order."""
    async with store.reading() as connection:
        return tuple(MatchId(number) for number in await matches.numbers(connection))


@dataclass(slots=True)
class _Replay:
    """How far a replay has come."""

    position: Position
    seats: Seats
    ply: int = 0
    turn: int = 1
    turn_ply: int = 0

    def play(self, move: MoveRow) -> Iterator[Difference]:
        """Play one stored move and give what differs. Raises GameError."""
        people = {seat.person.account: seat.person for seat in self.seats}
        before = self.position
        (played,) = replay(before, [move], people)
        if self.ply == 0:
            self.seats = seats_before(played, self.seats)
        self.ply += 1
        seat = seat_of(self.seats, before.to_move)
        facts: _Facts = {
            "ply": (move.ply, self.ply),
            "turn": (move.turn, self.turn),
            "side": (move.side, before.to_move),
            "person": (move.person, seat and seat.person.account),
            "text": (move.text, str(before.parse(move.text))),
            "position": (move.position, str(played.position)),
        }
        self.position, self.seats = played.position, seats_after(played, self.seats)
        if completes(before, played.position):
            self.turn, self.turn_ply = self.turn + 1, self.ply
        yield from _compare(self.ply, facts)

    def end(self, row: MatchRow) -> Iterator[Difference]:
        """Give what the match's own row says otherwise."""
        over = row.state == MatchState.OVER
        seat = None if over else seat_of(self.seats, self.position.to_move)
        facts: _Facts = {
            "ply": (row.ply, self.ply),
            "turn": (row.turn, self.turn),
            "turn_ply": (row.turn_ply, self.turn_ply),
            "position": (row.position, str(self.position)),
            "first": (row.first, self.seats[0].person.account),
            "mover": (row.mover, seat and seat.person.account),
        }
        outcome = self.position.outcome
        corrected = row.reason in {Reason.CORRECTED, Reason.VOIDED}
        if not corrected and (outcome is not None or row.reason == Reason.PLAYED):
            facts["outcome"] = (row.outcome, outcome)
        yield from _compare(self.ply, facts)


def _differences(
    row: MatchRow, moves: Sequence[MoveRow], earlier: Sequence[Sequence[MoveRow]]
) -> Iterator[Difference]:
    """Give what differs in the logs before moves were taken back, in the log, and in the match's own row."""
    try:
        game = find(row.game, row.rules_version)
        position = first_board(game, row) if row.position is not None else None
    except (GameError, LookupError) as error:
        yield Difference(0, "start", row.options, str(error))
        return
    if position is None:
        yield from _compare(0, {"ply": (row.ply, 0), "moves": (len(moves), 0)})
        return
    for log in earlier:
        yield from _differences_of_log(_Replay(position, read_seats(row, game)), log)
    state = _Replay(position, read_seats(row, game))
    yield from _differences_of_log(state, moves)
    yield from state.end(row)


def _differences_of_log(state: _Replay, moves: Sequence[MoveRow]) -> Iterator[Difference]:
    for move in moves:
        try:
            yield from state.play(move)
        except (GameError, KeyError) as error:
            yield Difference(move.ply, "move", move.text, str(error))
            return


def _compare(ply: int, facts: Mapping[str, tuple[object, object]]) -> Iterator[Difference]:
    for what, (stored, replayed) in facts.items():
        if stored != replayed:
            yield Difference(ply, what, str(stored), str(replayed))
