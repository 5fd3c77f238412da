"""The announcements to one person that are sent together, such as by mail: claimed and recorded as one.

A process that is killed may have sent them. So each batch has a name, which stays in its rows until they are
recorded as sent, or as surely not sent: they are claimed again as the same batch, and by its name the person
can recognize what comes twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.posting.announcements import LEASE, announcement_from_row, retry_delay
from matches.times import to_millis
from matches.updates import AnnouncementKind
from storage.posting import outbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from matches.updates import Announcement
    from storage import Database

    Divide = Callable[[Sequence[Announcement]], Iterable[Sequence[Announcement]]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Claimed announcements to one account, the oldest first. With `is_old` they had their name before."""

    account: str
    name: str
    announcements: tuple[Announcement, ...]
    is_old: bool


def _keep_together(announcements: Sequence[Announcement]) -> Iterable[Sequence[Announcement]]:
    return [announcements]


class AnnouncementsByAccount:
    """The announcements of a database that are private, account by account."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim_due(
        self, platform: str, *, now: datetime, limit: int = 20, divide: Divide = _keep_together
    ) -> tuple[Batch, ...]:
        """Lease all that is due on a platform to at most `limit` accounts, the oldest announcement first.

        `divide` makes batches of what is new to one account. With it comes what failed before and waits.
        Renew the leases with :meth:`Announcements.renew`. When they end without a record of what became of
        the announcements, these are due again.
        """
        millis, lease = to_millis(now), LEASE // timedelta(milliseconds=1)
        async with self._database.read() as connection:
            accounts = await outbox.list_due_accounts(connection, platform, millis, limit)
        if not accounts:
            return ()
        async with self._database.transaction() as connection:
            rows = await outbox.claim_of(connection, platform, accounts, millis, lease)
            found: dict[tuple[str, str | None], list[Announcement]] = {}
            for row in rows:
                found.setdefault((row.to or "", row.post), []).append(announcement_from_row(row))
            batches = tuple(
                Batch(account, name or _name_of(some), tuple(some), is_old=name is not None)
                for (account, name), announcements in found.items()
                for some in (divide(announcements) if name is None else [announcements])
            )
            names = {int(one.id): batch.name for batch in batches for one in batch.announcements}
            await outbox.set_posts(connection, names)
        return batches

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
        self, batch: Batch, *, is_failed: bool = True, may_have_arrived: bool = False, now: datetime
    ) -> None:
        """Make announcements due again: after a failure later, otherwise at once.

        What has surely never been sent is in one batch with what is due then.
        """
        values = {} if batch.is_old or may_have_arrived else {"post": None}
        async with self._database.transaction() as connection:
            for one in batch.announcements:
                delay = retry_delay(one.attempts) if is_failed else timedelta(0)
                await outbox.postpone(connection, one.id, to_millis(now + delay), **values)


def _name_of(announcements: Sequence[Announcement]) -> str:
    """Return the name of a new batch; one that ends with the only match that it is about has the revision."""
    first, last = announcements[0], announcements[-1]
    if last.kind is AnnouncementKind.DIGEST:
        return f"digest-{first.id}-{last.id}"
    subjects = {(one.match, one.challenge, one.tournament) for one in announcements}
    if last.match is not None and {match for match, _, _ in subjects} <= {None, last.match}:
        return f"turn-{last.match}-{last.revision}-{last.id}"
    if len(subjects) == 1 and last.tournament is not None:
        return f"tournament-{last.tournament}-{last.id}"
    if len(subjects) == 1:
        return f"challenge-{last.challenge}-{last.id}"
    return f"notices-{first.id}-{last.id}-{len(announcements)}"
