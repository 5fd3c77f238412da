"""The heartbeat: a file that is touched only while Discord is connected and the database answers.

``python -m bot.health`` exits with 0 if the file is recent, else with 1 and a message on stderr.
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
    """Touch the heartbeat file."""
    path.touch()


def heartbeat_age(path: Path) -> float | None:
    """Return the age of the heartbeat in seconds, or None if there is none."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return None


def main() -> int:
    """Return the exit code of a health check: 0 if the bot is healthy."""
    seconds = heartbeat_age(HealthSettings().health_file)
    if seconds is not None and seconds < STALE_SECONDS:
        return 0
    last_answer = "never" if seconds is None else f"{seconds:.0f} s ago"
    sys.stderr.write(f"The bot last answered {last_answer}.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
