"""Backups of SQLite: made while the bot plays, and restored as a whole or not at all."""

import asyncio
import os
import re
import resource
import shutil
import signal
import sqlite3
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from backups.creation import make_backup
from backups.restoration import restore_backup
from backups.schedule import run_scheduled_backup
from backups.settings import Retention
from bot import health
from matches import Database, Matches
from matches.audit import main as audit
from runtime.settings import load_settings
from storage import StorageDamaged, StorageInUse, StorageNotEmpty
from storage.__main__ import StorageSettings
from storage.__main__ import main as storage
from storage.copies import sqlite_files
from tests.backups.files import (
    FIRST,
    ROOT,
    count_plies,
    create_empty,
    damage_page,
    file_names,
    leave_killed,
    play,
    play_in,
)
from tests.matches import schema_snapshots
from tests.matches.scenario import NOON, later

DAY = timedelta(days=1)


async def back_up(url: str, folder: Path) -> Path:
    """Make a backup and return its file."""
    made = await make_backup(url, folder, now=NOON)
    assert made is not None
    return made.path


async def run(*arguments: str) -> int:
    """Run ``python -m storage`` in this process."""
    return await asyncio.to_thread(storage, arguments)


async def test_backup_is_one_private_file_that_was_checked(sqlite_url: str, tmp_path: Path) -> None:
    await play_in(sqlite_url, 2)
    made = await make_backup(sqlite_url, tmp_path / "backups", now=NOON)
    assert made is not None
    assert (made.matches, made.replayed, made.deleted) == (1, 1, 0)
    assert re.fullmatch(r"rayuela-20260501T120000Z-\d{4}-[0-9a-f]{16}\.db", made.path.name)
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert file_names(tmp_path / "backups") == [".lock", made.path.name]


@pytest.mark.long
async def test_backup_made_while_many_play_is_consistent(sqlite_url: str, tmp_path: Path) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        ids = [await play(matches, 1) for _ in range(4)]
        playing = [asyncio.create_task(play(matches, 15, match)) for match in ids]
        backup = await back_up(sqlite_url, tmp_path / "backups")  # replays all of them
        assert not all(task.done() for task in playing)
        await asyncio.gather(*playing)
    assert await asyncio.to_thread(audit, [f"sqlite:///{backup}"]) == 0


async def test_backup_that_does_not_replay_is_not_made(sqlite_file: Path, tmp_path: Path) -> None:
    folder, url = tmp_path / "backups", f"sqlite:///{sqlite_file}"
    await play_in(url, 2)
    older = await back_up(url, folder)
    with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as connection:
        connection.execute("UPDATE moves SET side = 'white' WHERE ply = 1")
    with pytest.raises(StorageDamaged, match="Match 1 does not follow from its moves: it differs at ply 1"):
        await make_backup(url, folder, now=later(days=1), keep=Retention(number=1))
    assert file_names(folder) == [".lock", older.name]


async def test_full_disk_leaves_the_older_backups_alone(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "backups"
    await play_in(sqlite_url, 2)
    older = await back_up(sqlite_url, folder)
    content, limits = older.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))  # bytes of each file
    try:
        assert await run("backup", str(folder), "--keep", "1", "--database", sqlite_url) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "Is the disk full?" in capsys.readouterr().err
    assert file_names(folder) == [".lock", older.name]
    assert older.read_bytes() == content


async def test_only_one_process_makes_the_scheduled_backup(sqlite_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    made = await asyncio.gather(*(make_backup(sqlite_url, folder, now=NOON, every=DAY) for _ in range(3)))
    assert sorted(one is None for one in made) == [False, True, True]
    assert await make_backup(sqlite_url, folder, now=later(hours=23), every=DAY) is None
    assert await make_backup(sqlite_url, folder, now=later(hours=24), every=DAY) is not None
    assert len(file_names(folder)) == 3


async def test_two_backups_at_once_are_refused_in_one_folder(sqlite_url: str, tmp_path: Path) -> None:
    first, second = await asyncio.gather(
        *(make_backup(sqlite_url, tmp_path / "backups", now=NOON) for _ in range(2)), return_exceptions=True
    )
    assert not isinstance(first, BaseException)
    assert isinstance(second, StorageInUse)


@pytest.mark.long
async def test_child_process_makes_the_scheduled_backup_and_deletes_older_ones(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backups"
    await play_in(sqlite_url, 2)
    await back_up(sqlite_url, folder)
    settings = {
        "DATABASE_URL": sqlite_url,
        "BACKUP_EVERY": "1d",
        "BACKUP_KEEP": "1",
        "BACKUP_DIR": str(folder),
    }
    for name, value in {**settings, "PYTHONPATH": str(ROOT)}.items():
        monkeypatch.setenv(name, value)
    await run_scheduled_backup(load_settings(StorageSettings))
    _, made = file_names(folder)
    assert not made.startswith("rayuela-20260501T")


def test_health_check_reports_an_overdue_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, heartbeat = tmp_path / "backups", tmp_path / "health"
    heartbeat.touch()
    monkeypatch.setenv("HEALTH_FILE", str(heartbeat))
    folder.mkdir()
    (folder / "rayuela-20260501T120000Z-0019-0123456789abcdef.db").touch()
    assert health.main() == 0
    monkeypatch.setenv("BACKUP_DIR", str(folder))
    monkeypatch.setenv("BACKUP_EVERY", "1d")
    assert health.main() == 1
    assert "A backup is overdue: the last is of 2026-05-01 12:00 UTC in" in capsys.readouterr().err
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path / "missing"))
    assert health.main() == 1
    assert "A backup is overdue: there is none in" in capsys.readouterr().err
    monkeypatch.setenv("BACKUP_EVERY", "often")
    assert health.main() == 2
    assert capsys.readouterr().err.startswith("BACKUP_EVERY must be a number of minutes, hours or days")


@pytest.mark.long
async def test_backup_of_an_older_version_is_migrated_when_it_is_restored(tmp_path: Path) -> None:
    old, new = f"sqlite:///{tmp_path / 'old.db'}", f"sqlite:///{tmp_path / 'new.db'}"
    snapshot = min(schema_snapshots.SNAPSHOTS.glob("*.json"))
    await schema_snapshots.restore(snapshot, old, tmp_path)
    backup = await back_up(old, tmp_path / "backups")
    assert f"-{snapshot.stem}-" in backup.name
    assert await run("restore", str(backup), "--database", new) == 0
    assert await asyncio.to_thread(audit, [new]) == 0


async def test_backup_of_a_newer_version_is_refused(
    sqlite_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'later'")
    target = tmp_path / "new.db"
    assert await run("restore", str(sqlite_file), "--database", f"sqlite:///{target}") == 1
    assert capsys.readouterr().err.endswith("was written by a newer version of Rayuela.\n")
    assert not target.exists()


@pytest.mark.long
async def test_database_is_replaced_only_if_told_and_kept_aside(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await play_in(sqlite_url, 2)
    backup = await back_up(sqlite_url, tmp_path / "backups")
    target = tmp_path / "new" / "rayuela.db"
    restore = ("restore", str(backup), "--database", f"sqlite:///{target}")
    assert await run(*restore) == 0
    await play_in(f"sqlite:///{target}", 1, FIRST)
    assert await run(*restore) == 1
    assert "add --replace" in capsys.readouterr().err
    target.chmod(0o640)
    assert await run(*restore, "--replace") == 0
    assert await run(*restore, "--replace") == 1
    assert "rayuela.db.replaced is left from an earlier restore" in capsys.readouterr().err
    assert await count_plies(f"sqlite:///{target}") == 2
    assert await count_plies(f"sqlite:///{target}.replaced") == 3
    assert target.stat().st_mode & 0o777 == 0o640
    assert file_names(target.parent) == ["rayuela.db", "rayuela.db.replaced"]
    target.unlink()
    assert await run(*restore) == 1
    assert await count_plies(f"sqlite:///{target}.replaced") == 3


async def test_two_restores_at_once_are_refused(sqlite_url: str, tmp_path: Path) -> None:
    backup = await back_up(sqlite_url, tmp_path / "backups")
    url = f"sqlite:///{tmp_path / 'new.db'}"
    results = await asyncio.gather(
        *(restore_backup(backup, url, replace=False) for _ in range(2)), return_exceptions=True
    )
    # The second is refused during the first, or after it.
    (refusal,) = (result for result in results if not isinstance(result, int))
    assert isinstance(refusal, StorageInUse | StorageNotEmpty)
    assert await asyncio.to_thread(audit, [url]) == 0


async def test_database_that_appears_while_a_backup_is_checked_is_not_replaced(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup, target = await back_up(sqlite_url, tmp_path / "backups"), tmp_path / "new.db"
    check_file = sqlite_files.check_file

    def check_slowly(file: Path) -> None:
        check_file(file)
        target.write_bytes(b"of somebody else")

    monkeypatch.setattr(sqlite_files, "check_file", check_slowly)
    with pytest.raises(StorageNotEmpty):
        await restore_backup(backup, f"sqlite:///{target}", replace=False)
    assert target.read_bytes() == b"of somebody else"


async def test_turns_that_a_killed_bot_left_in_its_log_are_in_the_database_kept_aside(
    sqlite_file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "new" / "rayuela.db"
    async with await Database.open(f"sqlite:///{sqlite_file}") as database:
        await play(Matches(database), 2)
        backup = await back_up(f"sqlite:///{sqlite_file}", tmp_path / "backups")
        await play(Matches(database), 5, FIRST)
        leave_killed(sqlite_file, target)
    assert await run("restore", str(backup), "--replace", "--database", f"sqlite:///{target}") == 0
    assert await count_plies(f"sqlite:///{target}") == 2
    assert await count_plies(f"sqlite:///{target}.replaced") == 7


async def test_backup_next_to_the_log_of_another_database_is_not_opened(
    sqlite_file: Path, tmp_path: Path
) -> None:
    killed = tmp_path / "killed" / "rayuela.db"
    async with await Database.open(f"sqlite:///{sqlite_file}") as database:
        match = await play(Matches(database), 2)
        backup = await back_up(f"sqlite:///{sqlite_file}", tmp_path / "backups")
        await play(Matches(database), 5, match)
        leave_killed(sqlite_file, killed)
    shutil.copy(backup, killed)
    with pytest.raises(StorageDamaged, match="belongs to another database"):
        await Database.open(f"sqlite:///{killed}")
    killed.with_name("rayuela.db-wal").unlink()
    assert await count_plies(f"sqlite:///{killed}") == 2


@pytest.mark.long
async def test_database_in_use_is_not_replaced(
    sqlite_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with await Database.open(sqlite_url) as database:
        await play(Matches(database), 2)
        backup = await back_up(sqlite_url, tmp_path / "backups")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "storage", "restore", "--replace", "--database", sqlite_url, str(backup)),
            cwd=ROOT,
        )
        assert await process.wait() == 1
        await play(Matches(database), 3, FIRST)
    assert "is in use: stop the bot" in capfd.readouterr().err
    assert await count_plies(sqlite_url) == 5


@pytest.mark.parametrize(
    "what", ["nothing.db", "empty.db", "text.db", "strange.db", "damaged.db", "cut off", "one bit"]
)
async def test_damaged_backup_is_refused_and_changes_nothing(
    sqlite_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    url, backup = f"sqlite:///{sqlite_file}", tmp_path / what
    await play_in(url, 2)
    if what in {"cut off", "one bit"}:
        backup = await back_up(url, tmp_path / "backups")
        content = backup.read_bytes()
        changed = content.replace(b"Alice", b"Alicf", 1) if what == "one bit" else content[:-4096]
        backup.write_bytes(changed)
    create_empty(tmp_path / "empty.db")
    (tmp_path / "text.db").write_text("no database " * 500)
    with closing(sqlite3.connect(tmp_path / "strange.db")) as strange:
        strange.execute("CREATE TABLE notes (text)")
    damage_page(Path(shutil.copy(sqlite_file, tmp_path / "damaged.db")), seed=1)
    assert await run("restore", "--replace", "--database", url, str(backup)) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert backup.name in error
    assert await count_plies(url) == 2
    assert not list(sqlite_file.parent.glob("*.partial*"))
    assert not list(sqlite_file.parent.glob("*.replaced*"))


@pytest.mark.long
async def test_killed_commands_leave_a_whole_database_and_whole_backups(
    sqlite_file: Path, tmp_path: Path
) -> None:
    """Kill `backup` and `restore --replace` at ten moments each, from the start to the end of their work."""
    url, folder = f"sqlite:///{sqlite_file}", tmp_path / "backups"
    await play_in(url, 2)
    backup = await back_up(url, folder)
    await play_in(url, 3, FIRST)
    kept = sqlite_file.with_name(f"{sqlite_file.name}.replaced")
    for command in (
        ("backup", str(folder), "--database", url),
        ("restore", "--replace", "--database", url, str(backup)),
    ):
        for step in range(10):
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "storage", *command), cwd=ROOT, stdout=asyncio.subprocess.DEVNULL
            )
            await asyncio.sleep(0.5 + step / 20)
            if process.returncode is None:
                process.send_signal(signal.SIGKILL)
            await process.wait()
            assert await asyncio.to_thread(audit, [url]) == 0
            plies = await count_plies(url)
            assert plies in {2, 5}
            if plies == 2:
                assert await count_plies(f"sqlite:///{kept}") == 5
                kept.rename(sqlite_file)
    for name in file_names(folder):
        if name.endswith(".db"):
            assert await asyncio.to_thread(audit, [f"sqlite:///{folder / name}"]) == 0
    assert os.listdir(folder)  # noqa: PTH208 - the first backup at least
