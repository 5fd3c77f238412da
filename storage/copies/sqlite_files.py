"""Database files of SQLite as a whole: checking them, backing them up and restoring them.

A database file and its write-ahead log, the file with the suffix ``-wal``, belong together: a log that was
left by another database overwrites pages at random. Backups made here are files without a log, and their
header says so; a log next to one is recognised as foreign.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from storage.errors import (
    StorageDamaged,
    StorageInUse,
    StorageNotEmpty,
    StorageTooNew,
    StorageUnavailable,
)
from storage.migration import is_known_revision

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REPLACED = ".replaced"  # of the name of a database that another one was put in place of
_LOG, _SHARED_MEMORY = "-wal", "-shm"
_JOURNAL_VERSION = slice(18, 20)  # of the header: 2 for a database with a write-ahead log, 1 for one without
_WITHOUT_LOG = b"\x01\x01"
_SHARED_LOCK_START, _SHARED_LOCK_LENGTH = 0x40000002, 510  # the bytes that every open connection locks
_FAILED_WRITES = frozenset({"SQLITE_FULL", *(f"SQLITE_IOERR_{do}" for do in ("WRITE", "FSYNC", "TRUNCATE"))})
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


def copy_database(path: Path, copy: Path) -> None:
    """Copy a database that may be in use into one file that only this user can read.

    What happens while it is copied is in the copy as a whole or not at all. The copy is checked and on the
    disk; after an error it is deleted. Raises StorageDamaged, StorageTooNew, StorageUnavailable for a full
    disk, OSError.
    """
    if not path.is_file():
        raise StorageDamaged(f"There is no database {path}.")
    refuse_foreign_log(path)
    delete_database(copy)
    try:
        make_private_file(copy)
        with (
            _damage_reported(path),
            closing(_open(path, "ro")) as original,
            closing(_open(copy, "rw")) as copied,
            _failed_writes_reported(copy),
        ):
            original.backup(copied)
        close_log(copy)
    except BaseException:
        delete_database(copy)
        raise


def close_log(path: Path) -> None:
    """Make a database that nothing uses one file without a write-ahead log, check it and put it on the disk.

    Raises StorageDamaged, StorageTooNew, StorageUnavailable, OSError.
    """
    with (
        _damage_reported(path),
        closing(_open(path, "rw")) as connection,
        _failed_writes_reported(path),
    ):
        connection.execute("PRAGMA journal_mode = DELETE")
    check_file(path)
    synchronize(path)


def check_replaceable(path: Path, *, replace: bool) -> None:
    """Check that `replace_database` may put another database in place of one.

    Raises StorageNotEmpty if there is one and it is not to be replaced, or if an earlier one was replaced and
    is still there; StorageInUse.
    """
    if path.exists() and not replace:
        raise StorageNotEmpty(f"There is a database {path}: add --replace to put the backup in its place.")
    old = _beside(path, REPLACED)
    if old.exists() and not (path.exists() and old.samefile(path)):  # the same file after a kill
        raise StorageNotEmpty(f"{old} is left from an earlier restore: move or delete it first.")
    with _exclusive(path):
        pass


def replace_database(copy: Path, path: Path) -> None:
    """Put a database, one file, in place of another one that nothing uses; that one stays as ``.replaced``.

    Whenever this is interrupted, `path` is the whole old database or the whole new one. Raises StorageInUse,
    OSError.
    """
    if path.exists():
        with _exclusive(path):
            pass
        with suppress(StorageDamaged):  # the old one may be why another is put in place
            _complete(path)
        _take_permissions(copy, path)
    with _exclusive(path):
        _set_aside(path)
        copy.replace(path)
    synchronize(path.absolute().parent)


@contextmanager
def locked_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Return a connection to a checked database that nobody else can use meanwhile.

    Raises StorageInUse, StorageDamaged, StorageTooNew.
    """
    check_file(path)
    with _damage_reported(path), closing(_open(path, "rw")) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise _in_use(path) from error
        yield connection
        connection.execute("ROLLBACK")


def make_private_file(path: Path) -> None:
    """Make a new empty file that only this user can read and write."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def delete_database(path: Path) -> None:
    """Delete a database with all files that SQLite has next to it, if there is one."""
    for suffix in ("", _LOG, _SHARED_MEMORY, "-journal"):
        _beside(path, suffix).unlink(missing_ok=True)


def synchronize(path: Path) -> None:
    """Wait until a file or the names in a folder are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _complete(path: Path) -> None:
    """Write what is in the log of a database that nothing uses into its file."""
    refuse_foreign_log(path)
    with _damage_reported(path), closing(_open(path, "rw")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _take_permissions(copy: Path, path: Path) -> None:
    """Let whoever can use one file use a copy that takes its place."""
    shutil.copymode(path, copy)
    found = path.stat()
    with suppress(PermissionError):
        os.chown(copy, found.st_uid, found.st_gid)


def _set_aside(path: Path) -> None:
    """Keep a database under another name, and leave the file itself in place until it is replaced.

    A log is left only by a database that is damaged; the new one would be corrupt with it.
    """
    old = _beside(path, REPLACED)
    for leftover in (old, _beside(old, _LOG), _beside(old, _SHARED_MEMORY), _beside(path, _SHARED_MEMORY)):
        leftover.unlink(missing_ok=True)
    if _beside(path, _LOG).exists():
        _beside(path, _LOG).rename(_beside(old, _LOG))
    if path.exists():
        old.hardlink_to(path)


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
            raise _in_use(path) from error
        yield


@contextmanager
def _damage_reported(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StorageDamaged(f"The database {path} cannot be read: {error}.") from error


@contextmanager
def _failed_writes_reported(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname in _FAILED_WRITES:
            raise StorageUnavailable(
                f"The copy of the database cannot be written to {path.parent}: {error}. Is the disk full?"
            ) from error
        raise


def _in_use(path: Path) -> StorageInUse:
    return StorageInUse(f"{path} is in use: stop the bot and the website first.")


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


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")
