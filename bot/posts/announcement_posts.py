"""The post of each announcement, whether a response or the outbox sends it.

Starts, turns and ends are built here; features build the posts of all other kinds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from bot.posts.view_button import view_button_id
from bot.ui import ids
from bot.ui.access import MemberLookup
from bot.ui.buttons import view_of
from bot.ui.interactions import DELIVERY_ERRORS
from i18n.announcements import HAS_LEFT
from matches import AnnouncementKind

if TYPE_CHECKING:
    from bot.context import BotClient
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from engine.game import Game
    from i18n import Texts
    from matches import Announcement, Challenge, MatchView, Person

AnnouncementBuilder = Callable[["BoardPostFactory", "MatchView", "Announcement"], Awaitable["Post"]]
PRIVATE_MARKERS: Mapping[AnnouncementKind, str] = MappingProxyType(
    {AnnouncementKind.DIGEST: "digest1", AnnouncementKind.DAILY_PUZZLE_OFF: "puzzleoff1"}
)
PrivatePostBuilder = Callable[["BotClient", "Announcement"], "Post"]
TournamentPostBuilder = Callable[["BotClient", "Announcement"], Awaitable["Post | None"]]
ResultNote = Callable[["BotClient", "MatchView"], Awaitable[str]]
ClosingPostBuilder = Callable[["Texts", "Challenge", "Announcement"], "Post"]
ChallengePostBuilder = Callable[["Texts", Mapping[str, "Game"], "Challenge", "Person | None"], "Post"]

# These edit the post of the challenge; the person who is to know it gets a short post besides.
CHALLENGE_EDIT_KINDS = frozenset(
    {AnnouncementKind.DECLINED, AnnouncementKind.WITHDRAWN, AnnouncementKind.EXPIRED}
)


@dataclass(frozen=True, slots=True)
class AnnouncementRenderer:
    """Builds posts from announcements.

    The functions come from the features; `format_result_note` returns what is appended to the post of a
    result, or an empty text.
    """

    client: BotClient
    board_posts: BoardPostFactory
    builders: Mapping[AnnouncementKind, AnnouncementBuilder]
    tournament_builders: tuple[TournamentPostBuilder, ...]
    private_builders: Mapping[AnnouncementKind, PrivatePostBuilder]
    format_result_note: ResultNote
    build_challenge_post: ChallengePostBuilder
    build_closing_post: ClosingPostBuilder

    async def render_match_post(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the post about a match; `view` is the match as it was when the announcement was made.

        Raises ValueError for a kind that is not about one match.
        """
        kind, board_posts = announcement.kind, self.board_posts
        if kind is AnnouncementKind.FLAGGED and await self._has_left(announcement):
            announcement = replace(announcement, details={**announcement.details, HAS_LEFT: 1})
        builder = self.builders.get(kind)
        if builder is not None:
            post = await builder(board_posts, view, announcement)
            note = await self._format_note(view) if kind is AnnouncementKind.CORRECTED else ""
            return (
                replace(post, text=board_posts.texts.join([post.text, note], "list.lines")) if note else post
            )
        return await board_posts.announcement_post(view, announcement, await self._format_note(view))

    def render_private_post(self, announcement: Announcement) -> Post | None:
        """Return the post to one person that a feature builds for this kind; None if none does."""
        build = self.private_builders.get(announcement.kind)
        return None if build is None else build(self.client, announcement)

    async def render_tournament_post(self, announcement: Announcement) -> Post | None:
        """Return the post about a tournament; None if there is nothing to tell any more."""
        for build in self.tournament_builders:
            post = await build(self.client, announcement)
            if post is not None:
                return post
        return None

    async def _has_left(self, announcement: Announcement) -> bool:
        """Return whether Discord says that the player who acted is no longer on the server of the post."""
        if announcement.is_direct or not ids.is_from_discord(announcement.by):
            return False
        try:
            return await MemberLookup(self.client).find(announcement.server, announcement.by) is None
        except DELIVERY_ERRORS:
            return False

    async def render_outdated_post(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the text and the buttons of a post whose board is no longer the latest."""
        renderer = replace(self, board_posts=replace(self.board_posts, with_pictures=False))
        return await renderer.render_match_post(announcement, replace(view, is_current=False, time=None))

    async def _format_note(self, view: MatchView) -> str:
        return "" if view.result is None else await self.format_result_note(self.client, view)

    def render_challenge_post(self, challenge: Challenge, accepted_by: Person | None = None) -> Post:
        """Return the post of a challenge in its current state."""
        board_posts = self.board_posts
        post = self.build_challenge_post(board_posts.texts, board_posts.games, challenge, accepted_by)
        if post.buttons is None:
            return post
        build_answers = post.buttons
        guide = board_posts.buttons_for_newcomers(challenge.game, challenge.options)
        return replace(post, buttons=lambda: view_of(*build_answers().children, *guide))

    def render_closing_post(self, announcement: Announcement, challenge: Challenge) -> Post:
        """Return the post that tells a recipient that a challenge is closed."""
        return self.build_closing_post(self.board_posts.texts, challenge, announcement)


def marker_id(announcement: Announcement) -> str:
    """Return the custom_id that identifies the post of an announcement; no other post has it.

    Raises ValueError for an announcement about nothing.
    """
    if announcement.tournament is not None:
        return f"tnews1:{announcement.tournament}:{announcement.id}"
    if announcement.kind in CHALLENGE_EDIT_KINDS:
        return f"closed1:{announcement.id}"
    if announcement.challenge is not None:
        return f"accept1:{announcement.challenge}"
    if announcement.kind in PRIVATE_MARKERS:
        return f"{PRIVATE_MARKERS[announcement.kind]}:{announcement.id}"
    if announcement.match is None:
        raise ValueError(f"announcement {announcement.id} is about nothing")
    if announcement.kind is AnnouncementKind.CHOOSING and (announcement.to is None or announcement.is_direct):
        return f"fists1:{announcement.match}"
    return view_button_id(announcement.match, announcement.revision, announcement)
