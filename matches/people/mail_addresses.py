"""The mail addresses at which persons are told: what comes back is counted, and everybody can stop the mails.

Only notices stop. Codes, which the person asks for, still go to a stopped address.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import to_millis
from storage.people import mail_addresses
from storage.people.mail_addresses import STOPPING_SCORE

if TYPE_CHECKING:
    from datetime import datetime

    from matches.places.mail_contact import MailContact
    from matches.values import MatchId
    from storage import Database

SCORE_WINDOW = timedelta(days=30)  # in which STOPPING_SCORE mails that come back stop an address


class MailAddresses:
    """Records what becomes of mails to the addresses of a database (see :mod:`matches.people.identities`)."""

    def __init__(self, database: Database, contact: MailContact) -> None:
        self._database = database
        self._contact = contact

    async def record_bounce(self, address: str, *, is_hard: bool, now: datetime) -> None:
        """Record that a mail to an address was refused, or came back; with `is_hard` none can arrive there.

        A hard one, or STOPPING_SCORE others within SCORE_WINDOW, stop notices to it. Then no time runs for
        its person in matches that wait for them, if they were told by mail alone. Does nothing for an unknown
        address, and for one to which mails have stopped.
        """
        async with self._database.transaction() as connection:
            row = await mail_addresses.load_bounces(connection, address)
            if row is None or row.stopped_at is not None:
                return
            oldest = to_millis(now - SCORE_WINDOW)
            times = [one for one in json.loads(row.bounce_times or "[]") if one > oldest]
            times.append(to_millis(now))
            score = STOPPING_SCORE if is_hard else len(times)
            has_failed = score >= STOPPING_SCORE
            await mail_addresses.save_bounces(
                connection,
                address,
                bounces=score,
                bounce_times=json.dumps(times),
                stopped_at=to_millis(now) if has_failed else None,
            )
        if has_failed:
            await self._contact.lose_all(row.account, now=now)

    async def record_proof(self, address: str) -> bool:
        """Record that somebody reads the mail of an address; one that had failed is used again.

        Return whether it had.
        """
        async with self._database.transaction() as connection:
            return await mail_addresses.start_failed(connection, address)

    async def record_untold(self, account: str, match: MatchId, *, now: datetime) -> None:
        """Record that a mail about a match has no address to go to; see :meth:`MailContact.lose`."""
        await self._contact.lose(account, match, now=now)

    async def stop(self, account: str, address: str, *, now: datetime) -> None:
        """Stop notices to an address of an account. Does nothing if they have stopped."""
        async with self._database.transaction() as connection:
            await mail_addresses.stop(connection, account, address, to_millis(now))
