"""Making a backup: written under another name, checked in a scratch database, and only then named as one."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from backups.files import (
    POSTGRESQL_SUFFIX,
    SQLITE_SUFFIX,
    compute_digest,
    delete_outdated,
    format_name,
    lock_folder,
    next_due,
)
from backups.verification import verify_copy
from storage import StorageDamaged, StorageInUse
from storage.connections.sqlalchemy_engines import make_engine
from storage.connections.url import parse_url
from storage.copies import postgres_dump, sqlite_files
from storage.migration import load_revision

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from sqlalchemy.engine import URL

    from backups.settings import Retention

PARTIAL_NAME, SCRATCH_NAME = ".partial", ".scratch"


@dataclass(frozen=True, slots=True)
class Backup:
    """A checked backup: its matches, how many of them were replayed, and how many older ones were deleted."""

    path: Path
    matches: int
    replayed: int
    deleted: int


@dataclass(frozen=True, slots=True)
class _Checked:
    revision: str
    matches: int
    replayed: int


async def make_backup(
    url: str,
    folder: Path,
    *,
    now: datetime,
    keep: Retention | None = None,
    every: timedelta | None = None,
) -> Backup | None:
    """Back up the database at a URL, which may be in use, into a folder.

    With `every` this is a scheduled backup, and None is returned if none is due, or another process is making
    it. Then the older backups that are not to be kept are deleted. Raises StorageError, OSError; then no
    backup was made, and the others are as they were. StorageInUse: another process is making one.
    """
    try:
        with lock_folder(folder):
            if every is not None and next_due(folder, every, now) > now:
                return None
            path, checked = await _write_backup(parse_url(url), folder, now)
            deleted = 0 if keep is None else delete_outdated(folder, keep, path, now, every or timedelta(0))
    except StorageInUse:
        if every is None:
            raise
        return None
    return Backup(path, checked.matches, checked.replayed, deleted)


async def _write_backup(url: URL, folder: Path, now: datetime) -> tuple[Path, _Checked]:
    """Write and check a backup, and name it. Raises StorageError, OSError."""
    partial = folder / PARTIAL_NAME
    is_sqlite = url.get_backend_name() == "sqlite"
    write, suffix = (_write_sqlite, SQLITE_SUFFIX) if is_sqlite else (_write_postgresql, POSTGRESQL_SUFFIX)
    try:
        async with write(url, partial) as checked:
            digest = await asyncio.to_thread(compute_digest, partial)
            path = partial.rename(folder / format_name(now, checked.revision, digest, suffix))
            sqlite_files.synchronize(folder)
    finally:
        sqlite_files.delete_database(partial)
    return path, checked


@asynccontextmanager
async def _write_sqlite(url: URL, partial: Path) -> AsyncIterator[_Checked]:
    """Copy a database of SQLite, and check another copy of the copy."""
    scratch = partial.with_name(SCRATCH_NAME)
    try:
        sqlite_files.delete_database(scratch)
        await asyncio.to_thread(sqlite_files.copy_database, Path(str(url.database)), partial)
        sqlite_files.make_private_file(scratch)
        await asyncio.to_thread(shutil.copyfile, partial, scratch)
        checked = await _check(url.set(database=str(scratch), query={}))
    finally:
        sqlite_files.delete_database(scratch)
    yield checked


@asynccontextmanager
async def _write_postgresql(url: URL, partial: Path) -> AsyncIterator[_Checked]:
    """Dump a database of PostgreSQL, and check what the dump restores, while no other process does that."""
    async with postgres_dump.connected(url) as connection:
        if not await postgres_dump.try_lock(connection, url):
            raise StorageInUse("Another process is making a backup of this database.")
        await postgres_dump.dump(url, partial)
        async with postgres_dump.scratch_database(connection, url, "check") as scratch:
            await postgres_dump.load_dump(partial, scratch)
            checked = await _check(scratch)
        yield checked


async def _check(url: URL) -> _Checked:
    """Check a scratch database. Raises StorageError."""
    engine = make_engine(url)
    try:
        async with engine.connect() as connection:
            revision = await load_revision(connection)
    finally:
        await engine.dispose()
    if revision is None:
        raise StorageDamaged("The database has no tables of Rayuela: start the bot on it once.")
    return _Checked(revision, *await verify_copy(url.render_as_string(hide_password=False)))
