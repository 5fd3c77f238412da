"""The announcements to one person that are sent together, such as by mail: claimed and recorded as one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.posting.announcements import LEASE, announcement_from_row, retry_delay
from matches.times import to_millis
from storage.posting import outbox

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from matches.updates import Announcement
    from storage import Database


class AnnouncementsByAccount:
    """The announcements of a database that are private, account by account."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim_due(
        self, platform: str, *, now: datetime, limit: int = 20
    ) -> Mapping[str, tuple[Announcement, ...]]:
        """Lease all that is due on a platform to at most `limit` accounts, the oldest announcement first.

        With it comes what failed before and waits. Renew the leases with :meth:`Announcements.renew`. When
        they end without a record of what became of the announcements, these are due again.
        """
        millis, lease = to_millis(now), LEASE // timedelta(milliseconds=1)
        async with self._database.read() as connection:
            accounts = await outbox.list_due_accounts(connection, platform, millis, limit)
        if not accounts:
            return {}
        async with self._database.transaction() as connection:
            rows = await outbox.claim_of(connection, platform, accounts, millis, lease)
        found: dict[str, list[Announcement]] = {}
        for row in rows:
            found.setdefault(row.to or "", []).append(announcement_from_row(row))
        return {account: tuple(announcements) for account, announcements in found.items()}

    async def record_sent(
        self, sent: Iterable[Announcement], obsolete: Iterable[Announcement], post: str, *, now: datetime
    ) -> None:
        """Record that announcements were sent together as `post`, and that others are not to be sent."""
        async with self._database.transaction() as connection:
            for one in sent:
                await outbox.mark_sent(connection, one.id, post, to_millis(now))
            for one in obsolete:
                await outbox.discard(connection, one.id, to_millis(now))

    async def postpone(
        self, announcements: Iterable[Announcement], *, is_failed: bool = True, now: datetime
    ) -> None:
        """Make announcements due again: after a failure later, otherwise at once."""
        async with self._database.transaction() as connection:
            for one in announcements:
                delay = retry_delay(one.attempts) if is_failed else timedelta(0)
                await outbox.postpone(connection, one.id, to_millis(now + delay))
