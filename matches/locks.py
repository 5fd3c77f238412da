"""Locks of seats: a key that a front end hands out fits until the seat's lock is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import NotInMatch
from matches.reading import fetch
from storage import locks

if TYPE_CHECKING:
    from matches.values import MatchId, Person
    from storage import Connection, Store


class Locks:
    """The locks of a store's seats, told apart by how often each was changed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def number(self, match: MatchId, person: Person) -> int:
        """Give the number of a person's lock."""
        async with self._store.reading() as connection:
            await _refuse_stranger(connection, match, person)
            return await locks.get(connection, match, person.account)

    async def change(self, match: MatchId, person: Person) -> int:
        """Change a person's lock and give its new number."""
        async with self._store.writing() as connection:
            await _refuse_stranger(connection, match, person)
            return await locks.change(connection, match, person.account)


async def _refuse_stranger(connection: Connection, match: MatchId, person: Person) -> None:
    row = await fetch(connection, match)
    if person.account not in (row.first, row.second):
        raise NotInMatch(match=match)
