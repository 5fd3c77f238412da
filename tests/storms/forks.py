"""Processes that start fast: each is forked from one that has imported everything already.

A cluster whose processes are killed every few seconds would otherwise do little but import.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import runpy
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.context import ForkServerContext
    from pathlib import Path


def fork_context(modules: Sequence[str]) -> ForkServerContext:
    """Return a context for :class:`ForkedProcess` in which modules are imported already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*modules])
    return context


class ForkedProcess:
    """A process that does what ``python -m MODULE ARGUMENTS`` does, and appends what it logs to a file.

    `settings` are added to its environment.
    """

    def __init__(
        self, context: ForkServerContext, arguments: Sequence[str], settings: Mapping[str, str], log: Path
    ) -> None:
        self._process = context.Process(
            target=_run_module, args=(tuple(arguments), dict(settings), str(log)), daemon=True
        )
        self._process.start()

    @property
    def is_running(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()

    def terminate(self) -> None:
        """Send SIGTERM."""
        self._process.terminate()

    async def wait(self) -> int:
        """Wait for its end and return the exit code, negative for a signal."""
        ended, loop = asyncio.Event(), asyncio.get_running_loop()
        loop.add_reader(self._process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._process.sentinel)
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


def _run_module(arguments: tuple[str, ...], settings: dict[str, str], log: str) -> None:
    with open(log, "ab") as file, open(os.devnull, "wb") as nothing:  # noqa: PTH123 - for their descriptors
        os.dup2(file.fileno(), 2)
        os.dup2(nothing.fileno(), 1)
    os.environ.update(settings)
    sys.argv = [*arguments]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
