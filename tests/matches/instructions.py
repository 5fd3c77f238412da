"""Counts the instructions of SQLite's virtual machine, which no load of the machine changes."""

import sqlite3

import pytest

STEP = 10  # instructions that are counted together


class InstructionCounter:
    """Counts the instructions of all connections of this process to SQLite."""

    def __init__(self) -> None:
        self.count = 0

    def add(self) -> int:
        """Count one step; returning 0 lets SQLite go on."""
        self.count += STEP
        return 0


def count_instructions(monkeypatch: pytest.MonkeyPatch) -> InstructionCounter:
    """Return a counter of the instructions of all connections opened from now on."""
    found, connect = InstructionCounter(), sqlite3.connect

    def connect_counted(*arguments: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)  # type: ignore[call-overload]
        connection.set_progress_handler(found.add, STEP)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_counted)
    return found
