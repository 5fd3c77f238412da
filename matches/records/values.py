"""A whole game, turn by turn, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.values import opposite_side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Event, OptionValue, Position, Side
    from matches.values import MatchId, RecordId, Result, Seat


@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """One turn and the position after it; turn 0 is the initial position.

    `side` made the turn, `move_texts` are its moves (several in a set-up run), `events` are the events of all
    of them. `seats` are in the order of the game's sides, as they are after the turn. `comment` comes from a
    record. Only the last turn can have a `result`: then the game is over.
    """

    number: int
    position: Position
    seats: tuple[Seat, Seat]
    side: Side | None = None
    move_texts: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    comment: str = ""
    result: Result | None = None

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, or None if the game is over."""
        if self.result is not None:
            return None
        return next((seat for seat in self.seats if seat.side == self.position.to_move), None)

    @property
    def next_side(self) -> Side:
        """The side whose turn comes after this one, also if the game is over."""
        return opposite_side(self.seats, self.side or self.seats[1].side)


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game: of the `match` or of the imported `record`, one of which is set.

    If the match is not over it ends with the last complete turn. Persons in a record have an empty account,
    and an empty name if it is unknown. `began` is an ISO 8601 date, or date and time in UTC, or empty if the
    record does not say.
    """

    match: MatchId | None
    record: RecordId | None
    server: str
    game: str
    rules_version: int
    options: Mapping[str, OptionValue]
    began: str
    turns: tuple[ReplayTurn, ...]

    @property
    def turn_count(self) -> int:
        """The number of turns."""
        return len(self.turns) - 1

    def seat_of(self, turn: ReplayTurn) -> Seat:
        """Return the seat that made a turn, with the player of then; for turn 0 the first seat."""
        seats = self.turn_at(turn.number - 1).seats
        return next((seat for seat in seats if seat.side is turn.side), seats[0])

    def turn_at(self, number: int) -> ReplayTurn:
        """Return a turn by its number; numbers out of range give the first or the last."""
        return self.turns[max(0, min(number, self.turn_count))]
