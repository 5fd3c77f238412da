"""The mail addresses at which persons are told: refusals are counted, and everybody can stop the mails.

Only notices stop. Codes, which the person asks for, still go to a stopped address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.times import to_millis
from storage.people import mail_addresses

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Database

MAX_REFUSALS = 4  # in a row, of mails to an address whose server does not say that it does not exist


class MailAddresses:
    """Records what becomes of mails to the addresses of a database (see :mod:`matches.people.identities`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record_delivery(self, address: str) -> None:
        """Record that the server of an address took a mail."""
        async with self._database.transaction() as connection:
            await mail_addresses.record_delivery(connection, address)

    async def record_refusal(self, address: str, *, is_final: bool, now: datetime) -> None:
        """Record that the server of an address refused a mail for good; with `is_final` for ever.

        After MAX_REFUSALS in a row, or a final one, notices to it stop. Does nothing for an unknown address.
        """
        count = MAX_REFUSALS if is_final else 1
        async with self._database.transaction() as connection:
            await mail_addresses.record_refusal(connection, address, count, MAX_REFUSALS, to_millis(now))

    async def stop(self, account: str, address: str, *, now: datetime) -> None:
        """Stop notices to an address of an account. Does nothing if they have stopped."""
        async with self._database.transaction() as connection:
            await mail_addresses.stop(connection, account, address, to_millis(now))
