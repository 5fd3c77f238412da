"""The secret that signs seat tokens, created once and stored in a file that only the owner can read."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OWNER_ONLY = 0o600
SECRET_BYTES = 32


def load_or_create_secret(path: Path) -> str:
    """Return the secret in a file; create the file if it is missing. Raises OSError, also for a damaged file.

    Processes that start at the same moment all return the same secret.
    """
    if not path.exists():
        _create(path)
    path.chmod(OWNER_ONLY)
    secret = path.read_text(encoding="ascii", errors="replace").strip()
    if len(secret) < SECRET_BYTES:
        raise OSError(errno.EINVAL, "the file is damaged, delete it")
    return secret


def _create(path: Path) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_urlsafe(SECRET_BYTES)}\n")
        _publish(temporary, path)
    finally:
        temporary.unlink()


def _publish(temporary: Path, path: Path) -> None:
    """Link the complete file to its final name unless another process was faster."""
    with contextlib.suppress(FileExistsError):
        path.hardlink_to(temporary)
