from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove the settings from the environment and work in a folder without a .env file."""
    for name in ("DATABASE_URL", "BACKUP_EVERY", "BACKUP_KEEP", "BACKUP_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
