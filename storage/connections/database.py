"""An open, migrated database that provides connections for reading and transactions for writing."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from metrics import NO_METRICS, Stage
from storage.connections import changes
from storage.connections.error_translation import translate_commit_errors, translate_errors
from storage.connections.sqlalchemy_engines import (
    ANSWER_TIMEOUT_SECONDS,
    as_read_engine,
    begin_writing,
    make_engine,
    set_short,
)
from storage.connections.url import parse_url, parse_write_timeout
from storage.copies.sqlite_files import refuse_foreign_log
from storage.errors import StorageUnavailable
from storage.migration import MIGRATIONS, drop_statistics, migrate
from storage.work import requests

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from types import TracebackType
    from typing import Self

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

    from metrics import Metrics

MIN_WRITE_TIMEOUT = 0.05  # seconds that even the last in the queue waits for other processes


class Database:
    """An open, migrated database, an asynchronous context manager. Create it with :meth:`open`.

    `read` and `transaction` provide connections for the functions of the storage modules. Safe for many tasks
    of one event loop, and for several processes on one database. `metrics` measures its use.
    """

    def __init__(self, engine: AsyncEngine, metrics: Metrics = NO_METRICS) -> None:
        self.metrics = metrics
        self._engine = engine
        self._write_timeout = parse_write_timeout(engine.url)
        self._read_engine = as_read_engine(engine)
        # SQLite allows one writer at a time; those of this process queue here in order, without polling.
        self._write_lock = asyncio.Lock() if engine.dialect.name == "sqlite" else None
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        migrations: Path = MIGRATIONS,
        only_current: bool = False,
        metrics: Metrics = NO_METRICS,
    ) -> Self:
        """Open and migrate the database at a URL; a missing SQLite file is created.

        With `only_current` it is never migrated. Raises StorageUrlError, StorageTooNew, StorageTooOld,
        StorageDamaged for a backup next to another database's write-ahead log, StorageUnavailable.
        """
        parsed = parse_url(url)
        engine = migrating = make_engine(parsed)
        if engine.dialect.name == "postgresql":
            engine = make_engine(parsed, command_timeout=ANSWER_TIMEOUT_SECONDS)
        try:
            with translate_errors():
                if engine.dialect.name == "sqlite":
                    refuse_foreign_log(Path(str(parsed.database)))
                await migrate(migrating, migrations, only_check=only_current)
                if not only_current:
                    await drop_statistics(migrating)
        except BaseException:
            await migrating.dispose()
            raise
        if engine is not migrating:
            await migrating.dispose()
        return cls(engine, metrics)

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @contextmanager
    def on_commit(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` after every commit made through this object while the context is open.

        Commits of other processes are not noticed.
        """
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    @asynccontextmanager
    async def read(self, *, short: bool = False) -> AsyncIterator[AsyncConnection]:
        """Return a connection for reading. Each statement sees what is committed when it runs.

        `short` promises that all statements find a few rows by their keys: on SQLite they hold up the event
        loop. Raises StorageUnavailable.
        """
        with self._counting_failures(), translate_errors():
            async with self._read_engine.connect() as connection:
                set_short(connection, short=short)
                yield connection

    @asynccontextmanager
    async def transaction(self, *, short: bool = False) -> AsyncIterator[AsyncConnection]:
        """Return a connection in a transaction: committed at the end of the block, rolled back on any error.

        On SQLite the transaction takes the write lock at once. It waits for other writers as
        long as the URL says, those of this process and of others together. It records the request that is
        being handled, if any (see :mod:`storage.work.requests`). `short` is as for :meth:`read`.

        Raises StorageUnavailable, RequestRepeated.
        """
        asked_at = perf_counter()
        with self._counting_failures():
            async with self._write_slot() as timeout:
                with translate_errors(), requests.recording():
                    async with self._engine.connect() as connection:
                        await begin_writing(connection, timeout, short=short)
                        began_at = perf_counter()
                        yield connection
                        await requests.record(connection)
                        with translate_commit_errors():
                            await connection.commit()
        self.metrics.observe(Stage.DATABASE_WAIT, began_at - asked_at)
        self.metrics.observe(Stage.TRANSACTION, perf_counter() - began_at)
        for listener in tuple(self._listeners):
            listener()

    @property
    def has_one_writer(self) -> bool:
        """Whether the database allows one writer at a time: a transaction waits for all others."""
        return self._write_lock is not None

    @property
    def can_listen(self) -> bool:
        """Whether the database announces what other processes commit."""
        return self._engine.dialect.name == "postgresql"

    async def listen(self, on_start: Callable[[], None], on_change: Callable[[int], None]) -> None:
        """Call `on_change` with the id of each match that any process changes, until cancelled.

        `on_start` is called when that begins. Only if :attr:`can_listen`. Raises StorageUnavailable when the
        connection is lost.
        """
        with translate_errors():
            async with self._read_engine.connect() as connection:
                await changes.listen(connection, on_start, on_change)

    async def check(self) -> None:
        """Raise StorageUnavailable unless a transaction can begin now. Changes nothing."""
        with self._counting_failures():
            async with self._write_slot() as timeout:
                with translate_errors():
                    async with self._engine.connect() as connection:
                        await begin_writing(connection, timeout, short=False)
                        await connection.exec_driver_sql("SELECT 1")

    @contextmanager
    def _counting_failures(self) -> Iterator[None]:
        try:
            yield
        except StorageUnavailable:
            self.metrics.count_database_failure()
            raise

    @asynccontextmanager
    async def _write_slot(self) -> AsyncIterator[float]:
        """Wait until this process has no other writer, where the database allows only one.

        Returns how many seconds are left to wait for other processes.
        """
        if self._write_lock is None:
            yield self._write_timeout
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._write_timeout
        try:
            async with asyncio.timeout_at(deadline):
                await self._write_lock.acquire()
        except TimeoutError as error:
            raise StorageUnavailable("The database is busy: too many are waiting to write.") from error
        try:
            yield max(deadline - loop.time(), MIN_WRITE_TIMEOUT)
        finally:
            self._write_lock.release()
