"""A whole game, turn by turn, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Event, OptionValue, Outcome, Position, Side
    from matches.values import MatchId, RecordId, Seat


@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """One turn and the position after it; turn 0 is the initial position.

    `side` made the turn, `move_texts` are its moves (several in a set-up run), `events` are the events of all
    of them. `seats` are in the order of the game's sides, as they are after the turn. `comment` comes from a
    record. Only the last turn can have a `reason`: then the game is over, with `outcome` or without. The
    reason is a value of :class:`matches.EndReason`, or another word from a record.
    """

    number: int
    position: Position
    seats: tuple[Seat, Seat]
    side: Side | None = None
    move_texts: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    comment: str = ""
    outcome: Outcome | None = None
    reason: str = ""

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, or None if the game is over."""
        if self.reason:
            return None
        return next((seat for seat in self.seats if seat.side == self.position.to_move), None)


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

    def turn_at(self, number: int) -> ReplayTurn:
        """Return a turn by its number; numbers out of range give the first or the last."""
        return self.turns[max(0, min(number, self.turn_count))]
