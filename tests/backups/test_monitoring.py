"""The figure that says whether a backup is overdue."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backups.files import DIGEST_LENGTH, format_name
from backups.schedule import watch_backups
from metrics.address import Address
from metrics.monitor import serve_monitor
from tests.metrics.figures import read_figures


@dataclass(slots=True)
class Settings:
    backup_dir: Path
    backup_every: timedelta | None
    database_url: str = ""


@pytest.mark.parametrize(("age", "overdue"), [(timedelta(hours=1), 0), (timedelta(days=3), 1)])
async def test_overdue_backup(tmp_path: Path, age: timedelta, overdue: int) -> None:
    (tmp_path / format_name(datetime.now(UTC) - age, "0001", "0" * DIGEST_LENGTH, ".db")).touch()
    async with serve_monitor(Address("127.0.0.1", 0)) as monitor:
        watch_backups(monitor, Settings(tmp_path, timedelta(days=1)))
        assert (await read_figures(monitor)).value("backup_overdue") == overdue


async def test_without_a_schedule_nothing_is_said(tmp_path: Path) -> None:
    async with serve_monitor(Address("127.0.0.1", 0)) as monitor:
        watch_backups(monitor, Settings(tmp_path, None))
        assert "backup" not in (await read_figures(monitor)).text
