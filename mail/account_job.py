"""A mail about announcements to one account: how it is recorded what became of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from i18n.readers import reading_in
from mail.languages import language_of

if TYPE_CHECKING:
    from email.message import EmailMessage

    from mail.context import MailContext
    from matches import Announcement
    from matches.posting.by_account import Batch


class AccountJob(ABC):
    """Announcements to one account that are one mail. `told` are those of them that the mail tells."""

    kind = "match"  # a letter can be a notice too

    def __init__(self, context: MailContext, batch: Batch) -> None:
        self.context = context
        self.batch = batch
        self.account = batch.account
        self.announcements = batch.announcements
        self.told: list[Announcement] = []
        self.address = ""

    @property
    def envelope_sender(self) -> str | None:
        """Where the mail comes back if it cannot be delivered."""
        return self.context.envelope_sender(self.address)

    async def build(self) -> EmailMessage | None:
        """Return the mail in the language of its reader, None if there is nothing to tell any more."""
        with reading_in(await language_of(self.context, self.account)):
            return await self.compose()

    @abstractmethod
    async def compose(self) -> EmailMessage | None:
        """Return the mail, None if there is nothing to tell any more."""

    async def finish(self, *, is_sent: bool) -> None:
        """Record that the mail was sent; what it does not tell is obsolete."""
        context, told = self.context, self.told if is_sent else []
        obsolete = [one for one in self.announcements if one not in told]
        by_account = context.matches.posting.by_account
        await by_account.record_sent(told, obsolete, self.batch.name, now=context.now())

    async def refuse(self, *, is_final: bool) -> None:
        """Record that the address does not take it. Another mail is tried at the next notice."""
        context = self.context
        await self.finish(is_sent=False)
        await context.matches.people.mail_addresses.record_bounce(
            self.address, is_hard=is_final, now=context.now()
        )

    async def postpone(self, *, is_failed: bool, may_have_arrived: bool = False) -> None:
        """Make all of it due again."""
        context = self.context
        await context.matches.posting.by_account.postpone(
            self.batch, is_failed=is_failed, may_have_arrived=may_have_arrived, now=context.now()
        )
