"""The values that matches speak in: people, seats, results, offers, matches as they stand.

Challenges are in `asked`, what calls give back and what is announced in `steps`.

All are frozen. Times are aware, in UTC. Accounts, servers and places are opaque
texts of the front end; nothing here knows what they mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NewType

from matches.terms import LEGACY_TERMS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Event, OptionValue, Outcome, Position, Side
    from matches.clocks.values import MatchTime
    from matches.terms import Terms


ChallengeId = NewType("ChallengeId", int)
MatchId = NewType("MatchId", int)
AnnouncementId = NewType("AnnouncementId", int)
RecordId = NewType("RecordId", int)
OfferId = NewType("OfferId", int)

EMPTY_DETAILS: Mapping[str, str | int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays. `account` is who it is, `name` what to call them just now.

    `bot` marks an account that is no person; such a one is never challenged. It is not stored.
    """

    account: str
    name: str
    bot: bool = False


class MatchState(StrEnum):
    """How far a match has come."""

    CHOOSING = "fists"  # both people must pick; there is no board yet
    PLAYING = "playing"
    OVER = "over"


ACTIVE_STATES = (MatchState.CHOOSING, MatchState.PLAYING)


class EndReason(StrEnum):
    """Why a match is over."""

    PLAYED = "played"  # the rules of the game ended it
    RESIGNED = "resigned"
    AGREED = "agreed"  # an offer to end was accepted
    TIME = "time"  # somebody's time was over
    ABORTED = "aborted"  # given up before it counted: nobody won, and there is no outcome
    CORRECTED = "corrected"  # those who run the server settled it otherwise
    VOIDED = "voided"  # those who run the server took the result away: there is no outcome


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side."""

    side: Side
    person: Person


@dataclass(frozen=True, slots=True)
class Pick:
    """One player's revealed pick; it exists only once both have picked."""

    person: Person
    pick: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """What two picks settled: the `option` of the game and its `value`.

    `picks` stand in the order of the seats at that time. `agreed` tells whether they
    were equal, which is why that value follows; else it is the third.
    """

    picks: tuple[Pick, Pick]
    option: str
    value: str

    @property
    def agreed(self) -> bool:
        """Whether both picked the same."""
        return self.picks[0].pick == self.picks[1].pick


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
class Correction:
    """That those who run the server gave a match another result: who did it, why, and when.

    `old_outcome` and `old_reason` are what the result was before, `outcome` is what it became.
    """

    by: Person
    stated_reason: str
    corrected_at: datetime
    old_outcome: Outcome | None
    old_reason: EndReason
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `winner` and `loser` are None after a draw, and where there is no outcome at all.

    `correction` is the latest where the result was corrected.
    """

    outcome: Outcome | None
    reason: EndReason
    winner: Seat | None
    loser: Seat | None
    correction: Correction | None = None


class OfferKind(StrEnum):
    """What one person of a match offers the other."""

    END = "end"  # to end now, with the result that the rules give that
    DRAW = "draw"  # to end now, as a draw
    TAKEBACK = "takeback"  # to go back to before the last turn of whoever asks


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that one person of a match offers the other, for as long as nobody moves."""

    id: OfferId
    kind: OfferKind
    by: Person


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
    complete. `picked_by` names those who have picked while `state` is CHOOSING, never what;
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


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "lapsed"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge, open to anyone where `to` is None.

    `options` are complete but for what chance or a simultaneous choice decides later. `colour` is
    the challenger's side, None where it is drawn at acceptance. `post` is the
    reference that the front end gave for the latest announcement about it. Where `record` is set, the match
    begins from the last position of that imported record, whose game and options these are. `rematch_of` is
    the match that the two have just played.
    """

    id: ChallengeId
    by: Person
    to: Person | None
    server: str
    channel: str
    game: str
    options: Mapping[str, OptionValue]
    colour: Side | None
    state: ChallengeState
    made_at: datetime
    expires_at: datetime
    match: MatchId | None = None
    post: str | None = None
    record: RecordId | None = None
    terms: Terms = LEGACY_TERMS
    rematch_of: MatchId | None = None


_REVISION_STRIDE = 1_000_000  # more moves than any match has


def encode_revision(ply: int, takebacks: int) -> int:
    """Return the stamp of a board."""
    return takebacks * _REVISION_STRIDE + ply


def decode_revision(revision: int) -> tuple[int, int]:
    """Return the ply of a board, and how often moves had been taken back before."""
    takebacks, ply = divmod(revision, _REVISION_STRIDE)
    return ply, takebacks
