"""SQLite through aiosqlite, with one thread hop for each statement instead of four, or none.

aiosqlite runs a connection in a thread of its own, and each call is a round trip to that thread. SQLAlchemy
calls cursor, execute, fetchall and close for every statement. The cursor here does all four in one round trip
and answers the rest from memory. A round trip costs more processor time than a statement that finds rows by
their key; while only such statements are sent, they are executed without one. What may wait for a lock or for
the disk never is.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakSet

import aiosqlite

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterable
    from types import TracebackType

log = logging.getLogger(__name__)

ResultT = TypeVar("ResultT")

BEGIN_WRITING = "BEGIN IMMEDIATE"

FileId = tuple[int, int] | None
"""Device and inode of a file; None if there is none."""


class DatabaseFile:
    """The file of a database, and whether it is still the one that this process opened.

    A deleted file can be written to as long as it is open, and all of that is lost when it is closed. So each
    transaction asks before it begins and before and after its commit. A file that is overwritten in place
    cannot be told from one that another process writes to.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._file, self._log = Path(path), Path(f"{path}-wal")
        self._id: FileId = None
        self._log_id: FileId = None  # of the write-ahead log, which stays while a connection is open
        self._connections: WeakSet[SingleHopConnection] = WeakSet()

    def connect(self, connection: SingleHopConnection, busy_seconds: float) -> sqlite3.Connection:
        """Open the file for a connection, in that connection's thread. Raises sqlite3.Error, OSError."""
        if any(other.is_open for other in tuple(self._connections)):
            self.check()
            opened = _connect(self.path, busy_seconds)
        else:
            opened = _connect(self.path, busy_seconds)
            self._id, self._log_id = _file_id(self._file), None
        self._connections.add(connection)
        return opened

    def check(self) -> None:
        """Raise sqlite3.OperationalError if the file or its write-ahead log is gone or another now."""
        log_id = _file_id(self._log)
        if _file_id(self._file) != self._id or self._log_id not in {None, log_id}:
            raise sqlite3.OperationalError(
                f"{self.path} or its -wal file was deleted or replaced while the program ran. "
                "Nothing is saved any more: stop the program, restore the file and start again"
            )
        self._log_id = log_id


def _file_id(path: Path) -> FileId:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


class SingleHopCursor:
    """The part of an asynchronous DBAPI cursor that SQLAlchemy uses."""

    arraysize = 1

    def __init__(self, connection: SingleHopConnection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def execute(self, operation: str, parameters: Iterable[Any] = ()) -> SingleHopCursor:
        """Execute a statement and fetch all its rows. Raises sqlite3.Error."""
        if operation == BEGIN_WRITING:
            return await self._run(self._connection.begin_writing, may_wait=True)  # for the write lock
        return await self._run(lambda cursor: cursor.execute(operation, tuple(parameters)))

    async def executemany(self, operation: str, parameters: Iterable[Iterable[Any]]) -> SingleHopCursor:
        """Execute a statement for each of several parameter sets. Raises sqlite3.Error."""
        return await self._run(
            lambda cursor: cursor.executemany(operation, [tuple(row) for row in parameters])
        )

    async def fetchall(self) -> list[Any]:
        """Return the rows of the statement; empty if called again."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Drop the rows. The real cursor was closed in its thread."""
        self._rows = []

    async def _run(
        self, statement: Callable[[sqlite3.Cursor], object], *, may_wait: bool = False
    ) -> SingleHopCursor:
        # A plain function, not a partial: aiosqlite logs the repr of what it runs, which must show no values.
        def run() -> tuple[Any, list[Any], int, int | None]:
            cursor = self._connection.raw.cursor()
            try:
                statement(cursor)
                rows = cursor.fetchall() if cursor.description else []
                return cursor.description, rows, cursor.rowcount, cursor.lastrowid
            finally:
                cursor.close()

        is_here = self._connection.is_short and not may_wait
        result = run() if is_here else await self._connection.run(run)
        self.description, self._rows, self.rowcount, self.lastrowid = result
        return self


class SingleHopConnection(aiosqlite.Connection):
    """An aiosqlite connection whose cursors make one round trip for each statement."""

    def __init__(self, file: DatabaseFile, busy_seconds: float) -> None:
        super().__init__(lambda: file.connect(self, busy_seconds), iter_chunk_size=64)
        self._file = file
        self._thread.daemon = True  # as SQLAlchemy does for connections that it makes itself
        self._stopping: asyncio.Future[object] | None = None
        # How long the next transaction waits for the write lock; None does not change that.
        self.write_timeout: float | None = None
        self.is_short = False  # whether statements are executed in the thread of the caller

    @classmethod
    async def open(cls, file: DatabaseFile, busy_seconds: float) -> Self:
        """Connect to a file. Raises sqlite3.Error, OSError."""
        connection = cls(file, busy_seconds)
        try:
            await connection
        except BaseException:
            if connection._stopping is not None:
                await connection._stopping  # otherwise the thread may outlive its event loop
            raise
        return connection

    def stop(self) -> asyncio.Future[object] | None:
        """Close the connection and end its thread."""
        self._stopping = super().stop()
        return self._stopping

    @property
    def is_open(self) -> bool:
        """Whether the connection has not been closed."""
        return self._stopping is None

    @property
    def raw(self) -> sqlite3.Connection:
        """The sqlite3 connection, for use by one thread at a time."""
        return self._conn

    async def run(self, function: Callable[[], ResultT]) -> ResultT:
        """Call `function` in the connection's thread."""
        result: ResultT = await self._execute(function)  # type: ignore[no-untyped-call]
        return result

    def begin_now(self) -> bool:
        """Begin a transaction in the thread of the caller if that is quick; return whether it has begun.

        If not, begin it with a statement, which waits for the write lock and raises what is wrong.
        """
        if not self.is_short:
            return False
        cursor = self.raw.cursor()
        try:
            self._set_timeout(cursor, 0)
            try:
                self._file.check()
                cursor.execute(BEGIN_WRITING)
            finally:
                self._set_timeout(cursor, self.write_timeout)
        except sqlite3.Error:
            return False
        finally:
            cursor.close()
        return True

    def begin_writing(self, cursor: sqlite3.Cursor) -> None:
        """Begin a transaction with the write lock; wait for it. Raises sqlite3.Error."""
        self._set_timeout(cursor, self.write_timeout)
        self._file.check()
        cursor.execute(BEGIN_WRITING)

    def _set_timeout(self, cursor: sqlite3.Cursor, seconds: float | None) -> None:
        if seconds is not None:
            cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def _commit(self) -> None:
        try:
            self._file.check()
            self.raw.commit()
        except sqlite3.Error:
            self.raw.rollback()  # SQLAlchemy does not after a failed commit
            raise
        self._file.check()

    def cursor(self) -> SingleHopCursor:  # type: ignore[override]
        """Return a cursor. Nothing happens in the thread until a statement is executed."""
        return SingleHopCursor(self)

    async def commit(self) -> None:
        """Commit; without a transaction this does nothing, and makes no round trip."""
        if self.in_transaction:
            await self.run(self._commit)

    async def rollback(self) -> None:
        """Roll back; without a transaction this does nothing, and makes no round trip."""
        if self.in_transaction:
            await super().rollback()


def _connect(path: str, busy_seconds: float) -> sqlite3.Connection:
    """Open a database file; create it and its folder if needed, so that only this user can read them.

    SQLite gives the files next to it the same permissions. Runs in the connection's thread.
    """
    Path(path).parent.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        # Whoever has mistyped the path must not believe that the matches are lost.
        log.warning("There is no database yet; a new one is made: %s", Path(path).absolute())
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # overwrite what is deleted: backups copy free pages
    except sqlite3.Error:
        connection.close()
        raise
    return connection
