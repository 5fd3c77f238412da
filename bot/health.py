"""The sign of life: a file touched only while Discord is connected and the database answers.

``python -m bot.health`` exits with 0 where the sign is fresh, else with 1 and one sentence.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from bot.settings import HealthSettings

if TYPE_CHECKING:
    from pathlib import Path

STALE_SECONDS = 60


def touch_heartbeat(path: Path) -> None:
    """Return the sign of life."""
    path.touch()


def heartbeat_age(path: Path) -> float | None:
    """Return how many seconds ago the last sign was given, None if never."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return None


def main() -> int:
    """Return whether the bot is well, for a container's health check."""
    seconds = heartbeat_age(HealthSettings().health_file)
    if seconds is not None and seconds < STALE_SECONDS:
        return 0
    last_answer = "never" if seconds is None else f"{seconds:.0f} s ago"
    sys.stderr.write(f"The bot last answered {last_answer}.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
