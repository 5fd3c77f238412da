"""The file that a process touches while it is healthy; ``python -m bot.health`` looks at its age."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from runtime.settings import EnvSettings, SettingsError, setting

# Each user of a machine has a file of their own: nobody can touch the file of another user.
DEFAULT_FILE = Path(tempfile.gettempdir()) / f"rayuela-{os.getuid()}.health"
NEVER = 0.0  # the time of the file until the process is healthy for the first time


@dataclass(frozen=True, kw_only=True)
class HeartbeatSettings(EnvSettings):
    """The path of the heartbeat file."""

    health_file: Path = setting(Path, DEFAULT_FILE)


def prepare_heartbeat(path: Path) -> None:
    """Make sure that the heartbeat file can be touched; it does not count as touched yet.

    Raises SettingsError.
    """
    try:
        touch_heartbeat(path)
    except OSError as error:
        raise SettingsError((("settings.health_file.unwritable", "HEALTH_FILE"),)) from error
    with suppress(PermissionError):  # it belongs to somebody else, who lets this user write
        os.utime(path, (NEVER, NEVER))


def touch_heartbeat(path: Path) -> None:
    """Touch the heartbeat file, but nothing that a link in its place names. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        os.utime(descriptor)
    finally:
        os.close(descriptor)


def heartbeat_age(path: Path) -> float | None:
    """Return the age of the heartbeat in seconds, or None if there is none."""
    try:
        touched_at = path.stat().st_mtime
    except FileNotFoundError:
        return None
    return None if touched_at == NEVER else time.time() - touched_at
