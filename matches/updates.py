"""Results of committed changes, announcements, histories and audits."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.values import EMPTY_DETAILS, encode_revision

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Position
    from matches.fingerprints import MatchFingerprint
    from matches.match_view import LoggedMove, MatchView
    from matches.values import AnnouncementId, Challenge, ChallengeId, MatchId


DIRECT = "direct"
"""The detail of an announcement that marks a player's copy."""

QUIET = "quiet"
"""The detail of an announcement that names its recipients without notifying them."""


SILENT = "silent"
"""The detail of an announcement with the recipients who want to be named without being notified.

The places in `recipients` as the bits of a number, the first as the lowest.
"""


UNREGISTERED = "unregistered"
"""The detail `withdrawal` of whoever played too little in a season of a league and has to register again."""


class AnnouncementKind(StrEnum):
    """What happened. The front end words it."""

    CHALLENGED = "challenged"  # a new challenge
    DECLINED = "declined"  # the addressee declined it
    WITHDRAWN = "withdrawn"  # the challenger took it back
    EXPIRED = "expired"  # nobody accepted it in time
    CHOOSING = "choosing"  # accepted; both players must pick
    STARTED = "started"  # accepted; the game starts
    REVEALED = "revealed"  # both have picked; the game starts
    TURN = "turn"  # a complete turn; it may have ended the match
    OFFERED = "offered"  # a new offer; details: offer (its id), what (its kind), undoes (see `first_ply`)
    OFFER_DECLINED = "offer_declined"  # the offer was declined; the same details
    OFFER_WITHDRAWN = "offer_withdrawn"  # whoever made the offer withdrew it; the same details
    AGREED = "agreed"  # an offer to end was accepted: the match is over; the same details
    TAKEN_BACK = "taken_back"  # an offer to take moves back was accepted; the same details
    ABORTED = "aborted"  # `by` aborted the match: it has no result
    RESIGNED = "resigned"  # `by` resigned: the match is over
    FLAGGED = "flagged"  # `by` ran out of time, the match goes on: the opponent may claim or give time
    CLAIMED = "claimed"  # `by` claimed the win on time after FLAGGED: the match is over
    TIMED_OUT = "timed_out"  # `by` lost on time, without a claim: the match is over
    NUDGED = "nudged"  # `by` called the opponent, who must move; details: since, claim_from (milliseconds)
    TIME_GIVEN = "time_given"  # `by` gave the opponent more time; details: minutes
    PAUSE_OFFERED = "pause_offered"  # `by` offers to pause the clock
    PAUSE_DECLINED = "pause_declined"  # that offer was declined
    PAUSE_WITHDRAWN = "pause_withdrawn"  # whoever made that offer withdrew it
    PAUSED = "paused"  # that offer was accepted
    RESUMED = "resumed"  # `by` restarted the clock
    AWAY = "away"  # `by` is on vacation; details: matches (ids), until (milliseconds since 1970 UTC)
    BACK = "back"  # `by` is back; details: matches (ids)
    CORRECTED = "corrected"  # `by`, a manager of the server, changed or removed the result
    MOVED = "moved"  # played elsewhere from now on; details: reason, name (of the old place), board, since
    UNREACHED = "unreached"  # private: `by`, the opponent, accepts no messages; a clock stands
    REACHED = "reached"  # private: `by`, the opponent, has been reached; a clock runs again
    ADJUDICATED = "adjudicated"  # the computer's assessment decided it on its tournament's end date
    FORFEITED = "forfeited"  # `by` was withdrawn from its tournament: the match is over
    ENDS_SOON = "ends_soon"  # private: the end date is near; details: ends (milliseconds)
    CLOCK_LOST = "clock_lost"  # private, to `by`: the next lost clock without a move withdraws
    STAGE_STARTED = "stage_started"  # of a tournament; details: name, what, stage, ends (milliseconds)
    ENTRANT_WITHDRAWN = "entrant_withdrawn"  # private, of a tournament; details: name, withdrawal, why
    TOURNAMENT_OVER = (
        "tournament_over"  # of a tournament; details: name, entrants, in private place; or cancelled
    )
    TOURNAMENT_CHANGED = "tournament_changed"  # its settings; details: name, starts, perhaps before (millis)
    TOURNAMENT_ANNOUNCED = "tournament_announced"  # `by` announced it in a channel, where people join
    TOURNAMENT_UPDATED = "tournament_updated"  # edits the post of TOURNAMENT_ANNOUNCED; details: post
    LADDER_UNANSWERED = (
        "ladder_unanswered"  # private, of a tournament: declined or expired; details: name, player
    )
    LADDER_CHALLENGED = "ladder_challenged"  # private, by `by`; details: name, player, game, until (millis)
    REMINDED = "reminded"  # private: the match waits for that person
    DAILY_PUZZLE_OFF = "daily_puzzle_off"  # private, to `by`; details: is_forbidden, server_name, name
    DIGEST = "digest"  # private: what happened in the matches that the person follows


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something to announce exactly once: data, never sentences.

    It is sent to `channel` or, if `to` is set, only to that account. One of `challenge`, `match` and
    `tournament` is set, in a DIGEST and a DAILY_PUZZLE_OFF none. `ply` is the ply of the board to show;
    `first_ply` is the first announced move, so that a TURN covers first_ply..ply, as does an OFFERED that
    `undoes` these moves; it is None if no move is announced. `takebacks` is the number of takebacks before.
    `by` is the account that acted, `recipients` are the accounts to notify. `details` depend on the kind;
    DIRECT marks a player's own copy of an announcement that would be public in a channel. `attempts` counts
    how often it was claimed for sending. `request` is the id of the request that made it (see
    :meth:`matches.work.requests.Requests.handle`), known once it was claimed. The front end of `platform`
    sends it.

    `Matches.views.at_announcement` returns the match as it was at that time.
    """

    id: AnnouncementId
    kind: AnnouncementKind
    challenge: ChallengeId | None
    match: MatchId | None
    ply: int
    first_ply: int | None
    by: str
    recipients: tuple[str, ...]
    server: str
    channel: str
    made_at: datetime
    attempts: int = 0
    details: Mapping[str, str | int] = field(default_factory=lambda: EMPTY_DETAILS)
    to: str | None = None
    takebacks: int = 0
    request: int | None = None
    platform: str = ""
    tournament: int | None = None

    @property
    def destination(self) -> str:
        """The account that it is addressed to, else its channel."""
        return self.to or self.channel

    @property
    def is_direct(self) -> bool:
        """Whether this is a player's copy, of a match without a place or in one on another platform."""
        return DIRECT in self.details

    @property
    def is_quiet(self) -> bool:
        """Whether the recipients are named without being notified, because that has happened often."""
        return QUIET in self.details

    @property
    def notified(self) -> tuple[str, ...]:
        """The recipients whom a post notifies: not those who want to be told in another way."""
        silent = 0 if not self.is_quiet else -1
        silent |= int(self.details.get(SILENT, 0))
        return tuple(one for place, one in enumerate(self.recipients) if not silent >> place & 1)

    @property
    def revision(self) -> int:
        """The revision of the announced board (see :func:`matches.values.encode_revision`)."""
        return encode_revision(self.ply, self.takebacks)


@dataclass(frozen=True, slots=True)
class ChallengeUpdate:
    """A committed change of a challenge and its announcement."""

    challenge: Challenge
    announcement: Announcement


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """A committed change of a match and its announcement.

    `match` is the current view. `announcement` is None after the first pick of a simultaneous choice and
    while a turn is incomplete (:attr:`MatchView.moves_due` says how many moves are still owed).
    """

    match: MatchView
    announcement: Announcement | None


@dataclass(frozen=True, slots=True)
class MatchHistory:
    """A whole match: its initial position (None if it never had one) and every move.

    `fingerprint` is that of this state of the match, without its rematch.
    """

    match: MatchView
    fingerprint: MatchFingerprint
    start: Position | None
    moves: tuple[LoggedMove, ...]


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """Where a stored match first differs from the replay of its log."""

    ply: int
    field: str
    stored: str
    replayed: str


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The result of replaying a match; `difference` is None if everything agrees."""

    match: MatchId
    moves: int
    difference: AuditDifference | None
