"""Steps of the work in the background: one that fails keeps no other from running."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import structlog

from metrics import NO_METRICS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from metrics import Metrics

log = structlog.stdlib.get_logger(__name__)

REMINDER_SECONDS = 600.0  # between two lines about a step that fails again and again


class Steps:
    """Runs the steps of a process. A failure is counted in `metrics`, logged, and returned, never raised.

    A step that fails again and again is logged the first time, then every REMINDER_SECONDS, and when it
    succeeds again. Errors of the types `expected`, such as a database that is away, are logged without a
    traceback. `clock` returns seconds that only grow.
    """

    def __init__(
        self,
        metrics: Metrics = NO_METRICS,
        expected: tuple[type[Exception], ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._metrics = metrics
        self._expected = expected
        self._clock = clock
        self._logged_at: dict[str, float] = {}  # of the steps that failed the last time

    async def run(self, name: str, work: Callable[[], Awaitable[object]]) -> Exception | None:
        """Run a step; return its error, None if it succeeded. `name` is the label of its figures."""
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - whatever it is, the next step must run
            self._metrics.count_step(name, is_failed=True)
            self._log(name, error)
            return error
        self._metrics.count_step(name, is_failed=False)
        if self._logged_at.pop(name, None) is not None:
            log.info("step.recovered", step=name)
        return None

    async def repeat(self, name: str, work: Callable[[], Awaitable[object]], seconds: float) -> None:
        """Run a step until cancelled, with a pause between two runs."""
        while True:
            await self.run(name, work)
            await asyncio.sleep(seconds)

    def _log(self, name: str, error: Exception) -> None:
        now = self._clock()
        if name in self._logged_at and now - self._logged_at[name] < REMINDER_SECONDS:
            return
        self._logged_at[name] = now
        if isinstance(error, self._expected):
            log.warning("step.failed", step=name, error=str(error))
        else:
            log.error("step.failed", step=name, exc_info=error)
