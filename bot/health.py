"""``python -m bot.health``: whether a process of any role is healthy.

It exits with 0 if the heartbeat file is recent and no backup is overdue, else with 1 and a message on stderr
for each of both. A process touches the file only while the database answers and, if it needs the gateway, a
shard is connected.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backups.files import find_last, is_overdue
from bot.settings import HealthSettings
from i18n import Texts
from runtime.heartbeat import heartbeat_age
from runtime.settings import SettingsError, load_settings, report_settings_error

if TYPE_CHECKING:
    from collections.abc import Iterator

STALE_SECONDS = 60


def main() -> int:
    """Return the exit code of a health check: 0 if the process is healthy."""
    try:
        settings = load_settings(HealthSettings)
    except SettingsError as error:
        return report_settings_error(Texts.load(), error)
    problems = [*_describe_heartbeat(settings), *_describe_backups(settings)]
    sys.stderr.writelines(f"{problem}\n" for problem in problems)
    return int(bool(problems))


def _describe_heartbeat(settings: HealthSettings) -> Iterator[str]:
    """Yield what is wrong with the heartbeat."""
    seconds = heartbeat_age(settings.health_file)
    if seconds is None or seconds >= STALE_SECONDS:
        last_answer = "never" if seconds is None else f"{seconds:.0f} s ago"
        yield f"The process last answered {last_answer}."


def _describe_backups(settings: HealthSettings) -> Iterator[str]:
    """Yield what is wrong with the backups; nothing if none are scheduled, or the first has some time yet."""
    every, folder, now = settings.backup_every, settings.backup_dir, datetime.now(UTC)
    if every is not None and is_overdue(folder, every, now):
        last = find_last(folder, now)
        last_made = "there is none" if last is None else f"the last is of {last:%Y-%m-%d %H:%M} UTC"
        yield f"A backup is overdue: {last_made} in {folder}. The log says why (backup.failed)."


if __name__ == "__main__":
    sys.exit(main())
