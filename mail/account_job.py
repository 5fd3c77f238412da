"""A mail about announcements to one account: how it is recorded what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.platforms import MAIL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mail.context import MailContext
    from matches import Announcement


class AccountJob:
    """Announcements to one account that are one mail. `told` are those of them that the mail tells."""

    kind = "match"  # a letter can be a notice too

    def __init__(self, context: MailContext, account: str, announcements: Sequence[Announcement]) -> None:
        self.context = context
        self.account = account
        self.announcements = tuple(announcements)
        self.told: list[Announcement] = []
        self.address = ""

    @property
    def envelope_sender(self) -> str | None:
        """Where the mail comes back if it cannot be delivered."""
        return self.context.envelope_sender(self.address)

    async def finish(self, *, is_sent: bool) -> None:
        """Record that the mail was sent; what it does not tell is obsolete."""
        context, told = self.context, self.told if is_sent else []
        obsolete = [one for one in self.announcements if one not in told]
        await context.matches.posting.by_account.record_sent(told, obsolete, MAIL, now=context.now())

    async def refuse(self, *, is_final: bool) -> None:
        """Record that the address does not take it. Another mail is tried at the next notice."""
        context = self.context
        await self.finish(is_sent=False)
        await context.matches.people.mail_addresses.record_bounce(
            self.address, is_hard=is_final, now=context.now()
        )

    async def postpone(self, *, is_failed: bool) -> None:
        """Make all of it due again."""
        context = self.context
        await context.matches.posting.by_account.postpone(
            self.announcements, is_failed=is_failed, now=context.now()
        )
