"""What operators see of the backups: whether one is overdue."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backups.files import is_overdue

if TYPE_CHECKING:
    from backups.schedule import ScheduleSettings
    from metrics.monitor import Monitor


def watch_backups(monitor: Monitor, settings: ScheduleSettings) -> None:
    """Have a monitor report whether a backup is overdue, if backups are scheduled."""
    every, folder = settings.backup_every, settings.backup_dir
    if every is None:
        return

    async def report() -> None:
        try:
            overdue = await asyncio.to_thread(is_overdue, folder, every, datetime.now(UTC))
        except OSError:  # the folder cannot be read
            overdue = True
        monitor.metrics.set_gauges({"backup_overdue": overdue})

    monitor.probes.append(report)
