"""Migrations of old databases by a process that is killed: afterwards all of it is done, or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import text

from storage import Database
from storage.connections.sqlalchemy_engines import make_engine
from storage.connections.url import parse_url
from tests.cluster import Violation
from tests.cluster.audit import replay_all
from tests.cluster.process import ChildProcess, Parent
from tests.databases import RECREATE_SCHEMA, delete_file, execute_statements, migrate_database
from tests.matches import schema_snapshots

if TYPE_CHECKING:
    from tests.storms import Storm


async def kill_migrations(storm: Storm) -> str:
    """Kill migrations at random points; return the counts. Raises Violation."""
    url, folder = storm.url, storm.folder
    rng, files = Random(storm.seed), sorted(schema_snapshots.SNAPSHOTS.glob("*.json"))
    expected: dict[Path, tuple[float, str]] = {}
    done = undone = 0
    for done in storm.attempts(storm.kills):  # noqa: B007 - the last one counts
        file = rng.choice(files)
        if file not in expected:
            await _restore(file, url, folder)
            seconds = await ChildProcess("a migration", migrate, url).run()
            expected[file] = seconds, await _read(url)
        seconds, rows = expected[file]
        await _restore(file, url, folder)
        before = await _revision(url)
        process = ChildProcess("a migration", migrate, url)
        process.start()
        await process.kill_after(rng.uniform(0, 1.1 * seconds))
        after = await _revision(url)
        undone += after == before
        if await _read(url) != rows:
            raise Violation(f"from {before}, left at {after}: not the rows of a whole migration")
        if after not in {before, await _revision(url)}:
            raise Violation(f"from {before}, left half-way at {after}")
        await replay_all(url)
    return f"{done} migrations killed, {undone} of them undone, the others complete; all opened complete"


async def _restore(file: Path, url: str, folder: Path) -> None:
    """Replace the database by a snapshot."""
    if url.startswith("sqlite"):
        delete_file(folder / Path(url).name)
    else:
        await execute_statements(url, *RECREATE_SCHEMA)
    await schema_snapshots.restore(file, url, folder)


async def migrate(_parent: Parent, url: str) -> None:
    """Migrate a database: what the process does that is killed."""
    await migrate_database(url)


async def _read(url: str) -> str:
    """Open the database, which completes the migration, and return all rows."""
    async with await Database.open(url) as database, database.read() as connection:
        rows = await connection.run_sync(schema_snapshots.read_rows)
    return json.dumps({name: sorted(map(str, table)) for name, table in sorted(rows.items())})


async def _revision(url: str) -> str:
    """Return the schema revision, without opening the database as the service does."""
    engine = make_engine(parse_url(url))
    try:
        async with engine.connect() as connection:
            query = text("SELECT version_num FROM alembic_version")
            return str((await connection.execute(query)).scalar_one())
    finally:
        await engine.dispose()
