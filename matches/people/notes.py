"""Private notes on matches, visible only to their author."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import NoteTooLong
from matches.times import to_millis
from matches.view_builder import fetch_match
from storage.people import notes, people

if TYPE_CHECKING:
    from datetime import datetime

    from matches.values import MatchId, Person
    from storage import Database

MAX_NOTE_LENGTH = 1500  # characters


class Notes:
    """The notes of a database, one for each match and person. The author need not be a player."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, match: MatchId, person: Person) -> str:
        """Return a person's note on a match, empty if there is none. Raises MatchUnknown."""
        async with self._database.read() as connection:
            await fetch_match(connection, match)
            return await notes.get(connection, match, person.account)

    async def save(self, match: MatchId, person: Person, text: str, *, now: datetime) -> str:
        """Replace a person's note on a match and return it stripped. An empty text deletes it.

        Raises MatchUnknown, NoteTooLong.
        """
        stripped = text.strip()
        if len(stripped) > MAX_NOTE_LENGTH:
            raise NoteTooLong(match=match, limit=MAX_NOTE_LENGTH, size=len(stripped))
        async with self._database.transaction() as connection:
            await fetch_match(connection, match)
            await people.save(connection, person.account, person.name, to_millis(now))
            await notes.save(connection, match, person.account, stripped, to_millis(now))
        return stripped
