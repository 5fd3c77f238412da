"""What the hooks of a match receive and return: the events of a match's life, and columns to write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.view_builder import swaps_sides

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.game import Game, Outcome, Position
    from matches.match_view import LoggedMove
    from matches.terms import Terms
    from matches.values import EndReason, Person
    from storage.statements import Columns

NO_CHANGES: Columns = {}


def join_columns(parts: Iterable[Columns]) -> Columns:
    """Join the columns that several hooks return. Raises ValueError if two return the same column."""
    joined: dict[str, object] = {}
    for columns in parts:
        clashes = joined.keys() & columns.keys()
        if clashes:
            raise ValueError(f"Two hooks return the columns {', '.join(sorted(clashes))}.")
        joined |= columns
    return joined


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match that is about to be stored.

    `first` and `second` are the accounts that play the first and second side of `game`. `mover` is the
    account to move, None while a simultaneous choice is pending. `now` is in milliseconds since 1970 UTC.
    """

    server: str
    game: Game
    terms: Terms
    first: str
    second: str
    mover: str | None
    now: int


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """The `moves` that `person` played from the position `before`; at least one.

    `is_complete` is False while the person owes more moves of the same turn.
    """

    person: Person
    before: Position
    moves: tuple[LoggedMove, ...]
    is_complete: bool

    @property
    def position(self) -> Position:
        """The position after the moves."""
        return self.moves[-1].position

    @property
    def is_swap(self) -> bool:
        """Whether the players changed sides."""
        return swaps_sides(event for move in self.moves for event in move.events)


@dataclass(frozen=True, slots=True)
class MovesTakenBack:
    """Moves that leave the log.

    `turn_accounts` are the accounts that made the complete turns among them, oldest first. `mover` is the
    account to move again.
    """

    turn_accounts: tuple[str, ...]
    mover: str


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """How a match ends. Without an `outcome` the match has no result (aborted or voided)."""

    outcome: Outcome | None
    reason: EndReason


@dataclass(frozen=True, slots=True)
class ConditionalReply:
    """The turn that `person`, who is to move, has saved as a reply; without `move_texts` they resign."""

    person: Person
    move_texts: tuple[str, ...]
