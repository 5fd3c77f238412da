"""Backups are made and restored by the documented commands, and nothing damaged is taken for whole."""

import asyncio
import os
import random
import re
import shlex
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from matches import Database, Matches, MatchId
from matches.audit import main as audit
from storage import StorageDamaged
from storage.__main__ import main as storage
from tests.databases import execute_statements, migrate_database
from tests.matches.scenario import NOON, play_move, start_match

ROOT = Path(__file__).resolve().parents[2]
OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
FIRST = MatchId(1)
DOCUMENTED_POSTGRES = "postgresql://user:password@host/name"


def documented_commands(heading: str) -> list[list[str]]:
    """Return the commands of each block below a heading."""
    section = OPERATING.split(f"### {heading}\n")[1].split("\n#")[0]
    return [block.strip().splitlines() for block in re.findall(r"```\n(.*?)```", section, re.DOTALL)]


async def run_commands(folder: Path, commands: list[str]) -> None:
    """Run commands in a folder that looks like a checkout; each must succeed."""
    python = folder / ".venv" / "bin" / "python"
    if not python.exists():
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        python.chmod(0o755)
    for command in commands:
        process = await asyncio.create_subprocess_shell(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        assert process.returncode == 0, f"{command}: {output.decode()}"


async def plies(address: str, match: MatchId = FIRST) -> int:
    async with await Database.open(address) as database:
        return (await Matches(database).view(match, now=NOON)).ply


async def play(matches: Matches, moves: int, view: MatchId | None = None) -> MatchId:
    match = (await start_match(matches)).id if view is None else view
    for _ in range(moves):
        await play_move(matches, await matches.view(match, now=NOON))
    return match


def delete(path: str) -> None:
    Path(path).unlink()


def crash(path: Path, to: Path) -> None:
    """Leave a database as a killed process does: with the write-ahead log that it did not close."""
    to.parent.mkdir(exist_ok=True)
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{to}{suffix}")


@pytest.mark.long
async def test_sqlite_is_restored_as_documented(sqlite_file: Path, tmp_path: Path) -> None:
    back_up, restore, *_docker = documented_commands("Backup and restore: SQLite")
    used = tmp_path / "data" / "rayuela.db"
    address = f"sqlite:///{used}"
    used.parent.mkdir()
    shutil.copy(sqlite_file, used)
    async with await Database.open(address) as database:
        matches = Matches(database)
        match = await play(matches, 2)
        await run_commands(tmp_path, back_up)
        await play(matches, 5, match)
        crash(used, tmp_path / "killed" / "rayuela.db")
    for leftover in ("", "-wal"):
        shutil.copy(tmp_path / "killed" / f"rayuela.db{leftover}", f"{used}{leftover}")
    await run_commands(tmp_path, restore)
    assert await plies(address) == 2
    assert await plies(f"{address}.replaced") == 7
    assert file_names(used.parent) == ["rayuela.db", "rayuela.db.replaced"]


@pytest.mark.long
async def test_postgresql_is_restored_as_documented(
    postgres_url: str, spare_postgres_url: str, tmp_path: Path
) -> None:
    if not shutil.which("pg_dump"):
        pytest.skip("the programs of PostgreSQL are not in the path")
    (back_up,), restore = documented_commands("Backup and restore: PostgreSQL")
    async with await Database.open(postgres_url) as database:
        match = await play(Matches(database), 2)
    await run_commands(tmp_path, [back_up.replace(DOCUMENTED_POSTGRES, postgres_url)])
    await execute_statements(
        spare_postgres_url, "DROP SCHEMA IF EXISTS public CASCADE", "CREATE SCHEMA public"
    )
    restored = [
        command.replace("postgresql+asyncpg:", "postgresql:").replace(DOCUMENTED_POSTGRES, spare_postgres_url)
        for command in restore
    ]
    await run_commands(tmp_path, restored)
    assert await plies(spare_postgres_url, match) == 2


async def test_backup_next_to_the_log_of_another_database_is_not_opened(
    sqlite_file: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.db"
    async with await Database.open(f"sqlite:///{sqlite_file}") as database:
        match = await play(Matches(database), 2)
        assert storage(["backup", f"sqlite:///{sqlite_file}", str(backup)]) == 0
        await play(Matches(database), 5, match)
        crash(sqlite_file, tmp_path / "killed" / "rayuela.db")
    copied = shutil.copy(backup, tmp_path / "killed" / "rayuela.db")
    with pytest.raises(StorageDamaged, match="belongs to another database"):
        await Database.open(f"sqlite:///{copied}")
    delete(f"{copied}-wal")
    assert await plies(f"sqlite:///{copied}") == 2


async def test_database_in_use_is_not_replaced(
    sqlite_file: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    backup, address = tmp_path / "backup.db", f"sqlite:///{sqlite_file}"
    async with await Database.open(address) as database:
        await play(Matches(database), 2)
        assert storage(["backup", address, str(backup)]) == 0
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "storage", "restore", address, str(backup), cwd=ROOT
        )
        assert await process.wait() == 1
        await play(Matches(database), 3, FIRST)
    assert "is in use: stop the bot" in capfd.readouterr().err
    assert await plies(address) == 5


@pytest.mark.parametrize("what", ["nothing.db", "empty.db", "text.db", "strange.db", "damaged.db"])
async def test_damaged_backup_is_refused_and_changes_nothing(
    sqlite_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    address, backup = f"sqlite:///{sqlite_file}", tmp_path / what
    async with await Database.open(address) as database:
        await play(Matches(database), 2)
    create_empty(tmp_path / "empty.db")
    (tmp_path / "text.db").write_text("no database " * 500)
    with closing(sqlite3.connect(tmp_path / "strange.db")) as strange:
        strange.execute("CREATE TABLE notes (text)")
    damage_page(Path(shutil.copy(sqlite_file, tmp_path / "damaged.db")), seed=1)
    assert storage(["restore", address, str(backup)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert what in said
    assert await plies(address) == 2
    assert not list(sqlite_file.parent.glob("*.partial*"))


def file_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def create_empty(path: Path) -> None:
    path.touch()


def damage_page(path: Path, seed: int) -> None:
    """Overwrite a page of a database, but not its first, by noise."""
    chance, content = random.Random(seed), bytearray(path.read_bytes())
    size = int.from_bytes(content[16:18], "big")
    start = chance.randrange(1, len(content) // size) * size
    content[start : start + size] = chance.randbytes(size)
    path.write_bytes(content)


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
