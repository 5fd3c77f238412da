"""Private notes: what a person writes down about a match, for nobody else's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import NoteTooLong
from matches.reading import fetch
from matches.times import millis
from storage import notes, people

if TYPE_CHECKING:
    from datetime import datetime

    from matches.values import MatchId, Person
    from storage import Store

LONGEST_NOTE = 1500  # characters


class Notes:
    """The notes of a store, one for each match and person, whether or not the person plays in it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, match: MatchId, person: Person) -> str:
        """Give a person's note about a match, empty where there is none. Raises MatchUnknown."""
        async with self._store.reading() as connection:
            await fetch(connection, match)
            return await notes.get(connection, match, person.account)

    async def write(self, match: MatchId, person: Person, text: str, *, now: datetime) -> str:
        """Put `text` in place of a person's note about a match, and give it as it is kept.

        An empty note is none. Raises MatchUnknown, NoteTooLong.
        """
        kept = text.strip()
        if len(kept) > LONGEST_NOTE:
            raise NoteTooLong(match=match, limit=LONGEST_NOTE, size=len(kept))
        async with self._store.writing() as connection:
            await fetch(connection, match)
            await people.remember(connection, person.account, person.name, millis(now))
            await notes.put(connection, match, person.account, kept, millis(now))
        return kept
