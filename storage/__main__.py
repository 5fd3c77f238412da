"""``python -m storage``: back up and restore the database, and move it to PostgreSQL.

``backup [FOLDER]`` makes a backup while the bot runs. ``restore FILE`` puts one in place while it does not.
``copy SQLITE_URL POSTGRES_URL`` moves an installation. The database is that of the setting DATABASE_URL, or
of ``--database``. The exit code is 0, 1 if it failed, or 2 for malformed settings.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from backups.creation import make_backup
from backups.moving import move_database
from backups.restoration import restore_backup
from backups.settings import BackupSettings, Retention
from i18n import Texts
from runtime.settings import DatabaseSettings, SettingsError, load_settings, report_settings_error
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEDULED_PRIORITY = 10  # a niceness: the bot and the website come first


@dataclass(frozen=True, kw_only=True)
class StorageSettings(BackupSettings, DatabaseSettings):
    """The settings that the commands need."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say, print what was done, and return the exit code."""
    parsed = _parser().parse_args(arguments)
    try:
        settings = load_settings(StorageSettings)
    except SettingsError as error:
        return report_settings_error(Texts.load(), error)
    try:
        asyncio.run(_run(parsed, settings))
    except StorageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"The {parsed.action} failed: {error}.\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m storage", description="Back up, restore or move the database."
    )
    actions = parser.add_subparsers(dest="action", required=True)
    backup = actions.add_parser("backup", help="make a backup; the bot may run")
    backup.add_argument("folder", type=Path, nargs="?", help="by default that of the setting BACKUP_DIR")
    keep = "then delete all backups but the newest N, or with an age such as 30d those older than that"
    backup.add_argument("--keep", type=Retention.parse, metavar="N", help=keep)
    backup.add_argument(
        "--scheduled", action="store_true", help="as the settings BACKUP_... say, if one is due"
    )
    restore = actions.add_parser("restore", help="restore a backup; stop the bot first")
    restore.add_argument("file", type=Path, help="the backup")
    restore.add_argument("--replace", action="store_true", help="put a database that is there aside")
    for one in (backup, restore):
        one.add_argument("--database", metavar="URL", help="by default that of the setting DATABASE_URL")
    copy = actions.add_parser("copy", help="move to PostgreSQL; stop the bot first")
    copy.add_argument("source", metavar="SQLITE_URL")
    copy.add_argument("target", metavar="POSTGRES_URL", help="of an empty database")
    return parser


async def _run(parsed: argparse.Namespace, settings: StorageSettings) -> None:
    """Do what the arguments say. Raises StorageError, OSError."""
    if parsed.action == "copy":
        await move_database(parsed.source, parsed.target, _report_table, _report_replayed)
        _write("Copied completely. Set DATABASE_URL to the new database, and start the bot.")
        return
    url = parsed.database or settings.database_url
    if parsed.action == "restore":
        matches = await restore_backup(parsed.file, url, replace=parsed.replace)
        _write(f"Restored {parsed.file}, matches: {matches}.")
    elif parsed.scheduled:
        os.nice(SCHEDULED_PRIORITY)
        await _back_up(url, settings.backup_dir, settings.backup_keep, settings.backup_every or timedelta(0))
    else:
        await _back_up(url, parsed.folder or settings.backup_dir, parsed.keep, None)


async def _back_up(url: str, folder: Path, keep: Retention | None, every: timedelta | None) -> None:
    made = await make_backup(url, folder, now=datetime.now(UTC), keep=keep, every=every)
    if made is not None:
        deleted = f" Older backups deleted: {made.deleted}." if keep is not None else ""
        _write(f"Made {made.path}, matches: {made.matches}, replayed: {made.replayed}.{deleted}")


def _report_table(name: str, rows: int) -> None:
    _write(f"{name}: {rows} rows")


def _report_replayed(done: int, matches: int) -> None:
    _write(f"matches replayed: {done} of {matches}")


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
