"""The file that a process touches while it is healthy; ``python -m bot.health`` looks at its age."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from runtime.settings import EnvSettings, setting


@dataclass(frozen=True, kw_only=True)
class HeartbeatSettings(EnvSettings):
    """The path of the heartbeat file."""

    health_file: Path = setting(Path, Path(tempfile.gettempdir()) / "rayuela.health")


def touch_heartbeat(path: Path) -> None:
    """Touch the heartbeat file."""
    path.touch()


def heartbeat_age(path: Path) -> float | None:
    """Return the age of the heartbeat in seconds, or None if there is none."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return None
