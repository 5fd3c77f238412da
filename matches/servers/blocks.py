"""Who plays with whom: people kept out of a server's matches, and people who have blocked each other."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.servers.errors import (
    BotBlock,
    Excluded,
    OpponentBlockedYou,
    OpponentExcluded,
    SelfBlock,
    YouBlockedOpponent,
)
from matches.times import to_millis
from matches.values import Person
from storage import blocks, people

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Connection, Database


async def check_not_blocked(
    connection: Connection, server: str, person: Person, opponent: Person | None
) -> None:
    """Raise the refusal of whoever may not begin a match here, or not with `other`.

    Raises Excluded, OpponentExcluded, YouBlockedOpponent, OpponentBlockedYou.
    """
    accounts = [person.account] if opponent is None else [person.account, opponent.account]
    excluded = await blocks.list_excluded_among(connection, server, accounts)
    if person.account in excluded:
        raise Excluded
    if opponent is None:
        return
    if excluded:
        raise OpponentExcluded(name=opponent.name)
    blockers = await blocks.find_blockers_between(connection, person.account, opponent.account)
    if person.account in blockers:
        raise YouBlockedOpponent(name=opponent.name)
    if blockers:
        raise OpponentBlockedYou(name=opponent.name)


class Blocks:
    """Blocks by those who run a server, and by people.

    Both keep new matches from beginning; those under way go on to their end, so that nobody is left
    waiting at a board.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def exclude(self, server: str, person: Person, by: Person, *, now: datetime) -> bool:
        """Keep a person out of the matches of a server from now on; say whether that is news.

        They can neither challenge nor accept there, nor be challenged. Who may say so is the business of the
        front end. Raises SelfBlock, BotBlock.
        """
        _check_blockable(by, person)
        async with self._database.transaction() as connection:
            await _remember(connection, (person, by), now)
            await people.ensure_server(connection, server, to_millis(now))
            return await blocks.exclude(connection, server, person.account, by.account, to_millis(now))

    async def readmit(self, server: str, person: Person, *, now: datetime) -> bool:
        """Let a person into the matches of a server again; say whether that is news."""
        async with self._database.transaction() as connection:
            return await blocks.readmit(connection, server, person.account)

    async def list_excluded(self, server: str, *, now: datetime) -> tuple[Person, ...]:
        """Return everybody who is kept out of a server, by name."""
        async with self._database.read() as connection:
            return tuple(Person(*named) for named in await blocks.list_excluded(connection, server))

    async def block(self, person: Person, blocked: Person, *, now: datetime) -> bool:
        """Let `person` block `other` on every server; say whether that is news.

        Neither can challenge the other, nor accept the other's challenges. Raises SelfBlock, BotBlock.
        """
        _check_blockable(person, blocked)
        async with self._database.transaction() as connection:
            await _remember(connection, (person, blocked), now)
            return await blocks.block(connection, person.account, blocked.account, to_millis(now))

    async def unblock(self, person: Person, blocked: Person, *, now: datetime) -> bool:
        """Take a block back; say whether that is news."""
        async with self._database.transaction() as connection:
            return await blocks.unblock(connection, person.account, blocked.account)

    async def list_blocked(self, person: Person, *, now: datetime) -> tuple[Person, ...]:
        """Return everybody whom `person` has blocked, by name."""
        async with self._database.read() as connection:
            return tuple(Person(*named) for named in await blocks.list_blocked(connection, person.account))


def _check_blockable(by: Person, target: Person) -> None:
    if by.account == target.account:
        raise SelfBlock
    if target.bot:
        raise BotBlock(name=target.name)


async def _remember(connection: Connection, persons: tuple[Person, Person], now: datetime) -> None:
    """Note people in one order everywhere, lest two transactions wait for each other."""
    for person in sorted(persons, key=lambda person: person.account):
        await people.save(connection, person.account, person.name, to_millis(now))
