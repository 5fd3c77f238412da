"""How persons can be reached or sign in, besides at the address that their account is itself.

An account such as ``discord:123`` is an address of its person, always confirmed and not stored here. A front
end brings addresses into one form, limits how many a person adds, and has them confirmed by their owner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.moderation.values import Act
from matches.platforms import MAIL, WEB, platform_of
from matches.posting.letters import LetterKind, write_letter
from matches.times import from_millis, to_millis
from storage.people import identities, moderation, people, personal_data
from storage.people.identities import IdentityRow

if TYPE_CHECKING:
    from datetime import datetime

    from matches.values import Person
    from storage import Connection, Database

MAX_ADDRESSES = 5  # of a person on one platform
LETTER_LIFETIME = timedelta(days=7)


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

        Whoever has added the same address without confirming it loses it. Letters to the mail addresses that
        the person had before say so. Raises `address_taken`, `too_many_addresses`.
        """
        millis = to_millis(now)
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, millis)
            known = await identities.find(connection, platform=platform, address=address)
            is_own = bool(known) and known[0].account == person.account
            if is_own and (known[0].confirmed_at is not None or not is_confirmed):
                if is_confirmed:  # whoever has just confirmed it again gets mails there again
                    await identities.save(connection, known[0])
                return
            is_account = await personal_data.find_name(connection, f"{platform}:{address}") is not None
            if is_account or (known and known[0].confirmed_at is not None):
                raise Refusal("address_taken")
            if (
                len(await identities.find(connection, account=person.account, platform=platform))
                >= MAX_ADDRESSES
            ):
                raise Refusal("too_many_addresses", limit=MAX_ADDRESSES)
            if is_confirmed:
                await tell_addresses(connection, person.account, "address_added", now)
            confirmed_at = millis if is_confirmed else None
            row = IdentityRow(platform, address, person.account, millis, confirmed_at)
            if not await identities.save(connection, row):
                raise Refusal("address_taken")

    async def confirm(self, account: str, platform: str, address: str, *, now: datetime) -> None:
        """Record that an address is that of its account. Raises `address_unknown`."""
        async with self._database.transaction() as connection:
            row = await _find_own(connection, account, platform, address)
            if not await identities.save(connection, replace(row, confirmed_at=to_millis(now))):
                raise Refusal("address_unknown")

    async def remove(self, account: str, platform: str, address: str, *, now: datetime) -> None:
        """Remove an address of an account, and say so in letters to it and to the others.

        Raises `address_unknown`, `last_address` for the last way to sign in.
        """
        async with self._database.transaction() as connection:
            await personal_data.lock_person(connection, account, completely=False)
            row = await _find_own(connection, account, platform, address)
            others = [one for one in await _list_mail(connection, account) if one.address != address]
            if platform_of(account) == WEB and not others:
                raise Refusal("last_address")
            await tell_addresses(connection, account, "address_removed", now)
            await identities.remove(connection, row)

    async def list(self, account: str) -> tuple[Identity, ...]:
        """Return the addresses of an account, by platform and address."""
        async with self._database.read() as connection:
            rows = await identities.find(connection, account=account)
        confirmed = [None if row.confirmed_at is None else from_millis(row.confirmed_at) for row in rows]
        return tuple(Identity(row.platform, row.address, at) for row, at in zip(rows, confirmed, strict=True))

    async def find_account(self, platform: str, address: str) -> str | None:
        """Return the account of whoever has a confirmed address, or is known by it; None for nobody."""
        account = f"{platform}:{address}"
        async with self._database.read() as connection:
            for row in await identities.find(connection, platform=platform, address=address):
                if row.confirmed_at is not None:
                    return row.account
            return None if await personal_data.find_name(connection, account) is None else account

    async def find_present(self, account: str) -> str:
        """Return the account that an account was joined into since, otherwise itself."""
        platform, _, address = account.partition(":")
        return await self.find_account(platform, address) or account


async def require_open(connection: Connection, account: str) -> None:
    """Raise `account_closed` if moderators have closed an account."""
    if await people.is_closed(connection, account):
        act = await moderation.find_last_act(connection, account, Act.CLOSE)
        raise Refusal("account_closed", reason="" if act is None else act.reason)


async def tell_addresses(connection: Connection, account: str, what: str, now: datetime) -> None:
    """Write a letter about a change of an account to each of its confirmed mail addresses."""
    for row in await _list_mail(connection, account):
        await write_letter(
            connection,
            LetterKind.NOTICE,
            row.address,
            account=account,
            details={"what": what},
            lifetime=LETTER_LIFETIME,
            now=now,
        )


async def _list_mail(connection: Connection, account: str) -> list[IdentityRow]:
    found = await identities.find(connection, account=account, platform=MAIL)
    return [row for row in found if row.confirmed_at is not None]


async def _find_own(connection: Connection, account: str, platform: str, address: str) -> IdentityRow:
    found = await identities.find(connection, account=account, platform=platform, address=address)
    if not found:
        raise Refusal("address_unknown")
    return found[0]
