"""Backups of PostgreSQL, by its own programs."""

import asyncio
import os
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy.engine import URL, make_url

from backups.creation import make_backup
from backups.restoration import restore_backup
from matches import Database, Matches
from storage import StorageDamaged, StorageInUse, StorageNotEmpty, StorageUnavailable, StorageUrlError
from storage.connections.url import parse_url
from storage.copies import postgres_dump
from tests.backups.files import count_plies, file_names, play, play_in
from tests.databases import execute_statements
from tests.matches.scenario import NOON

pytestmark = pytest.mark.xdist_group("postgresql")
PASSWORD = "open sesame"  # noqa: S105 - it opens nothing


def make_program(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a program in place of pg_dump."""
    path = folder / "bin" / "pg_dump"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")


async def test_password_is_in_the_environment_of_the_program_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path, monkeypatch, f'echo "$@" > {tmp_path}/arguments; env > {tmp_path}/environment')
    url = parse_url("postgresql://rayuela@db.example:5433/games?ssl=require").set(password=PASSWORD)
    await postgres_dump.dump(url, tmp_path / "file")
    environment = (tmp_path / "environment").read_text().splitlines()
    assert PASSWORD not in (tmp_path / "arguments").read_text()
    assert {
        *("PGHOST=db.example", "PGPORT=5433", "PGUSER=rayuela", "PGDATABASE=games", "PGSSLMODE=require"),
        f"PGPASSWORD={PASSWORD}",
    } <= set(environment)


async def test_what_the_program_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_program(tmp_path, monkeypatch, "echo 'pg_dump: error: server version mismatch' >&2; exit 1")
    with pytest.raises(StorageUnavailable, match="cannot be backed up: pg_dump: error: server version mism"):
        await postgres_dump.dump(parse_url("postgresql://host/name"), tmp_path / "file")


async def test_missing_program_is_named_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StorageUnavailable, match=r"^pg_dump is not installed: install the client programs"):
        await postgres_dump.dump(parse_url("postgresql://host/name"), tmp_path / "file")


@pytest.fixture
def target_url(postgres_server: URL) -> Iterator[URL]:
    """Return the URL of a database that does not exist, and drop what is there in the end."""
    url = postgres_server.set(database=f"rayuela_test_{uuid4().hex}")
    yield url
    for suffix in ("", "_replaced"):
        drop = f"DROP DATABASE IF EXISTS {url.database}{suffix} WITH (FORCE)"
        asyncio.run(execute_statements(postgres_server, drop))


def text_of(url: URL) -> str:
    return url.render_as_string(hide_password=False)


@pytest.mark.long
async def test_backup_is_checked_and_restored_as_a_whole(
    postgres_url: str, target_url: URL, tmp_path: Path
) -> None:
    url, folder = text_of(target_url), tmp_path / "backups"
    match = await play_in(postgres_url, 2)
    made = await make_backup(postgres_url, folder, now=NOON)
    assert made is not None
    assert (made.matches, made.replayed, made.path.suffix) == (1, 1, ".dump")
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert file_names(folder) == [".lock", made.path.name]
    assert await restore_backup(made.path, url, replace=False) == 1
    async with await Database.open(url) as database:
        await play(Matches(database), 1, match)
        with pytest.raises(StorageNotEmpty, match="add --replace"):
            await restore_backup(made.path, url, replace=False)
        with pytest.raises(StorageInUse, match="is in use: stop the bot"):
            await restore_backup(made.path, url, replace=True)
    await restore_backup(made.path, url, replace=True)
    assert await count_plies(url, match) == 2
    assert await count_plies(f"{url}_replaced", match) == 3
    with pytest.raises(StorageNotEmpty, match="left from an earlier restore"):
        await restore_backup(made.path, url, replace=True)
    assert await list_scratch_databases(target_url) == []


@pytest.mark.long
async def test_damaged_dump_is_refused_and_changes_nothing(
    postgres_url: str, target_url: URL, tmp_path: Path
) -> None:
    await play_in(postgres_url, 2)
    made = await make_backup(postgres_url, tmp_path / "backups", now=NOON)
    assert made is not None
    content = made.path.read_bytes()
    for size in (5, 1000, len(content) // 2, len(content) - 100):
        cut_off = tmp_path / f"{size}.dump"  # without a checksum in its name
        cut_off.write_bytes(content[:size])
        with pytest.raises(StorageDamaged, match=f"{size}.dump cannot be read: pg_restore"):
            await restore_backup(cut_off, text_of(target_url), replace=False)
    assert await list_scratch_databases(target_url) == []
    with pytest.raises(StorageUnavailable):
        await Database.open(text_of(target_url))


@pytest.mark.long
async def test_only_one_machine_backs_up_a_database_at_a_time(postgres_url: str, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    day = timedelta(days=1)
    made = await asyncio.gather(*(make_backup(postgres_url, one, now=NOON, every=day) for one in folders))
    assert sorted(one is None for one in made) == [False, True]


@pytest.mark.long
async def test_backups_are_restored_side_by_side_unless_into_the_same_database(
    postgres_url: str, target_url: URL, tmp_path: Path
) -> None:
    await play_in(postgres_url, 1)
    made = await make_backup(postgres_url, tmp_path / "backups", now=NOON)
    assert made is not None
    other_url = target_url.set(database=f"{target_url.database}_other")
    urls = [text_of(target_url), text_of(other_url)]
    try:
        restorations = (restore_backup(made.path, url, replace=False) for url in urls)
        assert await asyncio.gather(*restorations) == [1, 1]
        restorations = (restore_backup(made.path, urls[0], replace=True) for _ in range(2))
        results = await asyncio.gather(*restorations, return_exceptions=True)
    finally:
        await execute_statements(postgres_url, f'DROP DATABASE IF EXISTS "{other_url.database}"')
    assert {type(result) for result in results} == {int, StorageInUse}


@pytest.mark.long
async def test_role_that_may_not_create_databases_is_told(postgres_url: str, tmp_path: Path) -> None:
    role = f"rayuela_test_{uuid4().hex[:8]}"
    grants = f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"
    sequences = f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}"
    await execute_statements(postgres_url, f"CREATE ROLE {role} LOGIN", grants, sequences)
    try:
        url = text_of(make_url(postgres_url).set(username=role))
        with pytest.raises(StorageUnavailable, match=r"^PostgreSQL refuses: permission denied to create dat"):
            await make_backup(url, tmp_path / "backups", now=NOON)
        assert file_names(tmp_path / "backups") == [".lock"]
    finally:
        await execute_statements(postgres_url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


async def test_backup_of_the_other_database_is_refused(sqlite_file: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageUrlError, match="is a backup of SQLite, and the database URL is one of Postg"):
        await restore_backup(sqlite_file, "postgresql://host/name", replace=True)
    (tmp_path / "some.dump").write_bytes(b"PGDMP" + bytes(100))
    with pytest.raises(StorageUrlError, match="is a backup of PostgreSQL, and the database URL is one of SQ"):
        await restore_backup(tmp_path / "some.dump", f"sqlite:///{tmp_path / 'new.db'}", replace=False)


async def list_scratch_databases(url: URL) -> list[str]:
    """Return the scratch databases of `url` that are left on the server."""
    names, url = [], parse_url(text_of(url))
    async with postgres_dump.connected_beside(url) as connection:
        for purpose in ("check", "restore"):
            name = postgres_dump.name_scratch(url, purpose)
            if await postgres_dump.exists(connection, name):
                names.append(str(name.database))
    return names
