"""Settings of backups that are made by themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from matches.times import parse_duration
from runtime.settings import EnvSettings, setting


@dataclass(frozen=True, slots=True)
class Retention:
    """Which backups are kept: the newest `number`, or those younger than `age`. One of both is set."""

    number: int | None = None
    age: timedelta | None = None

    @classmethod
    def parse(cls, text: str) -> Retention:
        """Parse a number of backups such as ``14``, or an age such as ``30d``. Raises ValueError."""
        stripped = text.strip()
        if re.fullmatch(r"[1-9]\d{0,4}", stripped):
            return cls(number=int(stripped))
        return cls(age=_parse_age(stripped))


def _parse_age(text: str) -> timedelta:
    """Parse a duration such as ``90m``, ``6h`` or ``1d``. Raises ValueError, also for one of nothing."""
    age = parse_duration(text)
    if not age:
        raise ValueError("no time at all")
    return age


# The privacy policy promises that no backup is older.
DEFAULT_RETENTION = Retention(age=timedelta(days=30))


@dataclass(frozen=True, kw_only=True)
class BackupSettings(EnvSettings):
    """How often a backup is made, which are kept, and in which folder; None for `backup_every` is never."""

    backup_every: timedelta | None = setting(_parse_age, None)
    backup_keep: Retention = setting(Retention.parse, DEFAULT_RETENTION)
    backup_dir: Path = setting(Path, Path("data/backups"))
