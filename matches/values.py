"""Basic values: ids, persons, seats, results, offers, challenges.

All are frozen. Times are aware datetimes in UTC. Accounts, servers and channels are opaque texts of the front
end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NewType

from matches.names import MAX_NAME_LENGTH, clean_name, fold_name
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
    """A person, known by `account`, and the `name` that they use at present.

    The name is cleaned (:func:`matches.names.clean_name`), so that it can be shown anywhere as one line of
    text. Where nothing visible is left, the end of the account, if any, stands in for it. `bot` marks an
    account that is not a person and cannot be challenged. It is not stored.
    """

    account: str
    name: str
    bot: bool = False

    def __post_init__(self) -> None:
        """Clean the name."""
        if self.name:
            stand_in = f"#{self.account[-4:]}" if self.account else ""
            object.__setattr__(self, "name", clean_name(self.name) or stand_in)


def tell_apart(first: Person, second: Person) -> tuple[Person, Person]:
    """Return two persons as a text names both: if the names look alike, one is marked with a number.

    It is always the same one of them. The mark is for showing only.
    """
    if not first.name or fold_name(first.name) != fold_name(second.name):
        return first, second
    is_first_marked = first.account > second.account
    marked = first if is_first_marked else second
    shown = replace(marked, name=f"{marked.name[: MAX_NAME_LENGTH - 4]} (2)")
    return (shown, second) if is_first_marked else (first, shown)


class MatchState(StrEnum):
    """The phase of a match."""

    CHOOSING = "choosing"  # a simultaneous choice is pending; there is no position yet
    PLAYING = "playing"
    OVER = "over"


ACTIVE_STATES = (MatchState.CHOOSING, MatchState.PLAYING)

MAX_REASON_LENGTH = 300  # characters of a moderator's reason for a correction


class EndReason(StrEnum):
    """Why a match is over."""

    PLAYED = "played"  # the rules of the game ended it
    RESIGNED = "resigned"
    AGREED = "agreed"  # an offer to end was accepted
    TIME = "time"  # a player ran out of time
    ABANDONED = "abandoned"  # a player stopped playing a match without a clock: never rated
    ABORTED = "aborted"  # before both had moved: no outcome
    CORRECTED = "corrected"  # the managers of the server changed the outcome
    VOIDED = "voided"  # the managers of the server removed the outcome
    ADJUDICATED = "adjudicated"  # not over on the end date of its tournament: never rated
    FORFEITED = "forfeited"  # a player was withdrawn from its tournament by others: never rated
    LEFT = "left"  # a player left its tournament, or was withdrawn after lost clocks: as if resigned


UNRATED_REASONS = (EndReason.ABANDONED, EndReason.ADJUDICATED, EndReason.FORFEITED)
"""What ends a match without counting for ratings, whoever won."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A side and the person who plays it."""

    side: Side
    person: Person


def opposite_side(seats: tuple[Seat, Seat], side: Side) -> Side:
    """Return the side of the two seats that is not `side`."""
    return next(seat.side for seat in seats if seat.side is not side)


@dataclass(frozen=True, slots=True)
class Pick:
    """One person's pick in a simultaneous choice. It exists only once both have picked."""

    person: Person
    pick: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """The outcome of a simultaneous choice: the game's `option` and the `value` that the picks decide.

    `picks` are in the order of the seats at that time.
    """

    picks: tuple[Pick, Pick]
    option: str
    value: str

    @property
    def agreed(self) -> bool:
        """Whether both picks are equal. If they are not, `value` is the third possibility."""
        return self.picks[0].pick == self.picks[1].pick


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of a result by the managers of a server: who, why and when.

    `old_outcome` and `old_reason` are the result before, `outcome` the result after.
    """

    by: Person
    stated_reason: str
    corrected_at: datetime
    old_outcome: Outcome | None
    old_reason: EndReason
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `winner` and `loser` are None after a draw or without an outcome.

    A record of another program may have another `reason`. `correction` is the latest correction of the
    result, if there is one.
    """

    outcome: Outcome | None
    reason: EndReason | str
    winner: Seat | None
    loser: Seat | None
    correction: Correction | None = None


class OfferKind(StrEnum):
    """What a player can offer the opponent."""

    END = "end"  # end the match with the result that the rules define
    DRAW = "draw"  # end the match as a draw
    TAKEBACK = "takeback"  # go back to before the last turn of the player who offers


@dataclass(frozen=True, slots=True)
class Offer:
    """A pending offer of a player. Any move withdraws it."""

    id: OfferId
    kind: OfferKind
    by: Person


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge; `to` is None if anyone may accept it.

    `options` are complete but for random ones and those that a simultaneous choice decides. `colour` is the
    challenger's side, None for a random one. `post` is the front end's reference to the post of its latest
    announcement. With `record`, the match starts from the last position of that imported record. `rematch_of`
    is the match of which this is the rematch. `away` has the persons on vacation, with its latest end.

    `note` is a line from the challenger, for the addressee or whoever has the link alone. An opponent has to
    be `within` that many rating points of the challenger. `by_link`: only who has its link may know of it. A
    standing challenge stays open while fewer than `games` matches of it are `running`; it `is_paused` while
    its challenger is away for long. `standing` is the standing challenge of which this is a copy that was
    accepted. `is_public`: everybody may see it, or its match.
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
    away: tuple[tuple[Person, datetime], ...] = ()
    note: str = ""
    within: int | None = None
    by_link: bool = False
    games: int | None = None
    running: int = 0
    is_paused: bool = False
    standing: ChallengeId | None = None
    is_public: bool = False

    @property
    def free_places(self) -> int:
        """How many matches can begin from it now, if it is open."""
        return 1 if self.games is None else max(0, self.games - self.running)


_REVISION_STRIDE = 1_000_000  # greater than any ply


def encode_revision(ply: int, takebacks: int) -> int:
    """Return the revision of a board: its ply, and how often moves had been taken back before."""
    return takebacks * _REVISION_STRIDE + ply


def decode_revision(revision: int) -> tuple[int, int]:
    """Return the ply and the number of takebacks of a revision."""
    takebacks, ply = divmod(revision, _REVISION_STRIDE)
    return ply, takebacks
