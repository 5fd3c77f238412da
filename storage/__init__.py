"""What lasts: tables, migrations and queries. Text and numbers only; no game, no front end."""

from sqlalchemy.ext.asyncio import AsyncConnection as Connection

from storage.database import Database
from storage.errors import StorageError, StorageTooNew, StorageUnavailable, StorageUrlError

__all__ = ["Connection", "Database", "StorageError", "StorageTooNew", "StorageUnavailable", "StorageUrlError"]
