"""Keys of the whole installation: made once, kept in the database and in its backups. Never log one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.times import to_millis
from storage.work import installation_keys

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from storage import Database


class InstallationKeys:
    """The keys of a database, by name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_or_make(self, name: str, make: Callable[[], Awaitable[str]], *, now: datetime) -> str:
        """Return the key with this name; the first time it is what `make` returns.

        Of several processes that make it at once, all return the same. Raises StorageUnavailable.
        """
        async with self._database.read() as connection:
            found = await installation_keys.get(connection, name)
        if found is not None:
            return found
        made = await make()
        async with self._database.transaction() as connection:
            await installation_keys.add(connection, name, made, to_millis(now))
            return await installation_keys.get(connection, name) or made
