"""Bring a database to the newest revision, or refuse one that is newer than the code."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import IntegrityError

from storage.errors import StorageNewer

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x526179  # one number that every starting process agrees on
_PATIENCE = 60_000  # milliseconds that a starting process waits while another one migrates


async def migrate(engine: AsyncEngine, migrations: Path = MIGRATIONS) -> None:
    """Apply what is missing, in one transaction: all or nothing. Several processes may start at once.

    Raises StorageNewer, leaving all as it was, where the database is at a revision not in `migrations`.
    """
    known = _known(migrations)
    async with engine.connect() as connection:
        if await connection.run_sync(_missing, known):
            await connection.rollback()
            await connection.run_sync(_begin)
            await connection.run_sync(_upgrade, migrations)
            await connection.commit()
            await connection.invalidate()  # its settings were for this work only


class _Known(NamedTuple):
    """The revisions in a folder of migrations, and the newest among them."""

    revisions: frozenset[str]
    heads: frozenset[str]


@functools.cache
def _known(migrations: Path) -> _Known:
    """Read a folder of migrations, once a process: each of them is a module to load."""
    scripts = ScriptDirectory(str(migrations))
    revisions = frozenset(script.revision for script in scripts.walk_revisions())
    return _Known(revisions, frozenset(scripts.get_heads()))


def _missing(connection: Connection, known: _Known) -> bool:
    """Say whether a migration is missing. Raises StorageNewer."""
    found = set(MigrationContext.configure(connection).get_current_heads())
    if found - known.revisions:
        raise StorageNewer(
            f"The database is at revision {', '.join(sorted(found))}, which this version does not know: "
            "a newer version has used it. Start that version, or go back to a copy made before."
        )
    return found != known.heads


def _begin(connection: Connection) -> None:
    """Begin, and hold a lock until the commit: a second process waits here and then finds all done."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {_PATIENCE}")
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")  # tables may be rebuilt; checked at the end
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_PATIENCE}")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {_PATIENCE}")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def _upgrade(connection: Connection, migrations: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise IntegrityError(
                "PRAGMA foreign_key_check", None, ValueError(f"{len(broken)} rows point nowhere")
            )
