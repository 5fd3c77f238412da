"""Moving from SQLite to PostgreSQL: every row, and a target that is complete or refused."""

import asyncio
import json
import signal
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from backups.moving import move_database
from matches import Database, Matches
from matches.audit import main as audit
from storage import (
    StorageDamaged,
    StorageInUse,
    StorageNotEmpty,
    StorageTooOld,
    StorageUrlError,
)
from storage.migration import newest_revision
from storage.tables import METADATA
from tests.backups.files import ROOT, play
from tests.databases import execute_statements, migrate_database
from tests.matches import schema_snapshots

pytestmark = pytest.mark.xdist_group("postgresql")


@pytest.fixture
async def source(tmp_path: Path) -> Path:
    """Return a database with matches in every state."""
    path = tmp_path / "rayuela.db"
    snapshot = max(schema_snapshots.SNAPSHOTS.glob("*.json"))
    await schema_snapshots.restore(snapshot, f"sqlite:///{path}", tmp_path)
    await migrate_database(f"sqlite:///{path}")
    return path


async def move(source: Path, target: str) -> dict[str, int]:
    """Copy a database; return the number of rows of each table."""
    counts: dict[str, int] = {}
    await move_database(f"sqlite:///{source}", target, counts.__setitem__, lambda *_: None)
    return counts


async def read_rows(url: str) -> dict[str, list[str]]:
    """Return all rows of a database."""
    async with await Database.open(url) as database, database.read() as connection:
        rows = await connection.run_sync(schema_snapshots.read_rows)
    return {name: sorted(json.dumps(row, sort_keys=True) for row in table) for name, table in rows.items()}


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.long
async def test_every_row_arrives_and_matches_continue(source: Path, empty_postgres_url: str) -> None:
    before = await read_rows(f"sqlite:///{source}")
    counts = await move(source, empty_postgres_url)
    assert await read_rows(empty_postgres_url) == before
    assert {name: rows for name, rows in counts.items() if rows} == {
        name: len(rows) for name, rows in before.items() if rows
    }
    async with await Database.open(empty_postgres_url) as database:
        new = await play(Matches(database), 1)
    assert new == counts["matches"] + 1
    assert await asyncio.to_thread(audit, [empty_postgres_url]) == 0


@pytest.mark.long
async def test_target_is_refused_until_all_matches_replay(source: Path, empty_postgres_url: str) -> None:
    change(source, "UPDATE moves SET turn = turn + 7 WHERE match = 1 AND ply = 1")
    with pytest.raises(StorageDamaged, match="Match 1 does not follow from its moves"):
        await move(source, empty_postgres_url)
    with pytest.raises(StorageDamaged, match="is an unfinished copy of another one: repeat"):
        await Database.open(empty_postgres_url)
    change(source, "UPDATE moves SET turn = turn - 7 WHERE match = 1 AND ply = 1")
    await move(source, empty_postgres_url)
    assert await asyncio.to_thread(audit, [empty_postgres_url]) == 0


@pytest.mark.long
async def test_unfinished_copy_is_filled_again(source: Path, empty_postgres_url: str) -> None:
    await move(source, empty_postgres_url)
    unfinished = "UPDATE alembic_version SET version_num = 'unfinished copy'"
    await execute_statements(empty_postgres_url, unfinished, "DROP TABLE notes")
    assert (await move(source, empty_postgres_url))["notes"] == 1
    assert await asyncio.to_thread(audit, [empty_postgres_url]) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("statements", "error", "message"),
    [
        ([], StorageNotEmpty, "is not empty: make a new one"),
        (["UPDATE alembic_version SET version_num = '0009'"], StorageTooOld, "is at revision 0009"),
        (["DROP TABLE alembic_version"], StorageNotEmpty, "has tables of another program"),
    ],
)
async def test_target_with_anything_in_it_is_refused(
    sqlite_file: Path, postgres_url: str, statements: list[str], error: type[Exception], message: str
) -> None:
    async with await Database.open(postgres_url) as database:
        await play(Matches(database), 1)
    rows = await read_rows(postgres_url)
    try:
        await execute_statements(postgres_url, *statements)
        with pytest.raises(error, match=message):
            await move(sqlite_file, postgres_url)
    finally:
        await repair(postgres_url)
    assert await read_rows(postgres_url) == rows


async def repair(url: str) -> None:
    """Note the newest schema revision again."""
    await execute_statements(
        url,
        "CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
        "DELETE FROM alembic_version",
        f"INSERT INTO alembic_version VALUES ('{newest_revision()}')",  # noqa: S608 - our own text
    )


@pytest.mark.long
async def test_databases_in_use_are_refused(source: Path, empty_postgres_url: str) -> None:
    async with await Database.open(f"sqlite:///{source}") as database, database.read():
        with pytest.raises(StorageInUse, match=r"rayuela\.db is in use: stop the bot"):
            await move(source, empty_postgres_url)
    async with await Database.open(empty_postgres_url) as database, database.read():
        with pytest.raises(StorageInUse, match="is in use: stop the bot"):
            await move(source, empty_postgres_url)
    await move(source, empty_postgres_url)


@pytest.mark.long
async def test_older_source_is_refused(tmp_path: Path, empty_postgres_url: str) -> None:
    path = tmp_path / "old.db"
    snapshot = min(schema_snapshots.SNAPSHOTS.glob("*.json"))
    await schema_snapshots.restore(snapshot, f"sqlite:///{path}", tmp_path)
    with pytest.raises(StorageTooOld, match="start this one on it once, then repeat"):
        await move(path, empty_postgres_url)


async def test_urls_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(StorageUrlError, match="in this order"):
        await move_database("postgresql://host/name", "sqlite:///file", print, print)


@pytest.mark.long
async def test_killed_copy_leaves_a_target_that_is_complete_or_refused(
    source: Path, empty_postgres_url: str
) -> None:
    """Kill it after so many of its lines, one a table, then one after the replay and one at its end."""
    url, states = f"sqlite:///{source}", list[str]()
    rows = await read_rows(url)
    tables = len(METADATA.tables)
    for lines in (1, tables // 2, tables + 1, tables + 2):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "storage", "copy", url, empty_postgres_url),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        for _ in range(lines):
            assert await process.stdout.readline()
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        await process.communicate()
        try:
            assert await read_rows(empty_postgres_url) == rows
            states.append("complete")
        except StorageDamaged:
            states.append("refused")
    assert states[0] == "refused"
    assert states[-1] == "complete"
