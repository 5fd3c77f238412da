"""A child process that is started when it is needed, and a watch that says when that is."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Protocol

import structlog

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from runtime.settings import DatabaseSettings
    from runtime.steps import Steps

log = structlog.stdlib.get_logger(__name__)

STOP_SECONDS = 5.0  # for a child to end by itself
# Seconds before a worker that failed is started again: doubled each time, unless it lived for the longest.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
MANY_FAILURES = 3  # one after the other, so that nothing is expected of the next child
FAILURE_SECONDS = 2 * LONGEST_PAUSE  # after the last of these; then a child may be expected to work again
MANY_SECONDS = 0.1  # in which many commits cause one look
CHECK_SECONDS = 5.0  # between two looks for work of other processes
BUSY_SECONDS, SLOW_SECONDS = 0.25, 2.0  # between two looks while something is owed: at first, and later
EAGER_SECONDS = 15.0  # how long "at first" is
IDLE_MINUTES = "5"
SECRETS = ("DISCORD_TOKEN", "WEB_SECRET")  # settings that a worker does not need


async def stop_child(process: asyncio.subprocess.Process) -> None:
    """Have a child process end, and wait for it; it is killed if it does not end in time."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


class ComputerWork(Protocol):
    """What the computer has to do in the matches of a database."""

    async def is_thinking(self) -> bool:
        """Return whether it owes anything."""

    async def is_due(self, *, now: datetime) -> bool:
        """Return whether it owes anything that no worker has taken."""

    async def restore(self, *, now: datetime) -> int:
        """Find again what it owes."""


class WorkerProcess:
    """At most one child ``python -m MODULE``, which ends when its standard input is closed.

    `environment` are settings that it gets besides those of this process.
    """

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        self._arguments = tuple(arguments)
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._pause = FIRST_PAUSE
        self._start_from = 0.0
        self._started_at = 0.0
        self._failures = 0
        self._failed_at = 0.0

    @property
    def has_failed(self) -> bool:
        """Whether the child has ended with an error again and again, the last time not long ago."""
        now = asyncio.get_running_loop().time()
        return self._failures >= MANY_FAILURES and now - self._failed_at < FAILURE_SECONDS

    @property
    def process_id(self) -> int | None:
        """The process id of the running child, or None."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def ensure_running(self) -> None:
        """Start the child unless it runs. After one that failed, wait longer each time."""
        if self.process_id is not None:
            return
        now = asyncio.get_running_loop().time()
        if self._process is not None:
            failed = self._process.returncode not in (0, None)
            self._process = None
            if now - self._started_at > LONGEST_PAUSE:
                self._pause, self._failures = FIRST_PAUSE, 0
            if failed:
                log.warning("worker.ended", retry_seconds=self._pause)
                self._start_from, self._pause = now + self._pause, min(self._pause * 2, LONGEST_PAUSE)
                self._failures, self._failed_at = self._failures + 1, now
            else:
                self._failures = 0
        if now < self._start_from:
            return
        own = {name: value for name, value in os.environ.items() if name not in SECRETS}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            *self._arguments,
            env={**own, **self._environment},
            stdin=asyncio.subprocess.PIPE,
        )
        self._started_at = now
        log.info("worker.started", process=self._process.pid)

    async def stop(self) -> None:
        """Have the child end, and wait for it."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        await stop_child(process)


class WorkWatch:
    """Watches for work of the computer, has a worker do it, and calls `on_progress` meanwhile and after it.

    Without a `worker` others do the work. Call :meth:`wake` when there may be work.
    """

    def __init__(
        self,
        computer: ComputerWork,
        worker: WorkerProcess | None,
        now: Callable[[], datetime],
        on_progress: Callable[[], Awaitable[object]] | None,
        steps: Steps,
    ) -> None:
        self._computer = computer
        self._steps = steps
        self._worker = worker
        self._now = now
        self._on_progress = on_progress
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Look for work soon."""
        self._woken.set()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch while the block runs, and stop the worker after it."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})
            if self._worker is not None:
                await self._worker.stop()

    async def _run(self) -> None:
        is_prepared = False
        while True:
            if not is_prepared:
                is_prepared = await self._steps.run("computer_restore", self._restore) is None
            await self._steps.run("computer_watch", self._look)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), CHECK_SECONDS)
                await asyncio.sleep(MANY_SECONDS)

    async def _restore(self) -> None:
        await self._computer.restore(now=self._now())

    async def _look(self) -> None:
        """Look until nothing is owed any more."""
        loop = asyncio.get_running_loop()
        eager_until, was_owed = 0.0, False
        while True:
            if self._woken.is_set() or not was_owed:
                self._woken.clear()
                eager_until = loop.time() + EAGER_SECONDS
            is_owed = await self._computer.is_thinking()
            if (is_owed or was_owed) and self._on_progress is not None:
                await self._steps.run("computer_progress", self._on_progress)
            if not is_owed:
                return
            was_owed = True
            if self._worker is not None and await self._computer.is_due(now=self._now()):
                await self._worker.ensure_running()
            await asyncio.sleep(BUSY_SECONDS if loop.time() < eager_until else SLOW_SECONDS)


def computer_worker(settings: DatabaseSettings) -> WorkerProcess | None:
    """Return the process that thinks for the computer opponent, None if `settings` forbid it."""
    if not settings.computer:
        return None
    arguments = ("ai.worker", "--with-parent", "--idle-minutes", IDLE_MINUTES)
    environment = {"DATABASE_URL": settings.database_url, "LOG_LEVEL": settings.log_level}
    return WorkerProcess(arguments, environment)


def can_work(worker: WorkerProcess | None) -> bool:
    """Return whether a worker can be expected to answer."""
    return worker is not None and not worker.has_failed


@asynccontextmanager
async def work_for_computer(
    computer: ComputerWork,
    on_commit: Callable[[Callable[[], None]], AbstractContextManager[None]],
    worker: WorkerProcess | None,
    now: Callable[[], datetime],
    steps: Steps,
    *,
    on_progress: Callable[[], Awaitable[object]] | None = None,
) -> AsyncIterator[None]:
    """Have a child process think for the computer opponent while the block runs.

    `worker` is that of :func:`computer_worker`; without one others do the work. `steps` runs what has to be
    looked for. `on_commit` registers a
    listener for the commits of this process, `now` returns the current time, aware. `on_progress` is called
    several times a second while the computer owes something, and once after that.
    """
    watch = WorkWatch(computer, worker, now, on_progress, steps)
    with on_commit(watch.wake):
        async with watch.watching():
            yield
