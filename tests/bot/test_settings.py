"""Settings: read from the environment, refused in sentences, never shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot import health
from bot.__main__ import main
from bot.settings import Settings, load_bot_settings
from i18n import Texts
from runtime import settings
from runtime.__main__ import main as start_program
from runtime.heartbeat import DEFAULT_FILE, heartbeat_age, prepare_heartbeat, touch_heartbeat
from tests.discord_server.waiting import PATIENCE
from web.settings import StandaloneWebSettings

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "MTAwMDAwMDAw.GloopB.a-made-up-token"  # noqa: S105 - it opens nothing


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove all settings from the environment and work in a folder without a .env file."""
    for name in settings.NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_token_alone_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f" {TOKEN}\n")
    loaded = settings.load_settings(Settings)
    assert loaded.discord_token == TOKEN
    assert loaded.database_url == "sqlite+aiosqlite:///data/rayuela.db"
    assert loaded.log_level == "INFO"


def test_log_level_is_case_insensitive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("LOG_LEVEL", " debug")
    assert settings.load_settings(Settings).log_level == "DEBUG"


def test_empty_value_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", "")
    assert settings.load_settings(Settings).database_url == settings.DEFAULT_DATABASE_URL


def test_env_file_is_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nOTHER=1\n", encoding="utf-8")
    assert settings.load_settings(Settings).discord_token == TOKEN


def test_environment_precedes_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nlog_level=DEBUG\nROLE=bot\n", encoding="utf-8")
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    monkeypatch.setenv("ROLE", "")
    loaded = settings.load_settings(Settings)
    assert (loaded.log_level, loaded.role.value) == ("ERROR", "bot")


@pytest.mark.parametrize(("word", "is_on"), [("on", True), (" Yes", True), ("1", True), ("OFF", False)])
def test_switch_is_read(monkeypatch: pytest.MonkeyPatch, word: str, *, is_on: bool) -> None:
    monkeypatch.setenv("COMPUTER", word)
    assert settings.load_settings(settings.DatabaseSettings).computer is is_on


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "x" * 40
    for name, value in (("DISCORD_TOKEN", TOKEN), ("WEB_SECRET", secret), ("DISCORD_CLIENT_SECRET", secret)):
        monkeypatch.setenv(name, value)
    loaded = settings.load_settings(Settings)
    assert set(loaded.secrets) == {TOKEN, secret}
    assert not any(one in repr(loaded) for one in loaded.secrets)


@pytest.mark.parametrize(
    ("name", "value"),
    [("DATABASE_URL", "postgresql://me:pass@example/rayuela"), ("DISCORD_PROXY", "http://me:pass@example")],
)
def test_passwords_in_urls_are_not_shown(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv(name, value)
    assert "pass" not in repr(settings.load_settings(Settings))


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("DISCORD_TOKEN", "", "settings.discord_token.missing"),
        *(("SHARDS", bad, "settings.shards.malformed") for bad in ("8", "0-7", "7-0/16", "0-16/16", "0,1/2")),
        ("DISCORD_TOKEN", "secret", "settings.discord_token.malformed"),
        ("DISCORD_TOKEN", "a.b.c.d", "settings.discord_token.malformed"),
        ("DISCORD_TOKEN", "a b.c.d", "settings.discord_token.malformed"),
        ("DATABASE_URL", "rayuela.db", "settings.database_url.malformed"),
        ("DATABASE_URL", "mysql://localhost/rayuela", "settings.database_url.malformed"),
        ("LOG_LEVEL", "LOUD", "settings.log_level.malformed"),
        ("ROLE", "everything", "settings.role.malformed"),
        ("ROLE", "web", "settings.role.malformed"),
        ("COMPUTER", "maybe", "settings.computer.malformed"),
        ("METRICS", "9464", "settings.metrics.malformed"),
        ("METRICS", "everybody:9464", "settings.metrics.malformed"),
    ],
)
def test_invalid_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, key: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv(name, value)
    with pytest.raises(settings.SettingsError) as caught:
        settings.load_settings(Settings)
    assert caught.value.problems == ((key, name),)


def test_unreadable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("LOG_LEVEL=DEBUG", encoding="utf-16")
    with pytest.raises(settings.SettingsError) as caught:
        settings.load_settings(settings.DatabaseSettings)
    assert caught.value.problems == (("settings.file.malformed", ".env"),)


def test_all_invalid_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    with pytest.raises(settings.SettingsError) as caught:
        settings.load_settings(Settings)
    assert [name for _, name in caught.value.problems] == ["DISCORD_TOKEN", "LOG_LEVEL"]


@pytest.mark.parametrize("role", ["bot", "worker"])
def test_links_of_one_of_several_processes_need_the_secret_of_all(
    monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("ROLE", role)
    assert load_bot_settings().role.value == role
    monkeypatch.setenv("PUBLIC_URL", "https://rayuela.example")
    with pytest.raises(settings.SettingsError) as caught:
        load_bot_settings()
    assert caught.value.problems == (("settings.web_secret.missing", "WEB_SECRET"),)


@dataclass(frozen=True, slots=True)
class Ended:
    """What is left of a program that has ended."""

    status: int
    stdout: str
    stderr: str


Start = Callable[..., Ended]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Start:
    """Return a function that runs the main function of a program that refuses to start, in this process."""

    def run(main: Callable[[], int] = main, **variables: str) -> Ended:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        status = main()
        return Ended(status, *capsys.readouterr())

    return run


def run_process(tmp_path: Path, **variables: str) -> Ended:
    """Run ``python -m bot`` with these environment variables."""
    environment = {name: value for name, value in os.environ.items() if name not in settings.NAMES}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", **variables}
    ended = subprocess.run(
        [sys.executable, "-m", "bot"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.long
def test_missing_token_is_reported_with_exit_code_2(tmp_path: Path) -> None:
    ended = run_process(tmp_path)
    assert ended.status == 2
    assert re.fullmatch(r"DISCORD_TOKEN is missing. [^\n]+\.\n", ended.stderr)
    assert ended.stdout == ""


def test_malformed_values_are_never_shown(start: Start) -> None:
    variables = {"DISCORD_TOKEN": "hush-hush", "DATABASE_URL": "mysql://me:hidden@host/x"}
    ended = start(**variables)
    assert ended.status == 2
    assert len(ended.stderr.splitlines()) == 2
    assert not {"hush", "hidden"} & set(re.findall(r"\w+", ended.stderr))


@pytest.mark.long
def test_unopenable_database_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("not a folder", encoding="utf-8")
    where = f"sqlite+aiosqlite:///{tmp_path}/taken/rayuela.db"
    ended = run_process(tmp_path, DISCORD_TOKEN=TOKEN, DATABASE_URL=where)
    assert ended.status == 1
    assert ended.stderr.startswith("Cannot open the database: ")
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("path", ["nowhere/health", "folder", "link"])
def test_health_file_that_cannot_be_written_is_refused_at_start(
    start: Start, tmp_path: Path, path: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "of-somebody-else")
    ended = start(DISCORD_TOKEN=TOKEN, HEALTH_FILE=path)
    assert (ended.status, ended.stderr.count("\n")) == (2, 1)
    assert ended.stderr.startswith("The file of HEALTH_FILE cannot be written. ")
    assert not (tmp_path / "of-somebody-else").exists()


def test_process_that_starts_is_not_healthy_yet(tmp_path: Path) -> None:
    path = tmp_path / "health"
    touch_heartbeat(path)
    prepare_heartbeat(path)
    assert heartbeat_age(path) is None
    touch_heartbeat(path)
    age = heartbeat_age(path)
    assert age is not None
    assert age < health.STALE_SECONDS


def test_default_health_file_is_one_for_each_user() -> None:
    assert f"-{os.getuid()}." in DEFAULT_FILE.name


@pytest.mark.parametrize(
    "line",
    [
        "DISCORD_TOKEN=hush",
        "DISCORD_TOKEN = hush",
        "export DISCORD_TOKEN=hush",
        "  DISCORD_TOKEN=hush",
        "discord_token=hush",
        "\ufeffDISCORD_TOKEN=hush",
        'DISCORD_TOKEN="hush"',
    ],
)
def test_token_in_any_form_starts_the_bot(start: Start, tmp_path: Path, line: str) -> None:
    (tmp_path / ".env").write_text(f"{line}\n", encoding="utf-8")
    ended = start(start_program)
    assert (ended.status, ended.stdout) == (2, "")
    assert ended.stderr.startswith("DISCORD_TOKEN is not a bot token.")


@pytest.mark.parametrize("line", ["", "DISCORD_TOKEN=", "export DISCORD_TOKEN=", "# DISCORD_TOKEN=hush"])
def test_without_a_token_only_the_website_starts_and_says_so(start: Start, tmp_path: Path, line: str) -> None:
    (tmp_path / ".env").write_text(f"{line}\nWEB_PORT=none\n", encoding="utf-8")
    ended = start(start_program)
    assert ended.status == 2
    assert ended.stdout == Texts.load()("starting.website_only") + "\n"
    assert ended.stderr.startswith("WEB_PORT must be")


def test_make_run_leaves_the_decision_to_the_program() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"^run: .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe == "\t@exec $(BIN)/python -m runtime\n"


def test_mistyped_names_in_the_file_are_told(start: Start, tmp_path: Path) -> None:
    lines = ["DISCROD_TOKEN=hush", "DOMAIN=rayuela.example", "backup_every=1d", "COLOUR=hush"]
    (tmp_path / ".env").write_text("\n".join(lines), encoding="utf-8")
    told, missing = start().stderr.splitlines()
    assert "DISCROD_TOKEN (do you mean DISCORD_TOKEN?)" in told
    assert "COLOUR" in told
    assert not {"hush", "DOMAIN", "backup_every"} & set(re.findall(r"\w+", told))
    assert missing.startswith("DISCORD_TOKEN is missing.")


def test_every_setting_is_known() -> None:
    kinds = (Settings, StandaloneWebSettings)
    assert {name.upper() for kind in kinds for name in settings.setting_names(kind)} == settings.NAMES
    files = [(ROOT / name).read_text(encoding="utf-8") for name in ("compose.yaml", "compose.cluster.yaml")]
    read = {name for text in files for name in re.findall(r"\$\{(\w+)", text)}
    assert read - settings.NAMES == settings.COMPOSE_NAMES
