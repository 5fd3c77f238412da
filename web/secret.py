"""The secret that signs keys to seats: made once, kept in a file that nobody else may read."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OWNER_ALONE = 0o600
BYTES = 32


def kept(path: Path) -> str:
    """Give the secret in a file, making both where there is none. Raises OSError.

    Of two processes that begin at the same moment one makes it, and both read the same.
    """
    if not path.exists():
        _make(path)
    path.chmod(OWNER_ALONE)
    return path.read_text(encoding="ascii").strip()


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_urlsafe(BYTES)}\n")
        _publish(fresh, path)
    finally:
        fresh.unlink()


def _publish(fresh: Path, path: Path) -> None:
    """Give a whole file its name unless another process was faster."""
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        return
