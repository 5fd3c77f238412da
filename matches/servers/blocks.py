"""Who plays with whom: people kept out of a server's matches, and people who have blocked each other."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.servers.errors import BotBlock, KeptOut, OtherBlocked, OtherKeptOut, SelfBlock, YouBlocked
from matches.times import millis
from matches.values import Person
from storage import blocks, people

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Connection, Store


async def refuse_blocked(connection: Connection, server: str, person: Person, other: Person | None) -> None:
    """Raise the refusal of whoever may not begin a match here, or not with `other`.

    Raises KeptOut, OtherKeptOut, YouBlocked, OtherBlocked.
    """
    accounts = [person.account] if other is None else [person.account, other.account]
    barred = await blocks.barred(connection, server, accounts)
    if person.account in barred:
        raise KeptOut
    if other is None:
        return
    if barred:
        raise OtherKeptOut(name=other.name)
    between = await blocks.between(connection, person.account, other.account)
    if person.account in between:
        raise YouBlocked(name=other.name)
    if between:
        raise OtherBlocked(name=other.name)


class Blocks:
    """Blocks by those who run a server, and by people.

    Both keep new matches from beginning; those under way go on to their end, so that nobody is left
    waiting at a board.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep_out(self, server: str, person: Person, by: Person, *, now: datetime) -> bool:
        """Keep a person out of the matches of a server from now on; say whether that is news.

        They can neither challenge nor accept there, nor be challenged. Who may say so is the business of the
        front end. Raises SelfBlock, BotBlock.
        """
        _refuse(by, person)
        async with self._store.writing() as connection:
            await _remember(connection, (person, by), now)
            await people.remember_server(connection, server, millis(now))
            return await blocks.bar(connection, server, person.account, by.account, millis(now))

    async def let_in(self, server: str, person: Person, *, now: datetime) -> bool:
        """Let a person into the matches of a server again; say whether that is news."""
        async with self._store.writing() as connection:
            return await blocks.unbar(connection, server, person.account)

    async def kept_out(self, server: str, *, now: datetime) -> tuple[Person, ...]:
        """Give everybody who is kept out of a server, by name."""
        async with self._store.reading() as connection:
            return tuple(Person(*named) for named in await blocks.all_barred(connection, server))

    async def block(self, person: Person, other: Person, *, now: datetime) -> bool:
        """Let `person` block `other` on every server; say whether that is news.

        Neither can challenge the other, nor accept the other's challenges. Raises SelfBlock, BotBlock.
        """
        _refuse(person, other)
        async with self._store.writing() as connection:
            await _remember(connection, (person, other), now)
            return await blocks.block(connection, person.account, other.account, millis(now))

    async def unblock(self, person: Person, other: Person, *, now: datetime) -> bool:
        """Take a block back; say whether that is news."""
        async with self._store.writing() as connection:
            return await blocks.unblock(connection, person.account, other.account)

    async def blocked(self, person: Person, *, now: datetime) -> tuple[Person, ...]:
        """Give everybody whom `person` has blocked, by name."""
        async with self._store.reading() as connection:
            return tuple(Person(*named) for named in await blocks.blocked_by(connection, person.account))


def _refuse(by: Person, other: Person) -> None:
    if by.account == other.account:
        raise SelfBlock
    if other.bot:
        raise BotBlock(name=other.name)


async def _remember(connection: Connection, persons: tuple[Person, Person], now: datetime) -> None:
    """Note people in one order everywhere, lest two transactions wait for each other."""
    for person in sorted(persons, key=lambda person: person.account):
        await people.remember(connection, person.account, person.name, millis(now))
