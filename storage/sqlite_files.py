"""Database files of SQLite as a whole: checking them, backing them up and restoring them.

A database file and its write-ahead log, the file with the suffix ``-wal``, belong together: a log that was
left by another database overwrites pages at random. Backups made here are files without a log, and their
header says so; a log next to one is recognised as foreign.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from storage.errors import StorageDamaged, StorageInUse, StorageTooNew
from storage.migration import is_known_revision

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOG, _SHARED_MEMORY = "-wal", "-shm"
_JOURNAL_VERSION = slice(18, 20)  # of the header: 2 for a database with a write-ahead log, 1 for one without
_WITHOUT_LOG = b"\x01\x01"
_SHARED_LOCK_START, _SHARED_LOCK_LENGTH = 0x40000002, 510  # the bytes that every open connection locks
_kept_open: dict[tuple[int, int], int] = {}


def refuse_foreign_log(path: Path) -> None:
    """Raise StorageDamaged if the write-ahead log next to a database file is known not to belong to it."""
    log = _beside(path, _LOG)
    if not log.exists() or log.stat().st_size == 0:
        return
    if not path.exists():
        raise StorageDamaged(f"There is no database {path}, but its file {log.name}: restore a backup.")
    if _read_header(path)[_JOURNAL_VERSION] == _WITHOUT_LOG:
        raise StorageDamaged(
            f"{log} belongs to another database than {path}, which is a backup: delete {log.name} and "
            f"{path.name}{_SHARED_MEMORY}, or restore with python -m storage restore."
        )


def check_file(path: Path) -> int:
    """Check all of a database file and return its number of matches.

    Raises StorageDamaged if it is missing, empty, damaged or no database of Rayuela, StorageTooNew.
    """
    if not path.is_file():
        raise StorageDamaged(f"There is no database {path}.")
    if path.stat().st_size == 0:
        raise StorageDamaged(f"The database {path} is empty.")
    refuse_foreign_log(path)
    with _damage_reported(path), closing(_open(path, "ro")) as connection:
        (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if result != "ok":
            raise StorageDamaged(f"The database {path} is damaged: {' '.join(result.split())}.")
        violation = connection.execute("PRAGMA foreign_key_check").fetchone()
        if violation is not None:
            raise StorageDamaged(f"The database {path} is damaged: a row of {violation[0]} points nowhere.")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        if not {"alembic_version", "matches"} <= tables:
            raise StorageDamaged(f"{path} is no database of Rayuela.")
        for (revision,) in connection.execute("SELECT version_num FROM alembic_version"):
            if not is_known_revision(revision):
                raise StorageTooNew(f"The database {path} was written by a newer version of Rayuela.")
        return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])


def back_up(path: Path, backup: Path) -> int:
    """Copy a database that may be in use into one file; return its number of matches.

    An earlier file of that name is replaced once the new one is complete and has been checked. Raises
    StorageDamaged, StorageTooNew, OSError.
    """
    if not path.is_file():
        raise StorageDamaged(f"There is no database {path}.")
    if backup.exists() and backup.samefile(path):
        raise StorageDamaged(f"{backup} is the database itself: name another file for the backup.")
    refuse_foreign_log(path)
    with _complete_copy(path, backup) as (copy, count):
        copy.replace(backup)
    _synchronize_folder(backup)
    return count


def restore(backup: Path, path: Path) -> int:
    """Put a backup in place of a database that nothing uses; return its number of matches.

    The database that was there stays, with the suffix ``.replaced``. Raises StorageDamaged, StorageTooNew,
    StorageInUse, OSError; then nothing was changed.
    """
    check_file(backup)
    if path.exists() and backup.samefile(path):
        raise StorageDamaged(f"{backup} is the database itself: name the file of the backup.")
    with _exclusive(path), _complete_copy(backup, path) as (copy, count):
        _set_aside(path)
        copy.replace(path)
    _synchronize_folder(path)
    return count


def _set_aside(path: Path) -> None:
    """Keep a database under another name, and leave the file itself in place until it is replaced.

    The log goes first: without it the old database only lacks its last changes; the new one would be corrupt
    with it.
    """
    old = _beside(path, ".replaced")
    for leftover in (old, _beside(old, _LOG), _beside(old, _SHARED_MEMORY), _beside(path, _SHARED_MEMORY)):
        leftover.unlink(missing_ok=True)
    if _beside(path, _LOG).exists():
        _beside(path, _LOG).rename(_beside(old, _LOG))
    if path.exists():
        old.hardlink_to(path)


@contextmanager
def _complete_copy(source: Path, target: Path) -> Iterator[tuple[Path, int]]:
    """Make a checked copy next to `target` that is on the disk; it is deleted unless it is renamed."""
    copy = _beside(target, ".partial")
    _delete_database(copy)
    try:
        with (
            _damage_reported(source),
            closing(_open(source, "ro")) as original,
            closing(_open(copy, "rwc")) as copied,
        ):
            original.backup(copied)
            copied.execute("PRAGMA journal_mode = DELETE")
        count = check_file(copy)
        _synchronize(copy)
        yield copy, count
    finally:
        _delete_database(copy)


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Lock a database file. Raises StorageInUse if another process has it open.

    Only for a process that has no connection to it: closing the file drops all locks of this process.
    """
    if not path.exists():
        yield
        return
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_LOCK_LENGTH, _SHARED_LOCK_START)
        except OSError as error:
            raise StorageInUse(f"{path} is in use: stop the bot and the website first.") from error
        yield


@contextmanager
def _damage_reported(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StorageDamaged(f"The database {path} cannot be read: {error}.") from error


def _open(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file; a read-only connection leaves a write-ahead log as it is."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)


def _read_header(path: Path) -> bytes:
    """Return the first 100 bytes. The file stays open: closing it would drop SQLite's locks on it."""
    found = path.stat()
    descriptor = _kept_open.get((found.st_dev, found.st_ino))
    if descriptor is None:
        descriptor = _kept_open[found.st_dev, found.st_ino] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return os.pread(descriptor, 100, 0)


def _delete_database(path: Path) -> None:
    for suffix in ("", _LOG, _SHARED_MEMORY, "-journal"):
        _beside(path, suffix).unlink(missing_ok=True)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")


def _synchronize(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _synchronize_folder(path: Path) -> None:
    _synchronize(path.absolute().parent)
