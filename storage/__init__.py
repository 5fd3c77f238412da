"""What lasts: tables, migrations and queries. Text and numbers only; no game, no front end."""

from sqlalchemy.ext.asyncio import AsyncConnection as Connection

from storage import (  # noqa: F401 - only with all of them the tables are whole
    tables_clocks,
    tables_offers,
    tables_people,
    tables_private,
    tables_ratings,
    tables_servers,
)
from storage.errors import StorageAddressError, StorageError, StorageNewer, StorageUnavailable
from storage.store import Store

__all__ = ["Connection", "StorageAddressError", "StorageError", "StorageNewer", "StorageUnavailable", "Store"]
