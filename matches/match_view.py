"""Matches as front ends see them: a match at one ply, a line of a list, a move of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.audience import Audience
from matches.terms import LEGACY_TERMS
from matches.values import MatchState, encode_revision, opposite_side

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Event, OptionValue, Position, Side
    from matches.clocks.values import MatchTime
    from matches.terms import Terms
    from matches.values import ChallengeId, MatchId, Offer, Person, Result, Reveal, Seat


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move: its canonical text, its events, and the position after it."""

    text: str
    events: tuple[Event, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class LoggedMove(PlayedMove):
    """A move of the log.

    `ply` and `turn` are counted from 1; the moves of one set-up run share their turn. `side` and `person`
    made the move.
    """

    ply: int
    turn: int
    side: Side
    person: Person
    played_at: datetime


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in a list.

    `waits_for` are the persons who must pick or move now. `post` is the front end's reference to the
    latest post that shows the board, None before the first.
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
    is_direct: bool = False
    result: Result | None = None
    has_board: bool = True

    @property
    def revision(self) -> int:
        """The revision of the current board (see :func:`matches.values.encode_revision`)."""
        return encode_revision(self.ply, self.takebacks)


@dataclass(frozen=True, slots=True)
class MatchOutline:
    """What decides where a match is in its players' lists.

    `accounts` are those of the players, `awaited` those who must pick or move now. `deadline` is only for
    comparing with others; None without a running clock. `generations` are those of the keys of
    the seats, by account.
    """

    id: MatchId
    state: MatchState
    accounts: tuple[str, str]
    awaited: frozenset[str]
    deadline: int | None
    changed_at: datetime
    is_aborted: bool
    generations: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last move of the last complete turn of a match, in its canonical notation."""

    side: Side
    text: str
    played_at: datetime


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match at one ply, without anything secret.

    `seats` are in the order of the game's sides, as they are after `ply` (a swap changes them). `position` is
    None until the simultaneous choice is made. `last_turn` are the moves of the last complete turn.
    `picked_by` are the persons who have picked while `state` is CHOOSING; `reveal` is set once both have.
    `rules_version` and `options` (including random and chosen ones) never change. `is_direct`: it is played
    in the players' direct messages, because `channel` can no longer be used. `audience` says who else may
    see it on the website.

    An unfinished turn, a set-up run that is not complete, is in the view of its player alone:
    `unfinished_moves` are its moves, `ply` and `position` include them, and `turn_start` is the position
    before them, which is the one that everybody else sees.

    `is_current` is False if later moves have been made; then nobody should be asked to move.
    `preceding_turns` are, in the view of an announcement of several turns, the turns before the last: those
    after the first were saved conditional moves. `takebacks` is the number of takebacks before `ply`, and
    `is_taken_back` tells that there was another one since: the board may not be in the log any more.
    `text_readers` are the accounts of the players who want boards described in words.
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
    is_taken_back: bool = False
    turn_start: Position | None = None
    is_direct: bool = False
    audience: Audience = Audience.PLAYERS
    text_readers: tuple[str, ...] = ()

    @property
    def revision(self) -> int:
        """The revision of the board before unfinished moves; see :func:`~matches.values.encode_revision`."""
        return encode_revision(self.ply - len(self.unfinished_moves), self.takebacks)

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
        """Whether the match can be aborted: it is not over, and at most one player has completed a turn."""
        return self.state is not MatchState.OVER and all(move.turn == 1 for move in self.last_turn)

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, or None if there is no position or the match is over."""
        if self.state is not MatchState.PLAYING or self.position is None:
            return None
        first, second = self.seats
        side = self.position.to_move
        return first if side == first.side else second if side == second.side else None

    @property
    def moves_due(self) -> int:
        """The number of consecutive moves that the seat to move still owes in this turn; 0 if none."""
        return 0 if self.to_move is None or self.position is None else self.position.moves_due

    @property
    def waits_for(self) -> tuple[Person, ...]:
        """The persons who must pick or move now; empty if the match is over."""
        if self.state is MatchState.CHOOSING:
            picked = {person.account for person in self.picked_by}
            return tuple(seat.person for seat in self.seats if seat.person.account not in picked)
        return () if self.to_move is None else (self.to_move.person,)

    def seat(self, account: str) -> Seat | None:
        """Return the seat of `account`, or None for a spectator."""
        return next((seat for seat in self.seats if seat.person.account == account), None)

    def opponent(self, account: str) -> Seat | None:
        """Return the seat of the opponent of `account`, or None for a spectator."""
        if self.seat(account) is None:
            return None
        return next(seat for seat in self.seats if seat.person.account != account)
