"""Migrate a database to the newest schema revision, or refuse one that is newer than the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from storage.errors import StorageDamaged, StorageTooNew, StorageTooOld

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION_TABLE = "alembic_version"
_REVISION = re.compile(r'^(revision|down_revision)\b[^=\n]*= "([^"]+)"', re.MULTILINE)
UNFINISHED = "unfinished copy"  # in place of the revision, while another database is copied into one
_STATISTICS = "SELECT name FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')"
_QUOTED_TABLES = (
    "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = current_schema()"
)
_ADVISORY_LOCK_ID = 0x526179  # arbitrary, the same for all processes
_LOCK_TIMEOUT_MS = 60_000  # how long a process waits while another one migrates


async def migrate(engine: AsyncEngine, migrations: Path = MIGRATIONS, *, only_check: bool = False) -> None:
    """Apply the missing migrations in one transaction. Several processes may start at the same time.

    Raises StorageTooNew, leaving the database unchanged, if its revision is not in `migrations`,
    StorageTooOld if migrations are missing although they should not be applied (`only_check`), and
    StorageDamaged for an unfinished copy of another database.
    """
    known_revisions = load_known_revisions(migrations)
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


async def migrate_unfinished(connection: AsyncConnection) -> None:
    """Make the tables of a PostgreSQL database that has none, or only those of an unfinished copy.

    Nothing opens it until `set_revision` says that it is complete.
    """
    await connection.run_sync(_begin_exclusively)
    if tables := (await connection.execute(text(_QUOTED_TABLES))).scalar_one():
        await connection.exec_driver_sql(f"DROP TABLE {tables} CASCADE")
    await connection.run_sync(_upgrade, MIGRATIONS)
    await set_revision(connection, UNFINISHED)
    await connection.commit()


async def load_revision(connection: AsyncConnection) -> str | None:
    """Return the schema revision of a database, None if it has none."""
    revisions = await connection.run_sync(_read_revisions)
    return next(iter(revisions), None)


async def set_revision(connection: AsyncConnection, revision: str) -> None:
    """Note a schema revision, and nothing else."""
    await connection.execute(text("UPDATE alembic_version SET version_num = :new"), {"new": revision})


def newest_revision() -> str:
    """Return the schema revision that this version writes."""
    (revision,) = load_known_revisions(MIGRATIONS).heads
    return revision


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
    return revision in load_known_revisions(MIGRATIONS).revisions


class _KnownRevisions(NamedTuple):
    """The schema revisions in a folder of migrations, and the newest of them."""

    revisions: frozenset[str]
    heads: frozenset[str]


def load_known_revisions(migrations: Path) -> _KnownRevisions:
    """Read the revisions of a folder of migrations. Alembic, which is large, only loads when one is due."""
    found: dict[str, str | None] = {}
    for file in sorted((migrations / "versions").glob("*.py")):
        names = dict(_REVISION.findall(file.read_text(encoding="utf-8")))
        if "revision" in names:
            found[names["revision"]] = names.get("down_revision")
    revisions = frozenset(found)
    return _KnownRevisions(revisions, revisions.difference(found.values()))


def _is_outdated(connection: Connection, known: _KnownRevisions) -> bool:
    """Return whether migrations are missing. Raises StorageTooNew, StorageDamaged."""
    current = _read_revisions(connection)
    if UNFINISHED in current:
        raise StorageDamaged(
            "The database is an unfinished copy of another one: repeat python -m storage copy, or empty it."
        )
    if current - known.revisions:
        raise StorageTooNew(
            f"The database is at revision {', '.join(sorted(current))}, which this version does not know: "
            "a newer version has used it. Start that version, or go back to a copy made before."
        )
    return current != known.heads


def _read_revisions(connection: Connection) -> set[str]:
    """Return the revision of a database, none of an empty one."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return set()
    return set(connection.exec_driver_sql(f"SELECT version_num FROM {_VERSION_TABLE}").scalars())  # noqa: S608


def _begin_exclusively(connection: Connection) -> None:
    """Begin a transaction with a lock; a second process waits here until the first is done."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {_LOCK_TIMEOUT_MS}")
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")  # tables may be rebuilt; checked at the end
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_LOCK_TIMEOUT_MS}")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {_LOCK_TIMEOUT_MS}")
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK_ID})")


def _upgrade(connection: Connection, migrations: Path) -> None:
    from alembic import command  # noqa: PLC0415 - needed only when a migration is due
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    is_sqlite = connection.dialect.name == "sqlite"
    scripts, current = ScriptDirectory(str(migrations)), tuple(_read_revisions(connection))
    applied = len(list(scripts.iterate_revisions("heads", current or "base")))
    changes = connection.exec_driver_sql("SELECT total_changes()").scalar_one() if is_sqlite else 0
    command.upgrade(config, "head")
    if is_sqlite:
        # Each migration changes the row with the revision. Where no other row was changed, the check, which
        # reads the whole database, would find what it found before.
        changed = connection.exec_driver_sql("SELECT total_changes()").scalar_one() - changes
        if changed == applied:
            return
        violations = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if violations:
            raise IntegrityError(
                "PRAGMA foreign_key_check", None, ValueError(f"{len(violations)} rows point nowhere")
            )
