"""Migrate a database to the newest schema revision, or refuse one that is newer than the code."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import IntegrityError

from storage.errors import StorageTooNew, StorageTooOld

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

MIGRATIONS = Path(__file__).parent / "migrations"
_STATISTICS = "SELECT name FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')"
_ADVISORY_LOCK_ID = 0x526179  # arbitrary, the same for all processes
_LOCK_TIMEOUT_MS = 60_000  # how long a process waits while another one migrates


async def migrate(engine: AsyncEngine, migrations: Path = MIGRATIONS, *, only_check: bool = False) -> None:
    """Apply the missing migrations in one transaction. Several processes may start at the same time.

    Raises StorageTooNew, leaving the database unchanged, if its revision is not in `migrations`, and
    StorageTooOld if migrations are missing although they should not be applied (`only_check`).
    """
    known_revisions = _load_known_revisions(migrations)
    async with engine.connect() as connection:
        if await connection.run_sync(_is_outdated, known_revisions):
            if only_check:
                raise StorageTooOld(
                    "The database was written by an older version: start this one on it once, then repeat."
                )
            await connection.rollback()
            await connection.run_sync(_begin_exclusively)
            await connection.run_sync(_upgrade, migrations)
            await connection.commit()
            await connection.invalidate()  # its settings are meant for the migration only


async def drop_statistics(engine: AsyncEngine) -> None:
    """Delete the statistics that somebody gathered for SQLite's planner with ANALYZE.

    They are never updated, and a planner that takes a table for small reads all of it. Without any it uses
    the indexes that the queries are made for. PostgreSQL updates its own.
    """
    if engine.dialect.name == "sqlite":
        async with engine.connect() as connection:
            tables = (await connection.exec_driver_sql(_STATISTICS)).scalars().all()
            for table in tables:
                await connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
            if tables:
                await connection.invalidate()  # it remembers them; the others read the schema again


def is_known_revision(revision: str) -> bool:
    """Return whether this version can open a database at a schema revision."""
    return revision in _load_known_revisions(MIGRATIONS).revisions


class _KnownRevisions(NamedTuple):
    """The schema revisions in a folder of migrations, and the newest of them."""

    revisions: frozenset[str]
    heads: frozenset[str]


@functools.cache
def _load_known_revisions(migrations: Path) -> _KnownRevisions:
    """Load a folder of migrations, once a process since each is a module to import."""
    scripts = ScriptDirectory(str(migrations))
    revisions = frozenset(script.revision for script in scripts.walk_revisions())
    return _KnownRevisions(revisions, frozenset(scripts.get_heads()))


def _is_outdated(connection: Connection, known: _KnownRevisions) -> bool:
    """Return whether migrations are missing. Raises StorageTooNew."""
    current = set(MigrationContext.configure(connection).get_current_heads())
    if current - known.revisions:
        raise StorageTooNew(
            f"The database is at revision {', '.join(sorted(current))}, which this version does not know: "
            "a newer version has used it. Start that version, or go back to a copy made before."
        )
    return current != known.heads


def _begin_exclusively(connection: Connection) -> None:
    """Begin a transaction with a lock; a second process waits here until the first is done."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {_LOCK_TIMEOUT_MS}")
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")  # tables may be rebuilt; checked at the end
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_LOCK_TIMEOUT_MS}")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {_LOCK_TIMEOUT_MS}")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK_ID})")


def _upgrade(connection: Connection, migrations: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        violations = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if violations:
            raise IntegrityError(
                "PRAGMA foreign_key_check", None, ValueError(f"{len(violations)} rows point nowhere")
            )
