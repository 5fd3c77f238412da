"""The daily digest of the matches that somebody watches: one mail, with the boards as they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_texts import format_outline
from mail.account_job import AccountJob
from mail.boards import draw_board
from mail.message import Content, Link, Part, build_message
from mail.writing import texts_for

if TYPE_CHECKING:
    from email.message import EmailMessage

    from i18n import Texts
    from matches import MatchView, Preferences
    from matches.notices.values import Digest

MAX_BOARDS = 3  # of more matches the mail is a list without boards


class DigestJob(AccountJob):
    """The digests that are due to one account."""

    async def compose(self) -> EmailMessage | None:
        """Return the mail about what has happened, None if there is nothing to tell any more."""
        context = self.context
        digest = await context.matches.people.notices.read_digest(self.announcements, now=context.now())
        if digest is None:
            return None
        self.told, self.address = list(self.announcements), digest.address
        return build_message(
            context.sender,
            self.address,
            await self._describe(digest),
            name=self.batch.name,
            now=context.now(),
        )

    async def _describe(self, digest: Digest) -> Content:
        context = self.context
        preferences = await context.matches.people.preferences.get(self.account)
        texts = texts_for(context.texts, preferences.zone)
        with_boards = len(digest.news) <= MAX_BOARDS
        parts = [
            await self._describe_match(texts, view, count, preferences if with_boards else None)
            for view, count in digest.news
        ]
        unwatch = Link(texts("mail.watching.stop_all"), context.links.unwatch_url(self.account, None))
        return Content(
            subject=texts("mail.watching.digest", count=len(parts)),
            parts=tuple(parts),
            foot=(texts("mail.watching.why_digest"),),
            foot_links=(Link(texts("mail.notices.choose"), context.links.notices_url()), unwatch),
            reply_to=context.plain_reply_to,
            headers=context.watching_headers(self.account, None),
        )

    async def _describe_match(
        self, texts: Texts, view: MatchView, count: int, preferences: Preferences | None
    ) -> Part:
        """Return the part about one match with `count` new moves; with `preferences` it has the board."""
        context = self.context
        title, status = format_outline(texts, view, context.games[view.game])
        moves = texts("mail.watching.moves", count=count) if count > 0 else ""
        board = None
        if preferences is not None:
            board = await draw_board(context, texts, view, self.account, preferences)
        link = Link(texts("mail.notices.open"), context.links.match_url(view.id))
        return Part(title, tuple(line for line in (moves, status) if line), link, board)
