"""Processes that are started, stopped and killed; the one place where that is done.

Each is forked from a process that has imported everything already. A cluster whose processes are killed every
few seconds would otherwise do little but import.
"""

from __future__ import annotations

import asyncio
import inspect
import multiprocessing
import os
import runpy
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.cluster import Violation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

ANSWER_SECONDS = 600.0  # after which a process hangs; some have hundreds of actions to carry out
STOP_SECONDS = 60.0
IMPORTED = (
    "asyncpg",
    "backups.creation",
    "backups.moving",
    "backups.restoration",
    "backups.schedule",
    "bot.__main__",
    "tests.discord_connector",
    "tests.soak.service",
    "tests.storms.mailbox",
    "tests.storms.packing",
    "tests.storms.races",
    "tests.storms.workers",
    "web.app",
)
_FORKS = multiprocessing.get_context("forkserver")


class ChildProcess:
    """A process that runs ``main(parent, *arguments)``, started again and again, or not running.

    `main` is a function of a module, with a :class:`Parent`. What it writes to standard error goes to `log`,
    if there is one; `settings` are added to its environment.
    """

    def __init__(
        self,
        name: str,
        main: Callable[..., object],
        *arguments: Any,
        log: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.log = log
        self.kills = 0
        self.is_up = False  # started, and neither killed nor told to end since
        self._main = main
        self._settings = dict(settings or {})
        self._process: BaseProcess | None = None
        self._asking = asyncio.Lock()

    def start(self) -> None:
        """Start it. The first process of all waits until everything is imported."""
        _FORKS.set_forkserver_preload([*IMPORTED])
        self._pipe, far_end = _FORKS.Pipe()
        self._process = _FORKS.Process(
            target=_run, args=(self._main, far_end, self.arguments, self.log, self._settings), daemon=True
        )
        self._process.start()
        self.is_up = True
        far_end.close()

    async def run(self) -> float:
        """Start it and wait until it has ended by itself; return the seconds. Raises Violation."""
        self.start()
        began = time.monotonic()
        await self.finish()
        return time.monotonic() - began

    async def ask(self, request: Any) -> Any:
        """Send it a request and return its answer; None if it is killed meanwhile. Raises Violation."""
        async with self._asking:
            with suppress(ConnectionError):
                self._pipe.send(request)
            return await self.receive()

    async def receive(self) -> Any:
        """Return what it sends next; None if it is killed before. Raises Violation if it is silent."""
        kills = self.kills
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await _receive(self._pipe)
        except (TimeoutError, EOFError, ConnectionError) as error:
            if self.kills > kills:
                return None
            raise Violation(f"{self.name} is silent: {error!r}\n{self._last_lines()}") from None

    def kill(self) -> bool:
        """End it at once, as a power cut would, unless it is not running; return whether it was."""
        self.is_up = False
        if self._process is None or not self._process.is_alive():
            return False
        self.kills += 1
        self._process.kill()
        return True

    async def kill_after(self, seconds: float) -> bool:
        """Kill it after so many seconds; return whether it was running. Raises Violation if it has failed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.wait(), seconds)
        was_running = self.kill()
        if not was_running:
            await self.finish()
        await self.wait()
        return was_running

    def terminate(self) -> None:
        """Have it end as a service manager does: what it has begun is finished."""
        self.is_up = False
        self._pipe.close()  # ends `Parent.requests`
        if self._main is run_module and self._process is not None:
            self._process.terminate()

    async def stop(self) -> None:
        """Have it end cleanly. Raises Violation if it does not."""
        self.terminate()
        try:
            await asyncio.wait_for(self.finish(), STOP_SECONDS)
        except TimeoutError:
            self.kill()
            raise Violation(f"{self.name} does not stop") from None

    async def finish(self) -> None:
        """Wait until it has ended by itself. Raises Violation if it has failed."""
        if status := await self.wait():
            raise Violation(f"{self.name} ended with status {status}:\n{self._last_lines()}")

    async def wait(self) -> int:
        """Wait for its end and return the exit code, negative for a signal."""
        process = self._process
        assert process is not None
        await _wait_until_readable(process.sentinel)
        process.join()
        assert process.exitcode is not None
        return process.exitcode

    def _last_lines(self) -> str:
        text = self.log.read_text(errors="replace") if self.log else ""
        return "\n".join(text.splitlines()[-10:])


@dataclass(slots=True)
class Parent:
    """What a child process sees of the one that has started it."""

    _pipe: Connection[Any, Any]

    def send(self, answer: Any) -> None:
        self._pipe.send(answer)

    async def requests(self) -> AsyncIterator[Any]:
        """Yield what it sends, until it wants an end, or has ended."""
        with suppress(EOFError, ConnectionError):
            while True:
                yield await _receive(self._pipe)


def run_module(_parent: Parent, *arguments: str) -> None:
    """Do what ``python -m ARGUMENTS`` does."""
    sys.argv = [*arguments]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


async def _receive(pipe: Connection[Any, Any]) -> Any:
    await _wait_until_readable(pipe.fileno())
    return pipe.recv()


async def _wait_until_readable(descriptor: int) -> None:
    readable, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_reader(descriptor, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(descriptor)


def _run(
    main: Callable[..., Any],
    pipe: Connection[Any, Any],
    arguments: tuple[Any, ...],
    log: Path | None,
    settings: Mapping[str, str],
) -> None:
    """Run a child process."""
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), 1)
    if log is not None:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
    os.environ.update(settings)
    done = main(Parent(pipe), *arguments)
    if inspect.iscoroutine(done):
        asyncio.run(done)
