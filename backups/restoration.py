"""Restoring a backup: into a new database, which is checked and then put in place of the old one at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from backups.files import fits_name, try_lock
from backups.verification import verify_copy
from storage import StorageDamaged, StorageInUse, StorageUrlError
from storage.connections.url import parse_url
from storage.copies import postgres_dump, sqlite_files

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

SQLITE_HEADER = b"SQLite format 3\0"


async def restore_backup(file: Path, url: str, *, replace: bool) -> int:
    """Restore a backup to the database at a URL, migrate and check it; return its number of matches.

    A database that is there already is replaced only with `replace`, and only if nothing uses it. It is kept
    under another name: ``FILE.replaced`` with SQLite, ``NAME_replaced`` with PostgreSQL. Raises StorageError,
    OSError; then nothing was changed.
    """
    parsed = parse_url(url)
    is_sqlite = parsed.get_backend_name() == "sqlite"
    _check_kind(file, is_sqlite=is_sqlite)
    if not await asyncio.to_thread(fits_name, file):
        raise StorageDamaged(f"The backup {file} is damaged or cut off: its content does not fit its name.")
    restore = _restore_sqlite if is_sqlite else _restore_postgresql
    return await restore(file, parsed, replace=replace)


def _check_kind(file: Path, *, is_sqlite: bool) -> None:
    """Raise StorageError if a file is missing or no backup for this kind of database."""
    if not file.is_file():
        raise StorageDamaged(f"There is no backup {file}.")
    with file.open("rb") as opened:
        start = opened.read(len(SQLITE_HEADER))
    kinds = {True: start == SQLITE_HEADER, False: start.startswith(postgres_dump.DUMP_HEADER)}
    if not any(kinds.values()):
        raise StorageDamaged(f"{file} is empty or no backup.")
    if kinds[is_sqlite]:
        return
    if is_sqlite:
        raise StorageUrlError(f"{file} is a backup of PostgreSQL, and the database URL is one of SQLite.")
    raise StorageUrlError(
        f"{file} is a backup of SQLite, and the database URL is one of PostgreSQL: "
        "restore it with an SQLite URL, then use python -m storage copy."
    )


async def _restore_sqlite(file: Path, url: URL, *, replace: bool) -> int:
    path = Path(str(url.database))
    _check_target(file, path, replace=replace)
    await asyncio.to_thread(sqlite_files.check_file, file)
    copy = path.with_name(f"{path.name}.partial")
    with try_lock(path.parent) as is_alone:
        if not is_alone:
            raise StorageInUse(f"Another process is restoring a backup in {path.parent}.")
        # Another restoration may have ended since the target was checked.
        sqlite_files.check_replaceable(path, replace=replace)
        try:
            await asyncio.to_thread(sqlite_files.copy_database, file, copy)
            matches, _ = await verify_copy(str(url.set(database=str(copy), query={})))
            await asyncio.to_thread(sqlite_files.close_log, copy)
            sqlite_files.replace_database(copy, path)
        finally:
            sqlite_files.delete_database(copy)
    return matches


def _check_target(file: Path, path: Path, *, replace: bool) -> None:
    """Check that a backup may become the file `path`, and make its folder. Raises StorageError, OSError."""
    if path.exists() and file.samefile(path):
        raise StorageInUse(f"{file} is the database itself: name the file of the backup.")
    sqlite_files.check_replaceable(path, replace=replace)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


async def _restore_postgresql(file: Path, url: URL, *, replace: bool) -> int:
    async with postgres_dump.connected_beside(url) as connection:
        if not await postgres_dump.try_lock(connection, url):
            raise StorageInUse(f"Another process is restoring a backup into {url.database}.")
        await postgres_dump.check_replaceable(connection, url, replace=replace)
        async with postgres_dump.scratch_database(connection, url, "restore") as scratch:
            await postgres_dump.load_dump(file, scratch)
            matches, _ = await verify_copy(scratch.render_as_string(hide_password=False))
            await postgres_dump.replace_database(connection, scratch, url)
    return matches
