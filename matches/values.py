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

    from engine.game import OptionValue, Outcome, Side
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


def opposite_side(seats: tuple[Seat, Seat], side: Side) -> Side:
    """Return the side of the two seats that is not `side`."""
    return next(seat.side for seat in seats if seat.side is not side)


@dataclass(frozen=True, slots=True)
class Pick:
    """One person's opened fists; it exists only once both have picked."""

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

    `options` are complete but for what chance or the fists settle later. `colour` is
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
