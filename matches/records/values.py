"""A whole game as a value, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.values import opposite_side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Event, OptionValue, Outcome, Position, Side
    from matches.values import MatchId, RecordId, Seat


@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """The board after the `number`-th turn; that of turn 0 is the first board, where nobody has moved.

    `side` made the turn, `move_texts` are its moves (several in a set-up run), `events` all that they did.
    `seats` stand in the order of the game's first move, as they are after the turn. `comment` is what a
    record says of it. Only the last page can have a `reason`: then the game is over, with `outcome`, or with
    none where it came to nothing. The reason is a word such as the values of :class:`matches.Reason`, or
    another one in a record.
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
        """The seat to move, None where the game is over."""
        if self.reason:
            return None
        return next((seat for seat in self.seats if seat.side == self.position.to_move), None)

    @property
    def next_side(self) -> Side:
        """The side whose turn comes after this one, also if the game is over."""
        return opposite_side(self.seats, self.side or self.seats[1].side)


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game, of the `match` or of the imported `record`, whichever is set.

    Of a match that goes on it ends with the last complete turn. People of a record are known by name alone:
    their accounts are empty, and so is a name that is not known. `began` is a day, or a moment of universal
    time as ISO 8601 writes it, and empty where a record does not say.
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
        """How many turns there are."""
        return len(self.turns) - 1

    def turn_at(self, number: int) -> ReplayTurn:
        """Return the page of a turn: the first or last one where there is none of that number."""
        return self.turns[max(0, min(number, self.turn_count))]
