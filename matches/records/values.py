"""A whole game as a value, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Event, Position, Setting, Side
    from matches.values import MatchId, RecordId, Result, Seat


@dataclass(frozen=True, slots=True)
class Page:
    """The board after the `turn`-th turn; that of turn 0 is the first board, where nobody has moved.

    `side` made the turn, `texts` are its moves (several in a set-up run), `events` all that they did.
    `seats` stand in the order of the game's first move, as they are after the turn. `comment` is what a
    record says of it. Only the last page can have a `result`.
    """

    turn: int
    position: Position
    seats: tuple[Seat, Seat]
    side: Side | None = None
    texts: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    comment: str = ""
    result: Result | None = None

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None where the game is over."""
        if self.result is not None:
            return None
        return next((seat for seat in self.seats if seat.side == self.position.to_move), None)


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game, of the `match` or of the `record` that is set.

    Of a match that goes on it ends with the last complete turn. People of a record are known by their
    names alone, so their accounts are empty. `by` is who imported it.
    """

    match: MatchId | None
    record: RecordId | None
    server: str
    game: str
    rules_version: int
    options: Mapping[str, Setting]
    pages: tuple[Page, ...]
    began_at: datetime | None = None

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return len(self.pages) - 1

    def page(self, turn: int) -> Page:
        """Give the page of a turn; beyond the last there is nothing, so that is given."""
        return self.pages[max(0, min(turn, self.turns))]
