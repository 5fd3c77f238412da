"""The current time, protected from short leaps of the machine's clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.stdlib.get_logger(__name__)

TOLERANCE = timedelta(minutes=1)  # a larger difference between two clocks is a leap
PATIENCE = timedelta(minutes=10)  # a leap that lasts longer is taken for the truth


def read_wall_clock() -> datetime:
    """Return the time of the machine's clock, in UTC."""
    return datetime.now(UTC)


def read_monotonic_clock() -> timedelta:
    """Return the time since the machine was started, including time asleep where the system tells."""
    boot_clock = getattr(time, "CLOCK_BOOTTIME", None)
    return timedelta(seconds=time.monotonic() if boot_clock is None else time.clock_gettime(boot_clock))


class SteadyClock:
    """Returns the current time when called: that of the machine's clock, unless it has just leapt.

    After a leap, forward or backward, the time goes on as the monotonic clock counts it, until the machine's
    clock has returned or ten minutes are over. So a short fault of the time service ends no challenge.
    """

    def __init__(
        self,
        wall: Callable[[], datetime] = read_wall_clock,
        monotonic: Callable[[], timedelta] = read_monotonic_clock,
    ) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._offset = _as_offset(wall(), monotonic())
        self._leapt_at: timedelta | None = None

    def __call__(self) -> datetime:
        """Return the current time, aware."""
        wall, monotonic = self._wall(), self._monotonic()
        offset = _as_offset(wall, monotonic)
        leap = offset - self._offset
        if abs(leap) <= TOLERANCE:
            self._offset, self._leapt_at = offset, None
            return wall
        if self._leapt_at is None:
            self._leapt_at = monotonic
            log.warning("clock.leapt", seconds=leap.total_seconds())
        if monotonic - self._leapt_at >= PATIENCE:
            log.warning("clock.followed", seconds=leap.total_seconds())
            self._offset, self._leapt_at = offset, None
            return wall
        return self._offset + monotonic


def _as_offset(wall: datetime, monotonic: timedelta) -> datetime:
    """Return when the monotonic clock stood at zero."""
    return wall - monotonic
