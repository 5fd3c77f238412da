"""How persons can be reached or sign in, besides at the address that their account is itself.

An account such as ``discord:123`` is an address of its person, always confirmed and not stored here. A front
end brings addresses into one form, limits how many a person adds, and has them confirmed by their owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.personal_data.errors import AddressTaken, AddressUnknown
from matches.platforms import account_of
from matches.times import from_millis, to_millis
from storage.people import identities, people, personal_data
from storage.people.identities import IdentityRow

if TYPE_CHECKING:
    from datetime import datetime

    from matches.values import Person
    from storage import Database


@dataclass(frozen=True, slots=True)
class Identity:
    """An address of a person on a platform; `confirmed_at` is None until the person confirms it."""

    platform: str
    address: str
    confirmed_at: datetime | None


class Identities:
    """The identities of a database. An address belongs to one account at most."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, person: Person, platform: str, address: str, *, is_confirmed: bool = False, now: datetime
    ) -> None:
        """Add an address of a person; one that they have already stays as it is, or becomes confirmed.

        Whoever has added the same address without confirming it loses it. Raises AddressTaken.
        """
        millis = to_millis(now)
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, millis)
            known = await identities.get(connection, platform, address)
            account = account_of(platform, address)
            is_account = await personal_data.find_name(connection, account) is not None
            is_own = known is not None and known.account == person.account
            if is_account or (known is not None and known.confirmed_at is not None and not is_own):
                raise AddressTaken(platform=platform)
            if not is_own:
                confirmed_at = millis if is_confirmed else None
                row = IdentityRow(platform, address, person.account, millis, confirmed_at)
                await identities.save(connection, row)
            elif is_confirmed:
                await identities.confirm(connection, person.account, platform, address, millis)

    async def confirm(self, account: str, platform: str, address: str, *, now: datetime) -> None:
        """Record that an address is that of its account. Raises AddressUnknown."""
        async with self._database.transaction() as connection:
            if not await identities.confirm(connection, account, platform, address, to_millis(now)):
                raise AddressUnknown(platform=platform)

    async def remove(self, account: str, platform: str, address: str) -> None:
        """Remove an address of an account. Raises AddressUnknown."""
        async with self._database.transaction() as connection:
            if not await identities.remove(connection, account, platform, address):
                raise AddressUnknown(platform=platform)

    async def list(self, account: str) -> tuple[Identity, ...]:
        """Return the addresses of an account, by platform and address."""
        async with self._database.read() as connection:
            rows = await identities.list_for_account(connection, account)
        return tuple(
            Identity(
                row.platform,
                row.address,
                None if row.confirmed_at is None else from_millis(row.confirmed_at),
            )
            for row in rows
        )

    async def find_account(self, platform: str, address: str) -> str | None:
        """Return the account of whoever has a confirmed address, or is known by it; None for nobody."""
        async with self._database.read() as connection:
            row = await identities.get(connection, platform, address)
            if row is not None and row.confirmed_at is not None:
                return row.account
            account = account_of(platform, address)
            return None if await personal_data.find_name(connection, account) is None else account
