"""Generations of seat keys: a key that a front end issues is valid until its seat's generation changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import NotInMatch
from matches.view_builder import fetch_match
from storage.people import seat_keys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matches.values import MatchId, Person
    from storage import Connection, Database


class SeatKeys:
    """The seat key generations of a database: for each seat, how often its keys were revoked."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_generation(self, match: MatchId, person: Person) -> int:
        """Return the generation of the keys of `person`. Raises MatchUnknown, NotInMatch."""
        async with self._database.read() as connection:
            await _check_seated(connection, match, person)
            return await seat_keys.get_generation(connection, match, person.account)

    async def list_generations(self, match: MatchId) -> Mapping[str, int]:
        """Return the generations in a match by account, without those that are 0."""
        async with self._database.read(short=True) as connection:
            return await seat_keys.list_generations(connection, match)

    async def rotate(self, match: MatchId, person: Person) -> int:
        """Revoke the keys issued so far and return the new generation. Raises MatchUnknown, NotInMatch."""
        async with self._database.transaction() as connection:
            await _check_seated(connection, match, person)
            return await seat_keys.rotate(connection, match, person.account)


async def _check_seated(connection: Connection, match: MatchId, person: Person) -> None:
    row = await fetch_match(connection, match)
    if person.account not in (row.first, row.second):
        raise NotInMatch(match=match)
