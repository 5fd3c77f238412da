"""What lasts: tables, migrations and queries. Text and numbers only; no game, no front end."""

from sqlalchemy.ext.asyncio import AsyncConnection as Connection

from storage import tables_ratings  # noqa: F401 - the tables are known as a whole only with all their modules
from storage.errors import StorageAddressError, StorageError, StorageNewer, StorageUnavailable
from storage.store import Store

__all__ = ["Connection", "StorageAddressError", "StorageError", "StorageNewer", "StorageUnavailable", "Store"]
