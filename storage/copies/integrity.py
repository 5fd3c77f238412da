"""The database's own integrity: whether every row can be read and every index agrees with its table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from storage.connections.error_translation import translate_errors
from storage.connections.sqlalchemy_engines import make_engine
from storage.connections.url import parse_url
from storage.copies.sqlite_files import check_file
from storage.errors import StorageDamaged
from storage.tables import METADATA

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

_HAS_AMCHECK = "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'amcheck')"
_CHECK_INDEXES = """
    SELECT bt_index_check(c.oid, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_am a ON a.oid = c.relam
    WHERE a.amname = 'btree' AND c.relnamespace = current_schema()::regnamespace
"""


async def check_database(url: str) -> None:
    """Check the database at a URL without changing it.

    On SQLite this is its own check of the whole file and of all foreign keys. On PostgreSQL every row is
    read, and the indexes are checked if the extension amcheck is installed.

    Raises StorageDamaged, StorageTooNew, StorageUrlError, StorageUnavailable.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        await asyncio.to_thread(check_file, Path(str(parsed.database)))
        return
    engine = make_engine(parsed)
    try:
        with translate_errors():
            async with engine.connect() as connection:
                await connection.execute(text("SET statement_timeout = 0"))
                await _read_every_row(connection)
    finally:
        await engine.dispose()


async def _read_every_row(connection: AsyncConnection) -> None:
    for name in ("alembic_version", *(table.name for table in METADATA.sorted_tables)):
        if (
            await connection.execute(text("SELECT to_regclass(:name)"), {"name": f'"{name}"'})
        ).scalar() is None:
            raise StorageDamaged(f"The database has no table {name}: it is empty, or not of this version.")
        try:
            await connection.execute(text(f'SELECT count("{name}"::text) FROM "{name}"'))  # noqa: S608 - our own names
        except DBAPIError as error:
            raise StorageDamaged(f"The table {name} is damaged: {error.orig}.") from error
    if (await connection.execute(text(_HAS_AMCHECK))).scalar_one():
        try:
            await connection.execute(text(_CHECK_INDEXES))
        except DBAPIError as error:
            raise StorageDamaged(f"An index is damaged: {error.orig}.") from error
