"""Accounts of the website: made with a confirmed mail address and a name, and joined with others."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.people.handles import choose_in
from matches.people.identities import require_open
from matches.people.sessions import ensure_person
from matches.platforms import DISCORD, MAIL, WEB, platform_of
from matches.times import to_millis
from matches.values import Person
from storage.people import identities, mail_codes, people, personal_data, web_sessions
from storage.people.identities import IdentityRow

if TYPE_CHECKING:
    from datetime import datetime

    from matches.people.identities import Identities
    from matches.personal_data.service import PersonalData
    from storage import Connection, Database

ACCOUNT_BYTES = 12


@dataclass(frozen=True, slots=True)
class JoinSide:
    """One of two accounts that are to be joined: its person, and how many matches it has."""

    person: Person
    matches: int


class Accounts:
    """The accounts of a database, for those who sign in."""

    def __init__(self, database: Database, addresses: Identities, personal_data: PersonalData) -> None:
        self._database = database
        self._identities = addresses
        self._personal_data = personal_data

    async def register(self, address: str, name: str, *, guest: str | None = None, now: datetime) -> Person:
        """Return the new account of somebody who has confirmed a mail address and chosen a name.

        A guest becomes a member, and keeps all games; the sessions that browsers have as that guest end. If
        the address has an account by now, as after a double click, that is returned. Raises what
        :func:`matches.people.handles.clean_handle` raises, `handle_taken`, `account_closed`, `address_taken`.
        """
        async with self._database.transaction() as connection:
            return await register_in(connection, address, name, guest=guest, now=now)

    async def find_by_mail(self, address: str) -> Person | None:
        """Return the person who has confirmed a mail address; None for nobody."""
        account = await self._identities.find_account(MAIL, address)
        return None if account is None else await self.get(account)

    async def get(self, account: str) -> Person | None:
        """Return the person of an account; None if there is none."""
        async with self._database.read() as connection:
            name = await personal_data.find_name(connection, account)
        return None if name is None else Person(account, name)

    async def join_guest(self, guest: str, into: Person, *, now: datetime) -> None:
        """Join the account of a guest into the one that the guest signs in to; do nothing for no guest.

        Raises `account_closed`, and `nothing_stored` as :meth:`matches.people.sessions.Sessions.start` does.
        """
        async with self._database.transaction() as connection:
            if not await people.is_guest(connection, guest) or guest == into.account:
                return
            await ensure_person(connection, into, now)
        await self._personal_data.join(guest, into.account, now=now)

    async def describe(self, account: str) -> JoinSide | None:
        """Return what to show of an account before it is joined; None if there is none."""
        person = await self.get(account)
        if person is None:
            return None
        summary = await self._personal_data.summary(account)
        return JoinSide(person, summary.counts["matches"])

    async def join(self, current: str, other: str, *, now: datetime) -> str:
        """Join two accounts of one person who is signed in to `current`, and return the one that remains.

        Discord's stays, because there people know the person by it. Raises `two_discord_accounts`, and what
        :meth:`matches.personal_data.service.PersonalData.join` raises.
        """
        account, into = order_join(current, other)
        await self._personal_data.join(account, into, is_told=True, now=now)
        return into


async def register_in(
    connection: Connection, address: str, name: str, *, guest: str | None = None, now: datetime
) -> Person:
    """Do what :meth:`Accounts.register` does, in an open transaction."""
    millis = to_millis(now)
    await mail_codes.lock_address(connection, address)
    known = await identities.find(connection, platform=MAIL, address=address)
    if known and known[0].confirmed_at is not None:
        shown = await personal_data.find_name(connection, known[0].account)
        return Person(known[0].account, shown or name)
    account = f"{WEB}:{secrets.token_hex(ACCOUNT_BYTES)}"
    if guest is not None and await people.is_guest(connection, guest, lock=True):
        account = guest
        await require_open(connection, account)
        await people.end_guest(connection, account)
        await web_sessions.remove(connection, account)
    await people.ensure(connection, account, name, millis)
    stored = await choose_in(connection, account, name, now)
    if not await identities.save(connection, IdentityRow(MAIL, address, account, millis, millis)):
        raise Refusal("address_taken")
    return Person(account, stored)


def order_join(current: str, other: str) -> tuple[str, str]:
    """Return which account is joined into which. Raises `two_discord_accounts`."""
    if platform_of(current) == platform_of(other) == DISCORD:
        raise Refusal("two_discord_accounts")
    return (current, other) if platform_of(other) == DISCORD else (other, current)
