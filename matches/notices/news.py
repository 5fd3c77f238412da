"""Whether what a copy tells is still news: nothing that was answered meanwhile is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.rows import clock_from_row
from matches.notices.values import LIFETIME, NoticeKind, notice_kind
from matches.reminders.sweep import awaited_accounts
from matches.times import to_millis
from matches.updates import AnnouncementKind
from matches.values import ChallengeState, EndReason, MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from matches.updates import Announcement
    from storage.match.challenges import ChallengeRow
    from storage.match.matches import MatchRow

Kind = AnnouncementKind
_OF_BOARD = frozenset({Kind.STARTED, Kind.TAKEN_BACK, Kind.NUDGED, Kind.OFFER_DECLINED, Kind.PAUSE_DECLINED})
"""What is news for as long as the board is shown, whoever is to move."""

_ENDS = ("ends", "until", "starts")
"""The details of what is announced about a tournament that say until when it is news, in milliseconds."""


def is_news(
    announcement: Announcement, match: MatchRow | None, challenge: ChallengeRow | None, now: datetime
) -> bool:
    """Return whether a copy still tells something; not after LIFETIME.

    A stage of a tournament is no news after its end, nor a new date after that date, nor a challenge on a
    ladder after the time for its answer.
    """
    if announcement.made_at + LIFETIME <= now:
        return False
    if announcement.tournament is not None:
        ends = [int(announcement.details[one]) for one in _ENDS if one in announcement.details]
        return min(ends, default=to_millis(now) + 1) > to_millis(now)
    if match is not None:
        return _is_news_of_match(announcement, match)
    return challenge is not None and _is_news_of_challenge(announcement, challenge, to_millis(now))


def _is_news_of_challenge(announcement: Announcement, row: ChallengeRow, now: int) -> bool:
    if announcement.kind is Kind.CHALLENGED:
        return row.state == ChallengeState.OPEN and row.expires_at > now
    return True


def _is_news_of_match(announcement: Announcement, row: MatchRow) -> bool:
    is_over = row.state == MatchState.OVER
    is_same_board = (row.turn_ply, row.takebacks) == (announcement.ply, announcement.takebacks)
    kind = announcement.kind
    if kind is Kind.TURN and is_over:
        has_ended = row.reason == EndReason.PLAYED or "resigned" in announcement.details
        return is_same_board and has_ended
    if notice_kind(kind, is_over=is_over) is NoticeKind.OVER:
        return is_over
    return not is_over and _is_news_of_play(announcement, row, is_same_board=is_same_board)


def is_watcher(announcement: Announcement, row: MatchRow) -> bool:
    """Return whether an announcement is to somebody who does not play in its match."""
    return announcement.to not in {row.first, row.second}


def _is_news_of_play(announcement: Announcement, row: MatchRow, *, is_same_board: bool) -> bool:
    """Return whether something that was announced in a match that is not over is news still."""
    if is_watcher(announcement, row):
        return is_same_board
    kind, is_choosing = announcement.kind, row.state == MatchState.CHOOSING
    if kind is Kind.CHOOSING:
        return is_choosing and announcement.to in awaited_accounts(row)
    if kind in {Kind.TURN, Kind.REVEALED, Kind.REMINDED}:
        return (is_choosing or is_same_board) and announcement.to in awaited_accounts(row)
    if kind is Kind.OFFERED:
        return row.pending_offer == announcement.details["offer"]
    return is_same_board if kind in _OF_BOARD else _is_news_of_clock(announcement, row)


def _is_news_of_clock(announcement: Announcement, row: MatchRow) -> bool:
    clock = clock_from_row(row)
    if announcement.kind is Kind.PAUSE_OFFERED:
        is_open = clock is not None and not clock.pause_declined and not clock.paused
        return is_open and clock is not None and clock.pause_offered_by == announcement.by
    if announcement.kind is Kind.FLAGGED:
        return clock is not None and announcement.by in clock.flagged_at
    if announcement.kind is Kind.PAUSED:
        return clock is not None and clock.paused
    return True
