"""Notices by mail: all that is due to one person about one match, challenge or tournament is one mail.

It can be answered. Where nothing receives mail, and for very much at once, all that is due to a person is one
mail. One about a single match has its revision in the Message-ID; mails about a match belong to one thread.
What may have been sent before is sent again as the same mail, with the same Message-ID, and nothing else
joins it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.notices import describe_notice
from mail.account_job import AccountJob
from mail.boards import draw_board
from mail.digests import DigestJob
from mail.message import Content, Link, Part, build_message, unsubscribe_headers
from mail.possible_answers import describe_challenge_answers, describe_match_answers
from mail.writing import texts_for
from matches import AnnouncementKind, AnnouncementUnknown
from matches.platforms import MAIL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from email.message import EmailMessage

    from i18n import Texts
    from mail.context import MailContext
    from mail.sender import Job
    from matches import Announcement, Preferences
    from matches.notices.values import Notice
    from matches.posting.by_account import Batch

ACCOUNTS_AT_ONCE = 8  # so that letters, such as codes, wait for few notices
MAX_BOARDS = 3  # about more matches the mail is a list without boards,
MAX_LISTED = 50  # and of even more it names only the number
MAX_MAILS = 8  # to one person at once


class NoticeJob(AccountJob):
    """What is due to one account about matches and challenges, and is one mail."""

    async def compose(self) -> EmailMessage | None:
        """Return the mail about what is news still, None if nothing is."""
        notices = [notice for one in self.announcements if (notice := await self._read(one)) is not None]
        self.told = [notice.announcement for notice in notices]
        if not notices:
            await self._record_untold()
            return None
        self.address = notices[-1].address or ""
        return build_message(
            self.context.sender,
            self.address,
            await self._describe(notices),
            name=self.batch.name,
            now=self.context.now(),
        )

    async def _record_untold(self) -> None:
        """Record what cannot be told because mails to the address came back."""
        context = self.context
        for match in {one.match for one in self.announcements if one.match is not None}:
            await context.matches.people.mail_addresses.record_untold(self.account, match, now=context.now())

    async def _read(self, announcement: Announcement) -> Notice | None:
        try:
            return await self.context.matches.people.notices.read(announcement, now=self.context.now())
        except AnnouncementUnknown:  # it was to somebody whose data were erased meanwhile
            return None

    def _headers(self, notices: Sequence[Notice]) -> dict[str, str]:
        context, only = self.context, notices[0] if len(notices) == 1 else None
        view = None if only is None else only.view
        if view is not None and only is not None and only.is_watched:
            headers = context.watching_headers(self.account, view.id)
        else:
            headers = unsubscribe_headers(context.links.stop_url(self.account, self.address))
        if view is not None:
            thread = context.thread_of(view.id)
            headers |= {"In-Reply-To": thread, "References": thread}
        return headers

    def _reply_address(self, notices: Sequence[Notice]) -> str | None:
        """Return where a mail is answered: about one match or challenge there, else at the plain address."""
        replies, only = self.context.replies, notices[0] if len(notices) == 1 else None
        if replies is not None and only is not None and only.view is not None:
            return replies.match_address(only.view.id, only.view.revision, self.account)
        if replies is not None and only is not None and only.challenge is not None:
            return replies.challenge_address(only.challenge.id, self.account)
        return self.context.plain_reply_to

    async def _describe(self, notices: Sequence[Notice]) -> Content:
        context = self.context
        preferences = await context.matches.people.preferences.get(self.account)
        texts = texts_for(context.texts, preferences.zone)
        with_boards = len(notices) <= MAX_BOARDS
        parts = [
            await self._describe_one(
                texts,
                notice,
                preferences if with_boards else None,
                can_answer=context.replies is not None and len(notices) == 1,
            )
            for notice in notices[:MAX_LISTED]
        ]
        subject = parts[0].title
        if len(notices) > 1:
            subject = texts("mail.notices.subject", count=len(notices))
        if len(notices) > MAX_LISTED:
            more = texts("mail.notices.more", count=len(notices) - MAX_LISTED)
            parts.append(Part(more, link=Link(texts("mail.home"), context.links.home_url())))
        stop = Link(texts("mail.notices.stop"), context.links.stop_url(self.account, self.address))
        is_watched = len(notices) == 1 and notices[0].is_watched
        if is_watched and notices[0].view is not None:
            unwatch = context.links.unwatch_url(self.account, notices[0].view.id)
            stop = Link(texts("mail.watching.stop"), unwatch)
        return Content(
            subject=subject,
            parts=tuple(parts),
            foot=(texts("mail.watching.why" if is_watched else "mail.notices.why"),),
            foot_links=(Link(texts("mail.notices.choose"), context.links.notices_url()), stop),
            reply_to=self._reply_address(notices),
            headers=self._headers(notices),
        )

    async def _describe_one(
        self, texts: Texts, notice: Notice, preferences: Preferences | None, *, can_answer: bool
    ) -> Part:
        """Return one part; with `preferences` it has the board, with `can_answer` what can be answered."""
        context, account = self.context, self.account
        told = describe_notice(texts, notice, context.now())
        link, board, answers = Link(texts("mail.home"), context.links.home_url()), None, ""
        if notice.view is not None:
            link = Link(texts("mail.notices.open"), context.links.match_url(notice.view.id))
            answers = describe_match_answers(texts, notice.view, notice.game, account)
            if preferences is not None:
                board = await draw_board(context, texts, notice.view, account, preferences)
        elif notice.announcement.tournament is not None:
            address = context.links.tournament_url(notice.announcement.tournament)
            link = Link(texts("mail.notices.open_tournament"), address)
        elif notice.challenge is not None:
            address = context.links.challenge_url(notice.challenge.id)
            link = Link(texts("mail.notices.open_challenge"), address)
            answers = describe_challenge_answers(texts, notice.challenge, account)
        return Part(told.title, told.lines, link, board, answers=answers if can_answer else "")


class NoticeSource:
    """The notices of a database that go by mail."""

    def __init__(self, context: MailContext) -> None:
        self._context = context

    async def claim(self) -> Sequence[Job]:
        """Claim all that is due to some accounts."""
        due = await self._context.matches.posting.by_account.claim_due(
            MAIL, now=self._context.now(), limit=ACCOUNTS_AT_ONCE, divide=self._divide
        )
        return [self._make_job(batch) for batch in due]

    async def renew(self, jobs: Sequence[Job]) -> None:
        """Keep other processes from claiming them."""
        claimed = [one for job in jobs if isinstance(job, AccountJob) for one in job.announcements]
        await self._context.matches.announcements.renew(claimed, now=self._context.now())

    def _make_job(self, batch: Batch) -> Job:
        is_digest = batch.announcements[0].kind is AnnouncementKind.DIGEST
        return DigestJob(self._context, batch) if is_digest else NoticeJob(self._context, batch)

    def _divide(self, announcements: Sequence[Announcement]) -> Iterator[Sequence[Announcement]]:
        """Yield what is one mail of the announcements to one account."""
        digests = [one for one in announcements if one.kind is AnnouncementKind.DIGEST]
        others = [one for one in announcements if one.kind is not AnnouncementKind.DIGEST]
        by_subject: dict[tuple[int | None, ...], list[Announcement]] = {}
        for one in others:
            by_subject.setdefault((one.match, one.challenge, one.tournament), []).append(one)
        if digests:
            yield digests
        if self._context.replies is not None and len(by_subject) <= MAX_MAILS:
            yield from by_subject.values()
        elif others:
            yield others
