"""The work of a process, counted: SQL statements, steps of SQLite, calls of Python functions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import event

if TYPE_CHECKING:
    import sqlite3
    from types import FrameType

    from storage import Database

STEPS_PER_COUNT = 10  # SQLite reports its progress after so many instructions


class Work(NamedTuple):
    """SQL statements, instructions of SQLite's virtual machine to the nearest ten, calls of functions."""

    statements: int = 0
    steps: int = 0
    calls: int = 0


class _Counter:
    """A number that a function without arguments raises by one."""

    value = 0

    def increment(self) -> None:
        self.value += 1


class CostMeter:
    """Counts what the databases that it is attached to do, and the calls of this thread on request."""

    def __init__(self) -> None:
        self._statements = self._calls = 0
        self._progress: list[_Counter] = []  # one for each connection: each runs in a thread of its own

    async def attach(self, database: Database) -> None:
        """Count what a SQLite database does from now on; all its connections are reopened."""
        engine = database._engine
        event.listen(engine.sync_engine, "before_cursor_execute", self._count_statement)
        event.listen(engine.sync_engine, "connect", self._watch_connection)
        await engine.dispose()

    def count(self, *, calls: bool) -> Work:
        """Return all work until now; `calls` says whether those of functions are counted from now on."""
        sys.setprofile(self._count_call if calls else None)
        steps = STEPS_PER_COUNT * sum(counter.value for counter in self._progress)
        return Work(self._statements, steps, self._calls)

    def _count_call(self, _frame: FrameType, kind: str, _argument: object) -> None:
        self._calls += kind == "call"

    def _count_statement(self, *_arguments: object) -> None:
        self._statements += 1

    def _watch_connection(self, connection: Any, _record: object) -> None:
        counter = _Counter()
        self._progress.append(counter)

        def set_handler(raw: sqlite3.Connection) -> None:
            # A handler that returned a true value would interrupt the statement; this one returns None.
            raw.set_progress_handler(counter.increment, STEPS_PER_COUNT)

        connection.run_async(lambda own: own.run(lambda: set_handler(own.raw)))
