"""The post of every announcement, whether an interaction or the outbox sends it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from bot.features import corrections, simultaneous_choice
from bot.features.challenge.feature import build_challenge_post
from bot.features.clocks import posts as clocks
from bot.features.offers import posts as offers
from bot.features.ratings import formatting
from bot.posts.view_button import view_button_id
from matches import AnnouncementKind as Kind
from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from matches import Announcement, Challenge, Matches, MatchView, Person

log = structlog.stdlib.get_logger(__name__)

# What happens to a challenge after it was posted changes that post and makes no new one.
CHALLENGE_EDIT_KINDS = frozenset({Kind.DECLINED, Kind.WITHDRAWN, Kind.EXPIRED})


@dataclass(frozen=True, slots=True)
class AnnouncementRenderer:
    """Makes posts from announcements. `matches` tells what an end did to ratings, `now` what time it is."""

    board_posts: BoardPostFactory
    matches: Matches
    now: Callable[[], datetime]

    async def render_match_post(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the post about a match, as it stood when that happened."""
        post = self._text_post(announcement, view)
        if post is None:
            return await self._board_post(announcement, view)
        note = await self._format_rating_changes(view) if announcement.kind is Kind.CORRECTED else ""
        return (
            replace(post, text=self.board_posts.texts.join([post.text, note], "list.lines")) if note else post
        )

    def _text_post(self, announcement: Announcement, view: MatchView) -> Post | None:
        """Return the post of what is told without a board, None for all else."""
        board_posts, kind = self.board_posts, announcement.kind
        if kind is Kind.CHOOSING:
            return simultaneous_choice.build_choice_post(
                board_posts.texts, board_posts.games, view, announcement
            )
        if kind in {Kind.OFFERED, Kind.OFFER_DECLINED, Kind.CORRECTED}:
            build = corrections.build_correction_post if kind is Kind.CORRECTED else offers.build_offer_post
            return build(board_posts, view, announcement)
        return (
            clocks.build_clock_post(board_posts, view, announcement) if kind in clocks.CLOCK_KINDS else None
        )

    async def _board_post(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the post of what is shown with a board."""
        board_posts = self.board_posts
        match announcement.kind:
            case Kind.TAKEN_BACK | Kind.ABORTED:
                return await offers.build_offer_result_post(board_posts, view, announcement)
            case Kind.STARTED:
                return await board_posts.start_post(view, announcement)
            case Kind.REVEALED if view.reveal is not None:
                opening = simultaneous_choice.format_reveal(
                    board_posts.texts, board_posts.games[view.game], view.reveal
                )
                return await board_posts.start_post(view, announcement, opening)
            case Kind.TURN:
                return await board_posts.turn_post(
                    view, announcement, await self._format_rating_changes(view)
                )
            case Kind.AGREED | Kind.RESIGNED | Kind.CLAIMED | Kind.TIMED_OUT:
                return await board_posts.end_post(view, announcement, await self._format_rating_changes(view))
            case _:
                raise ValueError(f"{announcement.kind} tells of no match")

    async def _format_rating_changes(self, view: MatchView) -> str:
        """Tell what the end of a match did to both ratings, as far as that is known."""
        if view.result is None or not view.terms.rated:
            return ""
        try:
            changes = await self.matches.ratings.changes(view.id, now=self.now())
        except StorageUnavailable as error:
            log.warning("ratings.unknown", match=view.id, error=str(error))
            return ""
        return formatting.format_changes(self.board_posts.texts, changes)

    def render_challenge_post(self, challenge: Challenge, accepted_by: Person | None = None) -> Post:
        """Return the post about a challenge as it stands."""
        return build_challenge_post(self.board_posts.texts, self.board_posts.games, challenge, accepted_by)


def marker_id(announcement: Announcement) -> str:
    """Return the custom_id that the post of an announcement, and no other, carries."""
    if announcement.challenge is not None:
        return f"accept1:{announcement.challenge}"
    if announcement.kind is Kind.DIGEST:
        return f"digest1:{announcement.id}"
    if announcement.match is None:
        raise ValueError(f"announcement {announcement.id} is about nothing")
    if announcement.kind is Kind.CHOOSING and announcement.to is None:
        return f"fists1:{announcement.match}"
    return view_button_id(announcement.match, announcement.revision, announcement)
