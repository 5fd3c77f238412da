"""Imported records: taken in, kept, and gone on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import find
from matches.challenges import Terms
from matches.errors import RecordOver, RecordUnknown
from matches.options import read_options
from storage import records

if TYPE_CHECKING:
    from matches.values import RecordId
    from storage import Connection, Store
    from storage.records import RecordRow


class Records:
    """The imported records of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def terms(self, record: RecordId, server: str) -> Terms:
        """Give what is to be played by those who go on from the end of a record of `server`."""
        async with self._store.reading() as connection:
            row = await _get(connection, record, server)
        game = find(row.game, row.rules_version)
        if game.load(row.position).outcome is not None:
            raise RecordOver(record=record)
        return Terms(game, read_options(row.options), record)


async def _get(connection: Connection, record: RecordId, server: str) -> RecordRow:
    row = await records.get(connection, record)
    if row is None or row.server != server:
        raise RecordUnknown(record=record)
    return row
