"""The work of the bot, counted: SQL statements, steps of SQLite, calls of Python functions."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from types import FrameType

    from storage import Database

STEPS_PER_COUNT = 10  # SQLite reports its progress after so many instructions


class _Counter:
    """A number that a function without arguments raises by one."""

    value = 0

    def increment(self) -> None:
        self.value += 1


class CostMeter:
    """Counts what the databases that it is attached to do, and the calls of this thread on request."""

    def __init__(self) -> None:
        self.statements = 0
        self.calls = 0
        self._progress: list[_Counter] = []  # one for each connection: each runs in a thread of its own

    @property
    def steps(self) -> int:
        """Return the instructions that SQLite's virtual machine has executed, to the nearest ten."""
        return STEPS_PER_COUNT * sum(counter.value for counter in self._progress)

    async def attach(self, database: Database) -> None:
        """Count what a SQLite database does from now on; all its connections are reopened."""
        engine = database._engine
        event.listen(engine.sync_engine, "before_cursor_execute", self._count_statement)
        event.listen(engine.sync_engine, "connect", self._watch_connection)
        await engine.dispose()

    @contextmanager
    def counting_calls(self) -> Iterator[None]:
        """Count the Python functions that this thread calls while the block runs."""

        def count(_frame: FrameType, kind: str, _argument: object) -> None:
            self.calls += kind == "call"

        sys.setprofile(count)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _count_statement(self, *_arguments: object) -> None:
        self.statements += 1

    def _watch_connection(self, connection: Any, _record: object) -> None:
        counter = _Counter()
        self._progress.append(counter)

        def set_handler(raw: sqlite3.Connection) -> None:
            # A handler that returned a true value would interrupt the statement; this one returns None.
            raw.set_progress_handler(counter.increment, STEPS_PER_COUNT)

        connection.run_async(lambda own: own.run(lambda: set_handler(own.raw)))
