"""Persistence: tables, migrations and queries, in text and whole numbers. Knows no game and no front end."""

from sqlalchemy.ext.asyncio import AsyncConnection as Connection

from storage.connections.database import Database
from storage.errors import (
    RequestRepeated,
    StorageDamaged,
    StorageError,
    StorageInUse,
    StorageNotEmpty,
    StorageTooNew,
    StorageTooOld,
    StorageUnavailable,
    StorageUrlError,
)
