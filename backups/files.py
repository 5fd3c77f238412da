"""The files of backups in a folder: their names, which are deleted, and when the next one is due.

A name such as ``rayuela-20261122T143559Z-0019-3fa9c1d25b7e8a60.db`` has the time in UTC, so that names sort
by time, the schema revision, and the beginning of the SHA-256 hash of the content. It ends with ``.db`` for
SQLite and ``.dump`` for PostgreSQL.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from storage import StorageInUse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from backups.settings import Retention

SQLITE_SUFFIX, POSTGRESQL_SUFFIX = ".db", ".dump"
DIGEST_LENGTH = 16  # hexadecimal digits
LOCK_NAME = ".lock"  # made with the folder, so its time is when backups began
_NAME = re.compile(r"rayuela-(\d{8}T\d{6}Z)-(\w{1,32})-([0-9a-f]{16})\.(?:db|dump)")
_TIME_FORMAT = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A backup that was made here: `made_at` is aware, `digest` is the hash that its name has."""

    path: Path
    made_at: datetime
    digest: str


def format_name(made_at: datetime, revision: str, digest: str, suffix: str) -> str:
    """Return the name of a backup."""
    return f"rayuela-{made_at.astimezone(UTC).strftime(_TIME_FORMAT)}-{revision}-{digest}{suffix}"


def parse_name(path: Path) -> BackupFile | None:
    """Return what the name of a file says, None if it is not that of a backup."""
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    try:
        made_at = datetime.strptime(found[1], _TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None
    return BackupFile(path, made_at, found[3])


def list_backups(folder: Path) -> tuple[BackupFile, ...]:
    """Return the backups in a folder, the oldest first; none if there is no such folder."""
    if not folder.is_dir():
        return ()
    found = (parse_name(path) for path in folder.iterdir() if path.is_file())
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.path.name))


def compute_digest(path: Path) -> str:
    """Return the beginning of the SHA-256 hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_LENGTH]


def fits_name(path: Path) -> bool:
    """Return whether a file has the content that its name was made for; True if it was renamed."""
    backup = parse_name(path)
    return backup is None or compute_digest(path) == backup.digest


def make_folder(folder: Path) -> None:
    """Make the folder of backups, which only this user can read, unless there is one. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / LOCK_NAME).touch(mode=0o600, exist_ok=True)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Make the folder, and keep other processes from writing into it. Raises StorageInUse if one does."""
    if not (folder / LOCK_NAME).exists():
        make_folder(folder)
    with try_lock(folder / LOCK_NAME) as is_alone:
        if not is_alone:
            raise StorageInUse(f"Another process is making a backup in {folder}.")
        yield


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Return whether no other process has locked a file or folder; none can while the block runs."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield _try_lock(descriptor)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def delete_outdated(
    folder: Path, keep: Retention, newest: Path, now: datetime, every: timedelta = timedelta(0)
) -> int:
    """Delete the backups that are not kept, and return their number; `newest` is kept in any case.

    A backup goes before it is too old if it would be when the next one is made, `every` later.
    """
    others = [one for one in list_backups(folder) if one.path.name != newest.name]
    if keep.number is not None:
        outdated = others[: max(0, len(others) + 1 - keep.number)]
    else:
        outdated = [one for one in others if keep.age is not None and one.made_at < now - keep.age + every]
    for one in outdated:
        one.path.unlink(missing_ok=True)
    return len(outdated)


def find_last(folder: Path, now: datetime) -> datetime | None:
    """Return when the last backup was made; one from the future, by a wrong clock, does not count."""
    return max((one.made_at for one in list_backups(folder) if one.made_at <= now), default=None)


def next_due(folder: Path, every: timedelta, now: datetime) -> datetime:
    """Return when the next backup is due; `now` if there is none."""
    last = find_last(folder, now)
    return now if last is None else last + every


def is_overdue(folder: Path, every: timedelta, now: datetime) -> bool:
    """Return whether the last backup was made more than twice `every` ago.

    Where there is none, backups began when the folder was made; without a folder one is overdue.
    """
    last, lock = find_last(folder, now), folder / LOCK_NAME
    if last is None and lock.exists():
        last = datetime.fromtimestamp(lock.stat().st_mtime, UTC)
    return last is None or now - last > 2 * every
