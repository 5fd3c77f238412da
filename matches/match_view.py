"""Matches as front ends see them: one match at one ply, a line of a list, and the moves of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.terms import LEGACY_TERMS
from matches.values import MatchState, OfferKind, encode_revision, opposite_side

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Event, OptionValue, Position, Side
    from matches.clocks.values import MatchTime
    from matches.terms import Terms
    from matches.values import ChallengeId, MatchId, Offer, Person, Result, Reveal, Seat


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """One move of the log: the `ply`-th, counted from 1, of the `turn`-th turn, counted from 1.

    The moves of one set-up run share their turn. `text` is canonical, `position` the one
    after the move, `side` and `person` who made it.
    """

    ply: int
    turn: int
    side: Side
    person: Person
    text: str
    events: tuple[Event, ...]
    position: Position
    played_at: datetime


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One line of a list of matches.

    `waits_for` names whoever must pick or move now. `post` is the reference that the front
    end gave for the latest announcement of this match, None before the first.
    """

    id: MatchId
    server: str
    channel: str
    game: str
    options: Mapping[str, OptionValue]
    state: MatchState
    seats: tuple[Seat, Seat]
    ply: int
    waits_for: tuple[Person, ...]
    changed_at: datetime
    post: str | None
    terms: Terms = LEGACY_TERMS
    time: MatchTime | None = None
    takebacks: int = 0

    @property
    def revision(self) -> int:
        """What a button under the present board remembers of it."""
        return encode_revision(self.ply, self.takebacks)


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as anyone may see it, at one ply.

    `seats` stand in the order of the game's first move, as they are after `ply` (a swap changes them).
    `position` is None until there is a board (and stays so if somebody resigns before). `last_turn` holds the
    moves of the last complete turn, `unfinished_moves` the moves made so far of a set-up run that is not yet
    complete. `picked_by` names those whose fists are in while `state` is FISTS, never what they hold;
    `reveal` follows when both are in. `pending_offer` is the offer that stands. `is_current` is False where
    later moves have been made, as in a view of an announcement that comes late: then nobody is to be called
    to move. `rules_version` and `options` (with what was drawn and settled) are pinned. `preceding_turns`
    holds, in the view of an announcement, the turns before the last that it tells too: what answered them had
    been settled beforehand. `takebacks` counts how often moves had been taken back before.
    """

    id: MatchId
    challenge: ChallengeId | None
    server: str
    channel: str
    game: str
    rules_version: int
    options: Mapping[str, OptionValue]
    state: MatchState
    seats: tuple[Seat, Seat]
    ply: int
    position: Position | None
    last_turn: tuple[LoggedMove, ...]
    unfinished_moves: tuple[LoggedMove, ...]
    picked_by: tuple[Person, ...]
    reveal: Reveal | None
    pending_offer: Offer | None
    result: Result | None
    is_current: bool
    made_at: datetime
    changed_at: datetime
    terms: Terms = LEGACY_TERMS
    time: MatchTime | None = None
    preceding_turns: tuple[tuple[LoggedMove, ...], ...] = ()
    takebacks: int = 0

    @property
    def revision(self) -> int:
        """What a button under this board remembers of it (see :mod:`matches.values`)."""
        return encode_revision(self.ply, self.takebacks)

    @property
    def latest_moves(self) -> tuple[LoggedMove, ...]:
        """The moves of the unfinished turn or, if there is none, of the last complete turn."""
        return self.unfinished_moves or self.last_turn

    @property
    def latest_events(self) -> tuple[Event, ...]:
        """The events of `latest_moves`, as a picture of the board highlights them."""
        return tuple(event for move in self.latest_moves for event in move.events)

    @property
    def next_side(self) -> Side:
        """The side whose turn comes after the last complete turn, also if the match is over."""
        last = self.last_turn[-1].side if self.last_turn else self.seats[1].side
        return opposite_side(self.seats, last)

    @property
    def is_abortable(self) -> bool:
        """Whether the match can be aborted: it is not over, and at most one player has moved."""
        return self.state is not MatchState.OVER and all(move.turn == 1 for move in self.latest_moves)

    @property
    def end_offered_by(self) -> Person | None:
        """Whoever offers to end by agreement."""
        is_end_offer = self.pending_offer is not None and self.pending_offer.kind is OfferKind.END
        return self.pending_offer.by if self.pending_offer is not None and is_end_offer else None

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None without a board or when the match is over."""
        if self.state is not MatchState.PLAYING or self.position is None:
            return None
        return next((seat for seat in self.seats if seat.side == self.position.to_move), None)

    @property
    def moves_due(self) -> int:
        """How many moves in a row the seat to move still owes in this turn: 1 in open play, 0 if none."""
        return 0 if self.to_move is None or self.position is None else self.position.moves_due

    @property
    def waits_for(self) -> tuple[Person, ...]:
        """Whoever must pick or move now; empty when over."""
        if self.state is MatchState.CHOOSING:
            picked = {person.account for person in self.picked_by}
            return tuple(seat.person for seat in self.seats if seat.person.account not in picked)
        return () if self.to_move is None else (self.to_move.person,)

    def seat(self, account: str) -> Seat | None:
        """Return the seat of `account`, None for an onlooker."""
        return next((seat for seat in self.seats if seat.person.account == account), None)

    def opponent(self, account: str) -> Seat | None:
        """Return the seat across from `account`, None for an onlooker."""
        if self.seat(account) is None:
            return None
        return next(seat for seat in self.seats if seat.person.account != account)
