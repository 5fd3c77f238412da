"""Exclusions from a server's matches, and blocks between persons."""

# ruff: noqa: ARG002 - every method takes `now`, also those that do not need it yet

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from matches.errors import Refusal
from matches.moderation.values import Act
from matches.platforms import WEB, WEBSITE
from matches.times import to_millis
from matches.values import ChallengeState, Person
from storage.match import challenges
from storage.people import blocks, moderation, people
from storage.people.blocks import Bar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from storage import Connection, Database

    WithdrawChallenge = Callable[[Connection, int, str, datetime], Awaitable[None]]


# What moderators of the website did to whoever is barred.
_ACTS = MappingProxyType({Bar.OFF_WEBSITE: Act.EXCLUDE, Bar.CLOSED: Act.CLOSE})


async def check_not_blocked(
    connection: Connection, server: str, person: Person, opponent: Person | None
) -> None:
    """Raise if a match between two persons must not start here.

    Whom moderators excluded from the website can start nothing there, and with an account of the website
    nothing elsewhere either; whose account they closed, nothing at all.

    Raises `account_closed`, `opponent_closed`, `excluded`, `excluded_from_website`, `opponent_excluded`,
    `opponent_blocked`, `blocked_by_opponent`.
    """
    accounts = [person.account] if opponent is None else [person.account, opponent.account]
    barred = await blocks.list_barred(connection, server, WEBSITE, f"{WEB}:", accounts)
    if person.account in barred:
        await _refuse_barred(connection, person.account, barred[person.account])
    if opponent is None:
        return
    if opponent.account in barred:
        is_closed = barred[opponent.account] is Bar.CLOSED
        raise Refusal("opponent_closed" if is_closed else "opponent_excluded", name=opponent)
    blockers = await blocks.find_blockers_between(connection, person.account, opponent.account)
    if person.account in blockers:
        raise Refusal("opponent_blocked", name=opponent)
    if blockers:
        raise Refusal("blocked_by_opponent", name=opponent)


async def _refuse_barred(connection: Connection, account: str, bar: Bar) -> NoReturn:
    if bar is Bar.EXCLUDED:
        raise Refusal("excluded")
    act = await moderation.find_last_act(connection, account, _ACTS[bar])
    key = "account_closed" if bar is Bar.CLOSED else "excluded_from_website"
    raise Refusal(key, reason="" if act is None else act.reason)


class Blocks:
    """Exclusions by servers and blocks by persons.

    Both prevent new matches only; active ones continue, so that nobody is left waiting.
    """

    def __init__(self, database: Database, withdraw: WithdrawChallenge) -> None:
        self._database = database
        self._withdraw = withdraw

    async def exclude(self, server: str, person: Person, by: Person, *, now: datetime) -> bool:
        """Exclude a person from the matches of a server from now on; return whether that is new.

        They can neither challenge nor accept there, nor be challenged; their open challenges there are
        withdrawn. The front end checks who may do this. Raises `self_exclude`, `bot_exclude`.
        """
        _check_other_player(by, person, "exclude")
        async with self._database.transaction() as connection:
            await people.save_all(connection, {one.account: one.name for one in (person, by)}, to_millis(now))
            return await self.exclude_in(connection, server, person.account, by.account, now)

    async def exclude_in(
        self, connection: Connection, server: str, account: str, by: str, now: datetime
    ) -> bool:
        """Exclude a known person as :meth:`exclude` does, inside an open transaction."""
        await people.ensure_server(connection, server, to_millis(now))
        for row in await challenges.list_for_person(
            connection, account, server, ChallengeState.OPEN, to_millis(now)
        ):
            if row.by == account:
                await self._withdraw(connection, row.id, account, now)
        return await blocks.exclude(connection, server, account, by, to_millis(now))

    async def readmit(self, server: str, person: Person, *, now: datetime) -> bool:
        """Readmit a person to the matches of a server; return whether they were excluded."""
        async with self._database.transaction() as connection:
            return await blocks.readmit(connection, server, person.account)

    async def list_excluded(self, server: str, *, now: datetime) -> tuple[Person, ...]:
        """Return everybody who is excluded from a server, sorted by name."""
        async with self._database.read() as connection:
            return tuple(Person(*named) for named in await blocks.list_excluded(connection, server))

    async def block(self, person: Person, blocked: Person, *, now: datetime) -> bool:
        """Make `person` block `blocked` on every server; return whether that is new.

        Neither can challenge the other, nor accept the other's challenges. Raises `self_block`, `bot_block`.
        """
        _check_other_player(person, blocked, "block")
        async with self._database.transaction() as connection:
            await people.save_all(
                connection, {one.account: one.name for one in (person, blocked)}, to_millis(now)
            )
            return await blocks.block(connection, person.account, blocked.account, to_millis(now))

    async def unblock(self, person: Person, blocked: Person, *, now: datetime) -> bool:
        """Remove a block; return whether there was one."""
        async with self._database.transaction() as connection:
            return await blocks.unblock(connection, person.account, blocked.account)

    async def list_blocked(self, person: Person, *, now: datetime) -> tuple[Person, ...]:
        """Return the persons that `person` blocks, sorted by name."""
        async with self._database.read() as connection:
            return tuple(Person(*named) for named in await blocks.list_blocked(connection, person.account))


def _check_other_player(by: Person, target: Person, action: str) -> None:
    if by.account == target.account:
        raise Refusal(f"self_{action}")
    if target.bot:
        raise Refusal(f"bot_{action}", name=target)
