"""``python -m storage backup DATABASE_URL FILE``, ``python -m storage restore DATABASE_URL FILE``.

Both are for SQLite. A backup may be made while the bot runs; to restore one, stop the bot first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from storage.errors import StorageError, StorageUrlError
from storage.sqlite_files import back_up, restore
from storage.url import parse_url

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Back up or restore, say so in one sentence, and return the exit code: 0, or 1 if it failed."""
    parser = argparse.ArgumentParser(prog="python -m storage", description="Back up or restore a database.")
    parser.add_argument("action", choices=["backup", "restore"])
    parser.add_argument("database", help="sqlite:///FILE")
    parser.add_argument("file", type=Path, help="the backup")
    parsed = parser.parse_args(arguments)
    try:
        path = _database_path(parsed.database)
        if parsed.action == "backup":
            count = back_up(path, parsed.file)
            sys.stdout.write(f"Backed up {path} to {parsed.file}, matches: {count}.\n")
        else:
            count = restore(parsed.file, path)
            sys.stdout.write(f"Restored {path} from {parsed.file}, matches: {count}.\n")
    except StorageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"The {parsed.action} failed: {error}.\n")
        return 1
    return 0


def _database_path(text: str) -> Path:
    """Return the file that a URL names. Raises StorageUrlError."""
    url = parse_url(text)
    if url.get_backend_name() != "sqlite":
        raise StorageUrlError("PostgreSQL has its own tools, pg_dump and pg_restore: see docs/operating.md.")
    return Path(str(url.database))


if __name__ == "__main__":
    sys.exit(main())
