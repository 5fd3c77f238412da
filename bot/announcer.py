"""The post of every announcement, whether an interaction or the outbox sends it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from bot import fists
from bot.challenges import challenge_post
from bot.clocks import posts as clocks
from bot.offers import posts as offers
from bot.ratings import wording
from bot.servers import corrections
from bot.views import mark
from matches import AnnouncementKind as Kind
from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.desk import Desk
    from bot.posts import Post
    from matches import Announcement, Challenge, Matches, MatchView, Person

log = structlog.stdlib.get_logger(__name__)

# What happens to a challenge after it was posted changes that post and makes no new one.
CHANGES_POST = frozenset({Kind.DECLINED, Kind.WITHDRAWN, Kind.LAPSED})


@dataclass(frozen=True, slots=True)
class Announcer:
    """Makes posts from announcements. `matches` tells what an end did to ratings, `now` what time it is."""

    desk: Desk
    matches: Matches
    now: Callable[[], datetime]

    async def match_post(self, announcement: Announcement, view: MatchView) -> Post:
        """Give the post about a match, as it stood when that happened."""
        post = self._told(announcement, view)
        if post is None:
            return await self._shown(announcement, view)
        note = await self._changes(view) if announcement.kind is Kind.CORRECTED else ""
        return replace(post, text=self.desk.words.listed([post.text, note], "list.lines")) if note else post

    def _told(self, announcement: Announcement, view: MatchView) -> Post | None:
        """Give the post of what is told without a board, None for all else."""
        desk, kind = self.desk, announcement.kind
        if kind is Kind.FISTS:
            return fists.post(desk.words, desk.games, view, announcement)
        if kind in {Kind.OFFERED, Kind.REFUSED, Kind.CORRECTED}:
            make = corrections.post if kind is Kind.CORRECTED else offers.post
            return make(desk, view, announcement)
        return clocks.post(desk, view, announcement) if kind in clocks.KINDS else None

    async def _shown(self, announcement: Announcement, view: MatchView) -> Post:
        """Give the post of what is shown with a board."""
        desk = self.desk
        match announcement.kind:
            case Kind.TAKEN_BACK | Kind.ABORTED:
                return await offers.shown(desk, view, announcement)
            case Kind.STARTED:
                return await desk.started(view, announcement)
            case Kind.REVEALED if view.reveal is not None:
                opening = fists.opened(desk.words, desk.games[view.game], view.reveal)
                return await desk.started(view, announcement, opening)
            case Kind.TURN:
                return await desk.turn(view, announcement, await self._changes(view))
            case Kind.AGREED | Kind.RESIGNED | Kind.CLAIMED | Kind.TIMED_OUT:
                return await desk.over(view, announcement, await self._changes(view))
            case _:
                raise ValueError(f"{announcement.kind} tells of no match")

    async def _changes(self, view: MatchView) -> str:
        """Tell what the end of a match did to both ratings, as far as that is known."""
        if view.result is None or not view.terms.rated:
            return ""
        try:
            made = await self.matches.ratings.changes(view.id, now=self.now())
        except StorageUnavailable as error:
            log.warning("ratings.unknown", match=view.id, error=str(error))
            return ""
        return wording.changes(self.desk.words, made)

    def challenge_post(self, challenge: Challenge, taker: Person | None = None) -> Post:
        """Give the post about a challenge as it stands."""
        return challenge_post(self.desk.words, self.desk.games, challenge, taker)


def own_mark(announcement: Announcement) -> str:
    """Give the custom_id that the post of an announcement, and no other, carries."""
    if announcement.challenge is not None:
        return f"accept1:{announcement.challenge}"
    if announcement.kind is Kind.DIGEST:
        return f"digest1:{announcement.id}"
    if announcement.match is None:
        raise ValueError(f"announcement {announcement.id} is about nothing")
    if announcement.kind is Kind.FISTS and announcement.to is None:
        return f"fists1:{announcement.match}"
    return mark(announcement.match, announcement.stamp, announcement)
