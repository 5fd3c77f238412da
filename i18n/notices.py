"""What a person is told by mail or push: a short title, and the lines below it.

Nothing in them was written by another person, except names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from i18n import clocks, match_texts
from i18n.announcements import (
    describe_announcement,
    describe_challenge,
    describe_time,
    describe_turn_to_move,
)
from i18n.match_names import format_match_name
from i18n.tournaments import describe_tournament_notice, format_tournament_title
from matches.notices.values import NoticeKind, Way
from matches.updates import AnnouncementKind

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from i18n.catalogue import Texts
    from matches.match_view import MatchView
    from matches.notices.values import Notice, Reach
    from matches.values import Challenge

Kind = AnnouncementKind


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in words: `title` is the title of a push or the subject of a mail, without a full stop."""

    title: str
    lines: tuple[str, ...]


def describe_notice(texts: Texts, notice: Notice, now: datetime | None = None) -> NoticeText:
    """Return a notice in words; `now` is when it is sent, by default when it was announced.

    Raises ValueError for one that is about nothing.
    """
    if notice.challenge is not None:
        return _describe_challenge(texts, notice, notice.challenge, now)
    if notice.announcement.tournament is not None:
        title = format_tournament_title(texts, notice.announcement)
        return NoticeText(title, tuple(describe_tournament_notice(texts, notice.announcement)))
    if notice.view is None:
        raise ValueError(f"the notice of announcement {notice.announcement.id} is about nothing")
    return _describe_match(texts, notice, notice.view, now)


def format_ways(texts: Texts, ways: Collection[Way]) -> str:
    """Return the ways in which somebody is told, in words."""
    named = [texts(f"notices.way.{way}") for way in Way if way in ways]
    return texts.join(named) if named else texts("notices.none")


def describe_lack(texts: Texts, way: Way, reach: Reach) -> str:
    """Return why a person cannot be told in a way, and what to do."""
    stopped = next((one for one in reach.addresses if one.stopped_at is not None), None)
    if way is Way.MAIL and stopped is not None:
        key = "mail_failed" if stopped.has_failed else "mail_stopped"
        return texts(f"notices.lack.{key}", address=stopped.address)
    return texts(f"notices.lack.{way}")


def _describe_challenge(
    texts: Texts, notice: Notice, challenge: Challenge, now: datetime | None
) -> NoticeText:
    is_challenger = notice.account == challenge.by.account
    other = challenge.to if is_challenger else challenge.by
    kind = "expired_open" if other is None else notice.announcement.kind.value
    game = _game_name(texts, challenge.game)
    title = texts(f"notice.challenge.{kind}", name="" if other is None else other, game=game)
    return NoticeText(title, tuple(describe_challenge(texts, challenge, notice.game, now=now)))


def _describe_match(texts: Texts, notice: Notice, view: MatchView, now: datetime | None) -> NoticeText:
    if notice.is_watched:
        return _describe_watched(texts, notice, view)
    opponent = view.opponent(notice.account)
    title = texts(
        f"notice.{_title_key(notice, view)}",
        opponent="" if opponent is None else opponent.person,
        game=_game_name(texts, view.game),
    )
    announcement = notice.announcement
    if announcement.kind is Kind.REMINDED:
        lines = [
            *match_texts.format_outline(texts, view, notice.game),
            clocks.describe_match_time(texts, view, now, notice.account),
        ]
    elif announcement.kind is Kind.CORRECTED:  # its sentence has a reason that a moderator wrote
        name = format_match_name(texts, view, notice.account)
        lines = [texts("notice.corrected_line", match_name=name), match_texts.format_standing(texts, view)]
    else:
        lines = describe_announcement(texts, announcement, view, notice.game)
        lines.append(describe_time(texts, announcement, view, now))
        if notice.kind in {NoticeKind.TIME, NoticeKind.OFFER} and _is_awaited(notice, view):
            lines.append(describe_turn_to_move(texts, view))  # of which this may be the only notice
    return NoticeText(title, tuple(line for line in lines if line))


def _describe_watched(texts: Texts, notice: Notice, view: MatchView) -> NoticeText:
    """Return what a watcher is told: who plays, the last turn, and how it stands."""
    key = "notice.watched.turn" if view.result is None else "notice.watched.over"
    values = match_texts.seat_values(texts, view.seats)
    title = texts(key, first=values["first"], second=values["second"], game=_game_name(texts, view.game))
    return NoticeText(title, tuple(match_texts.format_outline(texts, view, notice.game)))


def _is_awaited(notice: Notice, view: MatchView) -> bool:
    """Return whether a match waits for the reader."""
    return any(person.account == notice.account for person in view.waits_for)


def _title_key(notice: Notice, view: MatchView) -> str:
    """Return the end of the key of a title."""
    announcement, account = notice.announcement, notice.account
    kind = announcement.kind
    is_awaited = _is_awaited(notice, view)
    if kind is Kind.OFFERED or kind is Kind.OFFER_DECLINED:
        return f"{kind.value}.{announcement.details['what']}"
    if kind is Kind.CORRECTED:
        return kind.value
    if notice.kind is NoticeKind.OVER:
        return f"over.{_result_of(view, account)}"
    if kind is Kind.FLAGGED and announcement.by == account:
        return "own_time_over"
    if notice.kind is NoticeKind.TURN and kind is not Kind.CHOOSING and is_awaited:
        return "turn"
    is_of_tournament = kind is Kind.STARTED and "tournament" in announcement.details
    return "tournament_game" if is_of_tournament else kind.value


def _result_of(view: MatchView, account: str) -> str:
    """Return how a match ended for a player: ``won``, ``lost``, ``draw`` or, without a result, ``none``."""
    result = view.result
    if result is None or result.outcome is None:
        return "none"
    if result.winner is None:
        return "draw"
    return "won" if result.winner.person.account == account else "lost"


def _game_name(texts: Texts, game: str) -> str:
    return texts(f"game.{game}.name")
