"""What calls give back, committed: steps, turns, histories, audits, and what is now to be announced."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.values import EMPTY_DETAILS, encode_revision

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Position
    from matches.match_view import LoggedMove, MatchView
    from matches.values import AnnouncementId, Challenge, ChallengeId, MatchId


class AnnouncementKind(StrEnum):
    """What happened. A front end finds the words."""

    CHALLENGED = "challenged"  # a challenge stands
    DECLINED = "declined"  # the addressee declined it
    WITHDRAWN = "withdrawn"  # the challenger took it back
    EXPIRED = "lapsed"  # nobody accepted it in time
    CHOOSING = "fists"  # accepted; both people must pick
    STARTED = "started"  # accepted; the board stands
    REVEALED = "revealed"  # both picks are in; the board stands
    TURN = "turn"  # a complete turn; it may have ended the match
    OFFERED = "offered"  # somebody makes an offer; details: offer (its number), what (its kind)
    OFFER_DECLINED = "refused"  # that offer was declined; the same details
    AGREED = "agreed"  # an offer to end was accepted: the match is over; the same details
    TAKEN_BACK = "taken_back"  # an offer to take moves back was accepted; the same details
    ABORTED = "aborted"  # `by` gave the match up before both had moved: there is no result
    RESIGNED = "resigned"  # somebody resigned: the match is over
    FLAGGED = "flagged"  # the time of `by` is over: the other may claim the match or give more time
    CLAIMED = "claimed"  # the other did claim it: the match is over
    TIMED_OUT = "timed_out"  # the time of `by` is over, and with it the match
    TIME_GIVEN = "time_given"  # `by` gave the other more time; details: minutes
    PAUSE_OFFERED = "pause_offered"  # somebody offers to stop the clock
    PAUSE_DECLINED = "pause_refused"  # that offer was declined
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

    It is told in `channel`, or, where `to` is set, to that account alone; those for followers of a match are
    of the same kinds as those for all. Either `challenge` or `match` is set, or neither in a DIGEST. `ply` is
    the ply of the board to show; `first_ply` is the first of the moves told, so a TURN covers first_ply..ply,
    and None where no move is told. `by` is the account of whoever caused it, `recipients` those to be called.
    `attempts` counts how often it has been handed out for sending by `unannounced`. `details` are what the
    kind tells beside that, `takebacks` how often moves had been taken back before. `Matches.view_of` gives
    the match as it stood then.
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

    @property
    def revision(self) -> int:
        """What a button under the board of this announcement remembers of it."""
        return encode_revision(self.ply, self.takebacks)


@dataclass(frozen=True, slots=True)
class ChallengeUpdate:
    """What a call did to a challenge, committed, and what is now to be announced."""

    challenge: Challenge
    announcement: Announcement


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """What a call did to a match, committed, and what is now to be announced.

    `match` is the match as it stands now. `announcement` is None where nothing is to be told:
    after the first of two picks, and while a set-up run is not complete (`match.due` says how many
    placements are still owed).
    """

    match: MatchView
    announcement: Announcement | None


@dataclass(frozen=True, slots=True)
class MatchHistory:
    """A whole match: its first position (None if there never was a board) and every move."""

    match: MatchView
    start: Position | None
    moves: tuple[LoggedMove, ...]


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """Where a stored match first departs from the replay of its log."""

    ply: int
    field: str
    stored: str
    replayed: str


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The outcome of replaying one match: `difference` is None where all agrees."""

    match: MatchId
    moves: int
    difference: AuditDifference | None
