"""Copying all rows of an SQLite database into an empty one of PostgreSQL.

The target is marked before its first row is written, and nothing opens it until `finish` has removed the
mark. So whenever the copying ends before that, the target is refused, and can only be filled again.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Boolean, func, select, text
from sqlalchemy.exc import DBAPIError

from storage.connections.sqlalchemy_engines import make_engine
from storage.copies.postgres_dump import HAS_TABLES, first_line, in_use
from storage.errors import StorageDamaged, StorageNotEmpty, StorageTooOld, StorageUnavailable
from storage.migration import UNFINISHED, load_revision, migrate_unfinished, newest_revision, set_revision
from storage.tables import METADATA

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Callable, Iterator

    from sqlalchemy import Table
    from sqlalchemy.engine import URL
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

BATCH_ROWS = 2000
LOCK_SECONDS = 10  # for the connection of a copy that was just killed to end
_LOCK_ID = 0x526177  # arbitrary, the same for all processes
_OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'rayuela'
"""


@asynccontextmanager
async def open_target(url: URL) -> AsyncIterator[tuple[AsyncEngine, AsyncConnection]]:
    """Return an engine for an empty database, and the connection of the only process that may fill it.

    Raises StorageInUse, StorageUnavailable.
    """
    engine = make_engine(url)
    try:
        async with engine.connect() as connection:
            await connection.execute(text("SET statement_timeout = 0"))
            await connection.execute(text("SET idle_in_transaction_session_timeout = 0"))
            await connection.execute(text(f"SET lock_timeout = '{LOCK_SECONDS}s'"))
            try:
                await connection.execute(text("SELECT pg_advisory_lock(:id)"), {"id": _LOCK_ID})
            except DBAPIError as error:
                raise in_use(url) from error
            await connection.commit()
            if (await connection.execute(text(_OTHERS))).scalar_one():
                raise in_use(url)
            await connection.rollback()
            yield engine, connection
    finally:
        await engine.dispose()


async def prepare(connection: AsyncConnection) -> None:
    """Mark an empty database as unfinished, with all tables and no rows; an unfinished one is emptied.

    Raises StorageNotEmpty, StorageTooOld if it has tables of another version.
    """
    revision = await load_revision(connection)
    if revision is None and (await connection.execute(HAS_TABLES)).scalar_one():
        raise StorageNotEmpty("The database to copy to has tables of another program: make a new one.")
    if revision in {None, UNFINISHED}:
        await connection.rollback()
        await migrate_unfinished(connection)
        return
    if revision != newest_revision():
        raise StorageTooOld(f"The database to copy to is at revision {revision}: make a new one.")
    for table in METADATA.sorted_tables:
        if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
            raise StorageNotEmpty("The database to copy to is not empty: make a new one.")
    await set_revision(connection, UNFINISHED)
    await connection.commit()


async def copy_rows(
    source: sqlite3.Connection, target: AsyncConnection, report: Callable[[str, int], None]
) -> None:
    """Copy all rows in one transaction and count them; call `report` with each table and its number of rows.

    Raises StorageTooOld if the source is of another version, StorageDamaged if a number differs,
    StorageUnavailable for rows that PostgreSQL refuses.
    """
    (revision,) = source.execute("SELECT version_num FROM alembic_version").fetchone()
    if revision != newest_revision():
        raise StorageTooOld(
            "The database to copy was written by an older version: start this one on it once, then repeat."
        )
    for table in METADATA.sorted_tables:
        try:
            copied = await _copy_table(source, target, table)
        except _driver_errors() as error:
            raise StorageUnavailable(
                f"PostgreSQL refuses a row of {table.name}: {first_line(error)}."
            ) from error
        (counted,) = source.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()  # noqa: S608 - our own names
        stored = (await target.execute(select(func.count()).select_from(table))).scalar_one()
        if not copied == counted == stored:
            raise StorageDamaged(f"The table {table.name} has {counted} rows, but {stored} in the copy.")
        await _continue_ids(source, target, table)
        report(table.name, stored)
    await target.commit()


async def finish(connection: AsyncConnection) -> None:
    """Remove the mark of an unfinished copy."""
    await set_revision(connection, newest_revision())
    await connection.commit()


async def _copy_table(source: sqlite3.Connection, target: AsyncConnection, table: Table) -> int:
    """Copy the rows of a table, a batch at a time, and return their number."""
    columns = [column.name for column in table.columns]
    flags = [index for index, column in enumerate(table.columns) if isinstance(column.type, Boolean)]
    names = ", ".join(f'"{name}"' for name in columns)
    await target.execute(text("SELECT 1"))  # begins the transaction
    driver = (await target.get_raw_connection()).driver_connection
    assert driver is not None  # noqa: S101 - it was just used
    copied = 0
    for batch in _read_batches(source.execute(f'SELECT {names} FROM "{table.name}"'), flags):  # noqa: S608 - our own names
        await driver.copy_records_to_table(table.name, records=batch, columns=columns)
        copied += len(batch)
    return copied


def _read_batches(cursor: sqlite3.Cursor, flags: list[int]) -> Iterator[list[list[object]]]:
    """Yield rows; SQLite has whole numbers for what is true or false, in the columns `flags`."""
    while rows := cursor.fetchmany(BATCH_ROWS):
        batch = [list(row) for row in rows]
        for row in batch:
            for index in flags:
                row[index] = None if row[index] is None else bool(row[index])
        yield batch


async def _continue_ids(source: sqlite3.Connection, target: AsyncConnection, table: Table) -> None:
    """Let the next generated id follow the largest one, also one of a row that was deleted."""
    column = table.autoincrement_column
    if column is None or column.name != "id":
        return
    name = f'"{table.name}"'
    query = text("SELECT pg_get_serial_sequence(:table, 'id')")
    sequence = (await target.execute(query, {"table": name})).scalar_one()
    if sequence is None:
        return
    largest = source.execute(f"SELECT max(id) FROM {name}").fetchone()[0] or 0  # noqa: S608 - our own names
    has_own = source.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").fetchone()
    if has_own:
        kept = source.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.name,)).fetchone()
        largest = max(largest, kept[0] if kept else 0)
    values = {"sequence": sequence, "next": largest + 1}
    await target.execute(text("SELECT setval(CAST(:sequence AS text)::regclass, :next, false)"), values)


def _driver_errors() -> tuple[type[Exception], ...]:
    """Return the errors of a row that the driver or the server refuses."""
    import asyncpg  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra, and needed only here

    return (asyncpg.PostgresError, asyncpg.InterfaceError, ValueError, TypeError, UnicodeError)
