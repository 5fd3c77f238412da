"""The values that matches speak in: people, challenges, matches, turns, announcements.

All are frozen. Times are aware, in UTC. Accounts, servers and places are opaque
texts of the front end; nothing here knows what they mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NewType

from matches.stamps import write_stamp
from matches.terms import UNSAID

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Event, Outcome, Position, Setting, Side
    from matches.clocks.values import MatchTime
    from matches.terms import Terms

ChallengeId = NewType("ChallengeId", int)
MatchId = NewType("MatchId", int)
AnnouncementId = NewType("AnnouncementId", int)
RecordId = NewType("RecordId", int)
OfferId = NewType("OfferId", int)

NO_DETAILS: Mapping[str, str | int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays. `account` is who it is, `name` what to call them just now.

    `bot` marks an account that is no person; such a one is never challenged. It is not stored.
    """

    account: str
    name: str
    bot: bool = False


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


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
    place: str
    game: str
    options: Mapping[str, Setting]
    colour: Side | None
    state: ChallengeState
    made_at: datetime
    lapses_at: datetime
    match: MatchId | None = None
    post: str | None = None
    record: RecordId | None = None
    terms: Terms = UNSAID
    rematch_of: MatchId | None = None


class MatchState(StrEnum):
    """How far a match has come."""

    FISTS = "fists"  # both people must pick; there is no board yet
    PLAYING = "playing"
    OVER = "over"


UNDER_WAY = (MatchState.FISTS, MatchState.PLAYING)


class Reason(StrEnum):
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
class Played:
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
    at: datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """That those who run the server gave a match another result: who did it, why, and when.

    `old_outcome` and `old_reason` are what the result was before, `outcome` is what it became.
    """

    by: Person
    why: str
    at: datetime
    old_outcome: Outcome | None
    old_reason: Reason
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `winner` and `loser` are None after a draw, and where there is no outcome at all.

    `correction` is the latest where the result was corrected.
    """

    outcome: Outcome | None
    reason: Reason
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
    place: str
    game: str
    options: Mapping[str, Setting]
    state: MatchState
    seats: tuple[Seat, Seat]
    ply: int
    waits_for: tuple[Person, ...]
    changed_at: datetime
    post: str | None
    terms: Terms = UNSAID
    time: MatchTime | None = None
    takebacks: int = 0

    @property
    def stamp(self) -> int:
        """What a button under the present board remembers of it."""
        return write_stamp(self.ply, self.takebacks)


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as anyone may see it, at one ply.

    `seats` stand in the order of the game's first move, as they are after `ply` (a swap
    changes them). `position` is None until there is a board (and stays so if somebody
    resigns before). `last` holds the moves of the last complete turn, `run` the moves
    made so far of a set-up run that is not yet complete. `picked` names those whose fists
    are in while `state` is FISTS, never what they hold; `reveal` follows when both are
    in. `standing` is the offer that stands. `current` is False where later moves
    have been made, as in a view of an announcement that comes late: then nobody is to be
    called to move. `rules_version` and `options` (with what was drawn and settled) are pinned. `lead` holds,
    in the view of an announcement, the turns before the last that it tells too: what answered them had been
    settled beforehand. `takebacks` counts how often moves had been taken back before.
    """

    id: MatchId
    challenge: ChallengeId | None
    server: str
    place: str
    game: str
    rules_version: int
    options: Mapping[str, Setting]
    state: MatchState
    seats: tuple[Seat, Seat]
    ply: int
    position: Position | None
    last: tuple[Played, ...]
    run: tuple[Played, ...]
    picked: tuple[Person, ...]
    reveal: Reveal | None
    standing: Offer | None
    result: Result | None
    current: bool
    made_at: datetime
    changed_at: datetime
    terms: Terms = UNSAID
    time: MatchTime | None = None
    lead: tuple[tuple[Played, ...], ...] = ()
    takebacks: int = 0

    @property
    def stamp(self) -> int:
        """What a button under this board remembers of it (see :mod:`matches.stamps`)."""
        return write_stamp(self.ply, self.takebacks)

    @property
    def offer(self) -> Person | None:
        """Whoever offers to end by agreement."""
        ends = self.standing is not None and self.standing.kind is OfferKind.END
        return self.standing.by if self.standing is not None and ends else None

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None without a board or when the match is over."""
        if self.state is not MatchState.PLAYING or self.position is None:
            return None
        return next((seat for seat in self.seats if seat.side == self.position.to_move), None)

    @property
    def due(self) -> int:
        """How many moves in a row the seat to move still owes in this turn: 1 in open play, 0 if none."""
        return 0 if self.to_move is None or self.position is None else self.position.due

    @property
    def waits_for(self) -> tuple[Person, ...]:
        """Whoever must pick or move now; empty when over."""
        if self.state is MatchState.FISTS:
            inside = {person.account for person in self.picked}
            return tuple(seat.person for seat in self.seats if seat.person.account not in inside)
        return () if self.to_move is None else (self.to_move.person,)

    def seat(self, account: str) -> Seat | None:
        """Give the seat of `account`, None for an onlooker."""
        return next((seat for seat in self.seats if seat.person.account == account), None)

    def opponent(self, account: str) -> Seat | None:
        """Give the seat across from `account`, None for an onlooker."""
        if self.seat(account) is None:
            return None
        return next(seat for seat in self.seats if seat.person.account != account)


class AnnouncementKind(StrEnum):
    """What happened. A front end finds the words."""

    CHALLENGED = "challenged"  # a challenge stands
    DECLINED = "declined"  # the addressee declined it
    WITHDRAWN = "withdrawn"  # the challenger took it back
    LAPSED = "lapsed"  # nobody accepted it in time
    FISTS = "fists"  # accepted; both people must pick
    STARTED = "started"  # accepted; the board stands
    REVEALED = "revealed"  # both picks are in; the board stands
    TURN = "turn"  # a complete turn; it may have ended the match
    OFFERED = "offered"  # somebody makes an offer; details: offer (its number), what (its kind)
    REFUSED = "refused"  # that offer was declined; the same details
    AGREED = "agreed"  # an offer to end was accepted: the match is over; the same details
    TAKEN_BACK = "taken_back"  # an offer to take moves back was accepted; the same details
    ABORTED = "aborted"  # `by` gave the match up before both had moved: there is no result
    RESIGNED = "resigned"  # somebody resigned: the match is over
    FLAGGED = "flagged"  # the time of `by` is over: the other may claim the match or give more time
    CLAIMED = "claimed"  # the other did claim it: the match is over
    TIMED_OUT = "timed_out"  # the time of `by` is over, and with it the match
    TIME_GIVEN = "time_given"  # `by` gave the other more time; details: minutes
    PAUSE_OFFERED = "pause_offered"  # somebody offers to stop the clock
    PAUSE_REFUSED = "pause_refused"  # that offer was declined
    PAUSED = "paused"  # that offer was accepted
    RESUMED = "resumed"  # somebody has the clock go on
    AWAY = "away"  # `by` is on vacation; details: matches (numbers), until (milliseconds since 1970, UTC)
    BACK = "back"  # `by` is back; details: matches (numbers)
    CORRECTED = "corrected"  # those who run the server gave it another result, or none
    REMINDED = "reminded"  # for one person: the match waits for them
    DIGEST = "digest"  # for one person: what went on in the matches that they follow


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something that is to be told, exactly once: data, never sentences.

    It is told in `place`, or, where `to` is set, to that account alone; those for followers of a match are
    of the same kinds as those for all. Either `challenge` or `match` is set, or neither in a DIGEST. `ply` is
    the ply of the board to show; `first_ply` is the first of the moves told, so a TURN covers
    first_ply..ply, and None where no move is told. `by` is the account of whoever caused it, `whom` those to
    be called. `attempts` counts how often it has been handed out for sending by `unannounced`. `details` are
    what the kind tells beside that, `takebacks` how often moves had been taken back before.
    `Matches.view_of` gives the match as it stood then.
    """

    id: AnnouncementId
    kind: AnnouncementKind
    challenge: ChallengeId | None
    match: MatchId | None
    ply: int
    first_ply: int | None
    by: str
    whom: tuple[str, ...]
    server: str
    place: str
    made_at: datetime
    attempts: int = 0
    details: Mapping[str, str | int] = field(default_factory=lambda: NO_DETAILS)
    to: str | None = None
    takebacks: int = 0

    @property
    def stamp(self) -> int:
        """What a button under the board of this announcement remembers of it."""
        return write_stamp(self.ply, self.takebacks)


@dataclass(frozen=True, slots=True)
class ChallengeStep:
    """What a call did to a challenge, committed, and what is now to be announced."""

    challenge: Challenge
    announcement: Announcement


@dataclass(frozen=True, slots=True)
class Turn:
    """What a call did to a match, committed, and what is now to be announced.

    `match` is the match as it stands now. `announcement` is None where nothing is to be told:
    after the first of two picks, and while a set-up run is not complete (`match.due` says how many
    placements are still owed).
    """

    match: MatchView
    announcement: Announcement | None


@dataclass(frozen=True, slots=True)
class History:
    """A whole match: its first position (None if there never was a board) and every move."""

    match: MatchView
    start: Position | None
    moves: tuple[Played, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a stored match first departs from the replay of its log."""

    ply: int
    what: str
    stored: str
    replayed: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The outcome of replaying one match: `difference` is None where all agrees."""

    match: MatchId
    moves: int
    difference: Difference | None
