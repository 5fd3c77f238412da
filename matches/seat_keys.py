"""Locks of seats: a key that a front end hands out fits until the seat's lock is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import NotInMatch
from matches.view_builder import fetch_match
from storage import seat_keys

if TYPE_CHECKING:
    from matches.values import MatchId, Person
    from storage import Connection, Database


class SeatKeys:
    """The locks of a store's seats, told apart by how often each was changed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_generation(self, match: MatchId, person: Person) -> int:
        """Return the number of a person's lock."""
        async with self._database.read() as connection:
            await _check_seated(connection, match, person)
            return await seat_keys.get_generation(connection, match, person.account)

    async def rotate(self, match: MatchId, person: Person) -> int:
        """Change a person's lock and give its new number."""
        async with self._database.transaction() as connection:
            await _check_seated(connection, match, person)
            return await seat_keys.rotate(connection, match, person.account)


async def _check_seated(connection: Connection, match: MatchId, person: Person) -> None:
    row = await fetch_match(connection, match)
    if person.account not in (row.first, row.second):
        raise NotInMatch(match=match)
