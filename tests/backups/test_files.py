"""The names of backups, which of them are kept, and when the next is due or overdue."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backups.files import (
    delete_outdated,
    fits_name,
    format_name,
    is_overdue,
    list_backups,
    lock_folder,
    make_folder,
    next_due,
)
from backups.settings import BackupSettings, Retention
from runtime.settings import SettingsError, load_settings
from storage import StorageInUse

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = timedelta(days=1)
DIGEST = "0123456789abcdef"


def make_files(folder: Path, *ages: float) -> list[Path]:
    """Make files with the names of backups that are some days old."""
    paths = [folder / format_name(NOW - days * DAY, "0019", DIGEST, ".db") for days in ages]
    for path in paths:
        path.write_text("x")
    return paths


def ages(folder: Path) -> list[float]:
    return [(NOW - one.made_at) / DAY for one in list_backups(folder)]


def test_names_have_time_revision_and_digest_and_sort_by_time(tmp_path: Path) -> None:
    make_files(tmp_path, 1, 300, 0, 20)
    assert ages(tmp_path) == [300, 20, 1, 0]
    assert list_backups(tmp_path)[-1].path.name == "rayuela-20261122T120000Z-0019-0123456789abcdef.db"
    assert list_backups(tmp_path / "missing") == ()


@pytest.mark.parametrize(
    ("keep", "every", "kept"),
    [
        ("3", "1d", [2, 1, 0]),
        ("1", "1d", [0]),
        ("100", "1d", [45, 31, 29.5, 2, 1, 0]),
        ("30d", "1d", [2, 1, 0]),  # at 29.5 days it would be too old before the next one is made
        ("30d", "6h", [29.5, 2, 1, 0]),
        ("1h", "1d", [0]),
    ],
)
def test_only_the_backups_to_keep_are_kept(tmp_path: Path, keep: str, every: str, kept: list[float]) -> None:
    *_, newest = make_files(tmp_path, 45, 31, 29.5, 2, 1, 0)
    others = {"rayuela-backup.db", "rayuela-2026.db", "rayuela-20269999T999999Z-0019-0123456789abcdef.db"}
    for name in others:
        (tmp_path / name).write_text("not made here")
    interval = {"1d": DAY, "6h": DAY / 4}[every]
    deleted = delete_outdated(tmp_path, Retention.parse(keep), newest, NOW, interval)
    assert ages(tmp_path) == kept
    assert deleted == 6 - len(kept)
    assert others <= {path.name for path in tmp_path.iterdir()}


def test_defaults_keep_no_backup_for_longer_than_the_privacy_policy_promises(tmp_path: Path) -> None:
    policy = (Path(__file__).resolve().parents[2] / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert "must delete backups after 30 days" in policy
    *_, newest = make_files(tmp_path, *range(60, -1, -1))
    delete_outdated(tmp_path, load_settings(BackupSettings).backup_keep, newest, NOW, DAY)
    assert max(ages(tmp_path)) == 29  # 30 when the next one is made


def test_newest_backup_is_kept_although_others_are_from_the_future(tmp_path: Path) -> None:
    newest, *_ = make_files(tmp_path, 0, -400, -401)
    delete_outdated(tmp_path, Retention(number=1), newest, NOW, DAY)
    assert ages(tmp_path) == [0]


def test_next_backup_is_due_after_the_last_one_that_is_not_from_the_future(tmp_path: Path) -> None:
    assert next_due(tmp_path, DAY, NOW) == NOW
    make_files(tmp_path, 3, 0.25, -100)
    assert next_due(tmp_path, DAY, NOW) == NOW + 0.75 * DAY


def test_backup_is_overdue_after_twice_the_time(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    assert is_overdue(folder, DAY, NOW)  # the bot could not even make the folder
    make_folder(folder)
    began = NOW - 1.9 * DAY
    os.utime(folder / ".lock", (began.timestamp(), began.timestamp()))
    assert not is_overdue(folder, DAY, NOW)
    assert is_overdue(folder, 0.9 * DAY, NOW)
    make_files(folder, 2, -3)
    assert not is_overdue(folder, DAY, NOW)
    assert is_overdue(folder, DAY, NOW + timedelta(seconds=1))


def test_folder_is_private_and_used_by_one_process_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "backups"
    with lock_folder(folder), pytest.raises(StorageInUse), lock_folder(folder):
        pass
    with lock_folder(folder):
        assert folder.is_dir()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_content_must_fit_the_name(tmp_path: Path) -> None:
    (path,) = make_files(tmp_path, 0)
    assert not fits_name(path)
    assert fits_name(path.rename(tmp_path / "renamed.db"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("BACKUP_EVERY", value) for value in ("daily", "0d", "1", "1.5h", "-1d", "999999d")),
        *(("BACKUP_KEEP", value) for value in ("0", "all", "0d", "-3", "1y")),
    ],
)
def test_malformed_setting_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name):
        load_settings(BackupSettings)


def test_settings_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKUP_EVERY", " 6h ")
    monkeypatch.setenv("BACKUP_KEEP", "14")
    loaded = load_settings(BackupSettings)
    assert (loaded.backup_every, loaded.backup_keep) == (timedelta(hours=6), Retention(number=14))
