"""Backups at regular intervals, each made by a child process, so that no turn waits for one."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

import structlog

from backups.files import is_overdue, make_folder, next_due
from runtime.worker_process import SECRETS, stop_child

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from metrics.monitor import Monitor
    from runtime.steps import Steps

log = structlog.stdlib.get_logger(__name__)

MAX_PAUSE = timedelta(hours=1)  # between two looks into the folder, where others may make backups too
RETRY_PAUSE = timedelta(minutes=10)  # after a backup that failed


class ScheduleSettings(Protocol):
    """The settings that a schedule needs."""

    @property
    def database_url(self) -> str:
        """The URL of the database."""

    @property
    def backup_every(self) -> timedelta | None:
        """The time between two backups, None for none."""

    @property
    def backup_dir(self) -> Path:
        """The folder of the backups."""


@asynccontextmanager
async def scheduled_backups(settings: ScheduleSettings, steps: Steps) -> AsyncIterator[None]:
    """Make backups while the block runs, as often as the settings say, unless another process makes them."""
    if settings.backup_every is None:
        yield
        return
    task = asyncio.create_task(_run(settings, settings.backup_every, steps))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _run(settings: ScheduleSettings, every: timedelta, steps: Steps) -> None:
    pause = RETRY_PAUSE

    async def look() -> None:
        nonlocal pause
        pause = RETRY_PAUSE  # also after an error
        try:
            pause = await _back_up_if_due(settings, every)
        except OSError as error:
            log.warning("backup.failed", error=str(error))
            raise

    while True:
        await steps.run("backup", look)
        await asyncio.sleep(min(pause, MAX_PAUSE).total_seconds())


async def _back_up_if_due(settings: ScheduleSettings, every: timedelta) -> timedelta:
    """Make a backup if one is due; return how long to wait before the next look. Raises OSError."""
    folder = settings.backup_dir
    await asyncio.to_thread(make_folder, folder)
    now = datetime.now(UTC)
    due = await asyncio.to_thread(next_due, folder, every, now)
    if due > now:
        return due - now
    await run_scheduled_backup(settings)
    return min(every, RETRY_PAUSE)


async def run_scheduled_backup(settings: ScheduleSettings) -> None:
    """Make a backup in a child process, which reads the other settings itself. Raises OSError."""
    own = {name: value for name, value in os.environ.items() if name not in SECRETS}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "storage", "backup", "--scheduled"),
        env={**own, "DATABASE_URL": settings.database_url},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, errors = await process.communicate()
    except asyncio.CancelledError:
        await stop_child(process)
        raise
    if process.returncode != 0:
        lines = errors.decode(errors="replace").splitlines() or ["it was killed"]
        raise OSError(lines[-1])
    for line in output.decode(errors="replace").splitlines():
        log.info("backup.made", result=line)


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
