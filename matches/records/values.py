"""A whole game as a value, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Event, Outcome, Position, Setting, Side
    from matches.values import MatchId, RecordId, Seat


@dataclass(frozen=True, slots=True)
class Page:
    """The board after the `turn`-th turn; that of turn 0 is the first board, where nobody has moved.

    `side` made the turn, `texts` are its moves (several in a set-up run), `events` all that they did.
    `seats` stand in the order of the game's first move, as they are after the turn. `comment` is what a
    record says of it. Only the last page can have a `reason`: then the game is over, with `outcome`, or with
    none where it came to nothing. The reason is a word such as the values of :class:`matches.Reason`, or
    another one in a record.
    """

    turn: int
    position: Position
    seats: tuple[Seat, Seat]
    side: Side | None = None
    texts: tuple[str, ...] = ()
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
    options: Mapping[str, Setting]
    began: str
    pages: tuple[Page, ...]

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return len(self.pages) - 1

    def page(self, turn: int) -> Page:
        """Give the page of a turn: the first or last one where there is none of that number."""
        return self.pages[max(0, min(turn, self.turns))]
