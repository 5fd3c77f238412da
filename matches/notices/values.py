"""What people are told about, the ways of telling them, and a person's choice of ways."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from matches.platforms import MAIL, PUSH, WEB, platform_of
from matches.preferences.values import DEFAULT_PREFERENCES, ReminderChannel, parse_preferences
from matches.updates import AnnouncementKind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.match_view import MatchView
    from matches.preferences.values import Preferences
    from matches.updates import Announcement
    from matches.values import Challenge

Kind = AnnouncementKind


class NoticeKind(StrEnum):
    """What a person chooses ways for."""

    TURN = "turn"  # it is their turn, or a match starts
    CHALLENGE = "challenge"  # a challenge to them, or the answer to theirs
    OFFER = "offer"  # a draw, a pause, a takeback, and the answers
    TIME = "time"  # reminders, time-outs, vacations
    OVER = "over"  # a match has ended
    DIGEST = "digest"  # matches that they watch


class Way(StrEnum):
    """How a person is told."""

    DIRECT = "direct"  # a direct message on the platform of their account
    CHANNEL = "channel"  # a mention where the match is played
    MAIL = "mail"
    PUSH = "push"


Ways = frozenset[Way]
COPY_WAYS: Mapping[str, Way] = MappingProxyType({MAIL: Way.MAIL, PUSH: Way.PUSH})
"""The ways that are platforms of their own in the outbox, by platform."""

DELAYS: Mapping[Way, timedelta] = MappingProxyType(
    {Way.PUSH: timedelta(seconds=10), Way.MAIL: timedelta(minutes=2)}
)
"""How long a copy waits: what the person has seen by then is not told."""

LIFETIME = timedelta(days=3)
"""A copy that could not be sent for so long is worth nothing any more."""

NOTICE_KINDS: Mapping[AnnouncementKind, NoticeKind] = MappingProxyType(
    {
        Kind.CHALLENGED: NoticeKind.CHALLENGE,
        Kind.DECLINED: NoticeKind.CHALLENGE,
        Kind.WITHDRAWN: NoticeKind.CHALLENGE,
        Kind.EXPIRED: NoticeKind.CHALLENGE,
        Kind.CHOOSING: NoticeKind.TURN,
        Kind.STARTED: NoticeKind.TURN,
        Kind.REVEALED: NoticeKind.TURN,
        Kind.TURN: NoticeKind.TURN,
        Kind.TAKEN_BACK: NoticeKind.TURN,
        Kind.MOVED: NoticeKind.TURN,
        Kind.OFFERED: NoticeKind.OFFER,
        Kind.OFFER_DECLINED: NoticeKind.OFFER,
        Kind.OFFER_WITHDRAWN: NoticeKind.OFFER,
        Kind.PAUSE_OFFERED: NoticeKind.OFFER,
        Kind.PAUSE_DECLINED: NoticeKind.OFFER,
        Kind.PAUSE_WITHDRAWN: NoticeKind.OFFER,
        Kind.PAUSED: NoticeKind.OFFER,
        Kind.FLAGGED: NoticeKind.TIME,
        Kind.NUDGED: NoticeKind.TIME,
        Kind.TIME_GIVEN: NoticeKind.TIME,
        Kind.RESUMED: NoticeKind.TIME,
        Kind.AWAY: NoticeKind.TIME,
        Kind.BACK: NoticeKind.TIME,
        Kind.UNREACHED: NoticeKind.TIME,
        Kind.REACHED: NoticeKind.TIME,
        Kind.REMINDED: NoticeKind.TIME,
        Kind.AGREED: NoticeKind.OVER,
        Kind.ABORTED: NoticeKind.OVER,
        Kind.RESIGNED: NoticeKind.OVER,
        Kind.CLAIMED: NoticeKind.OVER,
        Kind.TIMED_OUT: NoticeKind.OVER,
        Kind.CORRECTED: NoticeKind.OVER,
        Kind.ADJUDICATED: NoticeKind.OVER,
        Kind.FORFEITED: NoticeKind.OVER,
        Kind.ENDS_SOON: NoticeKind.TIME,
        Kind.CLOCK_LOST: NoticeKind.TIME,
        Kind.STAGE_STARTED: NoticeKind.TURN,
        Kind.ENTRANT_WITHDRAWN: NoticeKind.OVER,
        Kind.TOURNAMENT_OVER: NoticeKind.OVER,
        Kind.TOURNAMENT_CHANGED: NoticeKind.TIME,
        Kind.TOURNAMENT_ANNOUNCED: NoticeKind.CHALLENGE,
        Kind.TOURNAMENT_UPDATED: NoticeKind.CHALLENGE,
        Kind.LADDER_CHALLENGED: NoticeKind.CHALLENGE,
        Kind.LADDER_UNANSWERED: NoticeKind.CHALLENGE,
        Kind.DAILY_PUZZLE_OFF: NoticeKind.OVER,
        Kind.DIGEST: NoticeKind.DIGEST,
    }
)
"""The kind of notice of each announcement; a turn that ends a match is :attr:`NoticeKind.OVER`."""

UNCOPIED = frozenset(
    {
        *(Kind.WITHDRAWN, Kind.OFFER_WITHDRAWN, Kind.PAUSE_WITHDRAWN),  # nothing is left to answer
        *(Kind.MOVED, Kind.UNREACHED, Kind.REACHED),  # about places that a copy does not need
        *(Kind.TOURNAMENT_ANNOUNCED, Kind.TOURNAMENT_UPDATED),  # for everybody in a channel
        Kind.DAILY_PUZZLE_OFF,  # for whoever set it in Discord
        Kind.DIGEST,  # written by `matches.following`
    }
)
"""What nobody is told by mail or push."""

PASSIVE = frozenset(
    {
        *(Kind.FLAGGED, Kind.TIMED_OUT, Kind.EXPIRED, Kind.REMINDED, Kind.BACK),
        *(Kind.ADJUDICATED, Kind.FORFEITED, Kind.ENDS_SOON, Kind.CLOCK_LOST),
        *(Kind.STAGE_STARTED, Kind.ENTRANT_WITHDRAWN, Kind.TOURNAMENT_OVER, Kind.TOURNAMENT_CHANGED),
    }
)
"""What happens to `by`: the person has not done it, and is told if they are a recipient."""

_DIRECT, _CHANNEL = frozenset({Way.DIRECT}), frozenset({Way.CHANNEL})
_AWAY, _MAIL = frozenset({Way.MAIL, Way.PUSH}), frozenset({Way.MAIL})
_REMINDED: Mapping[ReminderChannel, Ways] = MappingProxyType(
    {
        ReminderChannel.DIRECT: _DIRECT,
        ReminderChannel.MATCH_CHANNEL: _CHANNEL,
        ReminderChannel.OFF: frozenset[Way](),
    }
)


@dataclass(frozen=True, slots=True)
class NoticeChoice:
    """How a person wants to be told, and the preferences that say when."""

    account: str
    ways: Mapping[NoticeKind, Ways]
    preferences: Preferences = DEFAULT_PREFERENCES


def possible_ways(kind: NoticeKind) -> tuple[Way, ...]:
    """Return the ways among which a person chooses for a kind; what they lack is not left out."""
    return (Way.DIRECT, Way.MAIL) if kind is NoticeKind.DIGEST else tuple(Way)


def notice_kind(kind: AnnouncementKind, *, is_over: bool) -> NoticeKind:
    """Return the kind of an announcement; `is_over`: of a match that has ended."""
    return NoticeKind.OVER if kind is AnnouncementKind.TURN and is_over else NOTICE_KINDS[kind]


def default_ways(account: str, preferences: Preferences) -> dict[NoticeKind, Ways]:
    """Return how a person is told who has chosen nothing.

    Where reminders go was a preference of its own, which counts until the person chooses ways for them.
    """
    if platform_of(account) == WEB:
        return {kind: _MAIL if kind is NoticeKind.DIGEST else _AWAY for kind in NoticeKind}
    ways = dict.fromkeys(NoticeKind, _CHANNEL)
    return ways | {NoticeKind.TIME: _REMINDED[preferences.reminder_channel], NoticeKind.DIGEST: _DIRECT}


def format_ways(ways: Mapping[NoticeKind, Ways]) -> str:
    """Return the stored form, a JSON object of the kinds for which ways were chosen."""
    return json.dumps({kind: sorted(chosen) for kind, chosen in ways.items()})


@lru_cache(maxsize=1024)
def parse_ways(stored: str | None) -> Mapping[NoticeKind, Ways]:
    """Parse the stored form: only the kinds for which ways were chosen. What is unknown is left out."""
    data = {} if stored is None else json.loads(stored)
    return MappingProxyType(
        {
            NoticeKind(kind): frozenset(Way(way) for way in ways if way in set(Way))
            for kind, ways in data.items()
            if kind in set(NoticeKind)
        }
    )


def parse_choice(account: str, notices: str | None, preferences: str | None) -> NoticeChoice:
    """Return the choice of a person from the stored forms of their ways and preferences."""
    parsed = DEFAULT_PREFERENCES if preferences is None else parse_preferences(preferences)
    return NoticeChoice(account, {**default_ways(account, parsed), **parse_ways(notices)}, parsed)


@dataclass(frozen=True, slots=True)
class MailAddress:
    """A mail address of a person; `stopped_at` says since when nothing is sent there.

    `has_failed` if that is so because mails came back, and not because the person stopped them.
    """

    address: str
    is_confirmed: bool
    has_failed: bool
    stopped_at: datetime | None

    @property
    def is_used(self) -> bool:
        """Whether notices are sent there."""
        return self.is_confirmed and self.stopped_at is None


@dataclass(frozen=True, slots=True)
class Reach:
    """How a person can be told: their mail addresses, the number of browsers with push, and Discord."""

    addresses: tuple[MailAddress, ...]
    devices: int
    has_chat: bool

    @property
    def address(self) -> str | None:
        """The address to which notices go: the first that is confirmed and not stopped; None without one."""
        return next((one.address for one in self.addresses if one.is_used), None)

    @property
    def failed_addresses(self) -> tuple[str, ...]:
        """The confirmed addresses to which nothing is sent any more because mails came back."""
        return tuple(one.address for one in self.addresses if one.is_confirmed and one.has_failed)

    @property
    def ways(self) -> Ways:
        """The ways that the person has now."""
        chat = {Way.DIRECT, Way.CHANNEL} if self.has_chat else set[Way]()
        mail = {Way.MAIL} if self.address is not None else set[Way]()
        return frozenset(chat | mail | ({Way.PUSH} if self.devices else set()))


@dataclass(frozen=True, slots=True)
class Digest:
    """What has happened in the matches that a person watches, to tell them by mail now.

    `news` are the matches as they are now, each with the number of new moves.
    """

    account: str
    address: str
    news: tuple[tuple[MatchView, int], ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell a person now, by mail or push.

    `account` is who is told, `address` their mail address, None for a push. `view` is the match as it was
    announced, with the names that the person may see, None for a `challenge` and what is about a tournament.
    `expires_at` is when the notice is worth nothing any more: the deadline of the turn or challenge, if there
    is one.
    """

    announcement: Announcement
    kind: NoticeKind
    account: str
    address: str | None
    game: Game
    view: MatchView | None
    challenge: Challenge | None
    expires_at: datetime

    @property
    def is_watched(self) -> bool:
        """Whether it is about a match that the person watches, and does not play."""
        return self.view is not None and self.view.seat(self.account) is None
