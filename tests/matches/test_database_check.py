"""`python -m matches.audit` finds what is wrong with a database as a whole."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from matches import Database, Matches
from matches.audit import main as audit
from tests.backups.files import create_empty, damage_page, file_names, play
from tests.databases import execute_statements, migrate_database


async def test_audit_finds_every_damaged_file(
    sqlite_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with await Database.open(f"sqlite:///{sqlite_file}") as database:
        await play(Matches(database), 2)
    for seed in range(8):
        damaged = Path(shutil.copy(sqlite_file, tmp_path / f"{seed}.db"))
        damage_page(damaged, seed)
        code = await asyncio.to_thread(audit, [f"sqlite:///{damaged}"])
        captured = capsys.readouterr()
        assert (code, captured.out, captured.err.count("\n")) == (1, "", 1), seed


@pytest.mark.long
@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (["DELETE FROM alembic_version", "INSERT INTO alembic_version VALUES ('0010')"], "older version"),
        (["UPDATE alembic_version SET version_num = 'later'"], "newer version"),
        (["PRAGMA foreign_keys = OFF", "UPDATE matches SET first = 'test:nobody'"], "points nowhere"),
        (["UPDATE matches SET terms = '{', options = '['"], "cannot be replayed"),
        (["UPDATE moves SET text = CAST(x'ff' AS TEXT)"], "cannot be replayed"),
    ],
)
async def test_audit_reports_a_wrong_schema_and_wrong_rows(
    sqlite_file: Path, capsys: pytest.CaptureFixture[str], statements: list[str], said: str
) -> None:
    async with await Database.open(f"sqlite:///{sqlite_file}") as database:
        await play(Matches(database), 2)
    with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    assert await asyncio.to_thread(audit, [f"sqlite:///{sqlite_file}"]) == 1
    captured = capsys.readouterr()
    assert said in captured.out + captured.err
    assert "Traceback" not in captured.out + captured.err


async def test_audit_of_a_missing_file_makes_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("missing.db", "empty.db"):
        path = tmp_path / name
        if name == "empty.db":
            create_empty(path)
        assert await asyncio.to_thread(audit, [f"sqlite:///{path}"]) == 1
        assert name in capsys.readouterr().err
    assert file_names(tmp_path) == ["empty.db"]


@pytest.mark.long
async def test_audit_of_postgresql_needs_every_table(
    spare_postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await execute_statements(
        spare_postgres_url, "DROP SCHEMA IF EXISTS public CASCADE", "CREATE SCHEMA public"
    )
    assert await asyncio.to_thread(audit, [spare_postgres_url]) == 1
    await migrate_database(spare_postgres_url)
    assert await asyncio.to_thread(audit, [spare_postgres_url]) == 0
    await execute_statements(spare_postgres_url, "DROP TABLE notes")
    assert await asyncio.to_thread(audit, [spare_postgres_url]) == 1
    assert "no table notes" in capsys.readouterr().err
