"""Notices by mail: all that is due to one person is one mail.

One about a single match has its revision in the Message-ID; mails about a match belong to one thread.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import render
from i18n.match_texts import describe_pieces
from i18n.notices import describe_notice
from mail.message import Content, Link, Part, Picture, build_message, unsubscribe_headers
from matches import AnnouncementUnknown, BoardOrientation
from matches.platforms import MAIL
from metrics import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from email.message import EmailMessage

    from mail.context import MailContext
    from mail.sender import Job
    from matches import Announcement, MatchView, Preferences
    from matches.notices.values import Notice

ACCOUNTS_AT_ONCE = 20
MAX_BOARDS = 3  # about more matches the mail is a list without boards,
MAX_LISTED = 50  # and of even more it names only the number
PICTURE_WIDTH = 640  # pixels


class NoticeJob:
    """All that is due to one account."""

    kind = "match"  # a letter can be a notice too

    def __init__(self, context: MailContext, account: str, announcements: Sequence[Announcement]) -> None:
        self._context = context
        self._account = account
        self._told: list[Announcement] = []
        self.announcements = tuple(announcements)
        self.address = ""

    async def build(self) -> EmailMessage | None:
        """Return the mail about what is news still, None if nothing is."""
        notices = [notice for one in self.announcements if (notice := await self._read(one)) is not None]
        self._told = [notice.announcement for notice in notices]
        if not notices:
            return None
        self.address = notices[-1].address or ""
        content = await self._describe(notices)
        return build_message(
            self._context.sender,
            self.address,
            content,
            name=_name_of(notices),
            now=self._context.now(),
            headers=self._headers(notices),
        )

    async def finish(self, *, is_sent: bool) -> None:
        """Record that the mail was sent; what it does not tell is obsolete."""
        context, told = self._context, self._told if is_sent else []
        obsolete = [one for one in self.announcements if one not in told]
        await context.matches.posting.by_account.record_sent(told, obsolete, MAIL, now=context.now())
        if is_sent:
            await context.matches.people.mail_addresses.record_delivery(self.address)

    async def refuse(self, *, is_final: bool) -> None:
        """Record that the address does not take it. Another mail is tried at the next notice."""
        context = self._context
        await self.finish(is_sent=False)
        await context.matches.people.mail_addresses.record_refusal(
            self.address, is_final=is_final, now=context.now()
        )

    async def postpone(self, *, is_failed: bool) -> None:
        """Make all of it due again."""
        context = self._context
        await context.matches.posting.by_account.postpone(
            self.announcements, is_failed=is_failed, now=context.now()
        )

    async def _read(self, announcement: Announcement) -> Notice | None:
        try:
            return await self._context.matches.people.notices.read(announcement, now=self._context.now())
        except AnnouncementUnknown:  # it was to somebody whose data were erased meanwhile
            return None

    def _headers(self, notices: Sequence[Notice]) -> dict[str, str]:
        context = self._context
        stop = context.links.stop_url(self._account, self.address)
        headers = unsubscribe_headers(stop)
        match = notices[0].announcement.match
        if len(notices) == 1 and match is not None:
            thread = context.sender.message_id(f"match-{match}")
            headers |= {"In-Reply-To": thread, "References": thread}
        return headers

    async def _describe(self, notices: Sequence[Notice]) -> Content:
        context, texts = self._context, self._context.texts
        preferences = await context.matches.people.preferences.get(self._account)
        with_boards = len(notices) <= MAX_BOARDS
        parts = [
            await self._describe_one(notice, preferences if with_boards else None)
            for notice in notices[:MAX_LISTED]
        ]
        subject = parts[0].title
        if len(notices) > 1:
            subject = texts("mail.notices.subject", count=len(notices))
        if len(notices) > MAX_LISTED:
            more = texts("mail.notices.more", count=len(notices) - MAX_LISTED)
            parts.append(Part(more, link=Link(texts("mail.home"), context.links.home_url())))
        return Content(
            subject=subject,
            parts=tuple(parts),
            foot=(texts("mail.notices.why"),),
            foot_links=(
                Link(texts("mail.notices.choose"), context.links.notices_url()),
                Link(texts("mail.notices.stop"), context.links.stop_url(self._account, self.address)),
            ),
        )

    async def _describe_one(self, notice: Notice, preferences: Preferences | None) -> Part:
        """Return one part; with `preferences` it has the board."""
        context, texts = self._context, self._context.texts
        told = describe_notice(texts, notice)
        link = Link(texts("mail.home"), context.links.home_url())
        picture = None
        if notice.view is not None:
            link = Link(texts("mail.notices.open"), context.links.match_url(notice.view.id))
            if preferences is not None:
                picture = await self._draw(notice.view, preferences)
        elif notice.challenge is not None:
            link = Link(
                texts("mail.notices.open_challenge"), context.links.challenge_url(notice.challenge.id)
            )
        return Part(told.title, told.lines, link, picture)

    async def _draw(self, view: MatchView, preferences: Preferences) -> Picture | None:
        if view.position is None:
            return None
        context, seat = self._context, view.seat(self._account)
        is_posted = preferences.orientation is BoardOrientation.POSTED
        options = render.RenderOptions(
            context.texts,
            None if is_posted or seat is None else seat.side,
            render.ThemeName(preferences.theme),
            width=PICTURE_WIDTH,
            last_turn=view.latest_events,
            large_labels=preferences.large,
            is_over=view.result is not None,
        )
        position = view.position
        with context.matches.metrics.time(Stage.PICTURE):
            png = await asyncio.to_thread(lambda: render.to_png(render.build_scene(position, options)))
        return Picture(png, tuple(describe_pieces(context.texts, position)))


class NoticeSource:
    """The notices of a database that go by mail."""

    def __init__(self, context: MailContext) -> None:
        self._context = context

    async def claim(self) -> Sequence[Job]:
        """Claim all that is due to some accounts."""
        due = await self._context.matches.posting.by_account.claim_due(
            MAIL, now=self._context.now(), limit=ACCOUNTS_AT_ONCE
        )
        return [NoticeJob(self._context, account, found) for account, found in due.items()]

    async def renew(self, jobs: Sequence[Job]) -> None:
        """Keep other processes from claiming them."""
        claimed = [one for job in jobs if isinstance(job, NoticeJob) for one in job.announcements]
        await self._context.matches.announcements.renew(claimed, now=self._context.now())


def _name_of(notices: Sequence[Notice]) -> str:
    """Return the name of a mail, which is the same when it is sent again."""
    last = notices[-1].announcement
    if len(notices) > 1:
        return f"notices-{notices[0].announcement.id}-{last.id}-{len(notices)}"
    if last.match is None:
        return f"challenge-{last.challenge}-{last.id}"
    return f"turn-{last.match}-{last.revision}-{last.id}"
