"""Settings and secret of the website, and its process."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import signal
import socket
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest
import structlog

from i18n import Texts
from runtime.settings import SettingsError, load_settings, setting_names
from tests.discord_server.waiting import PATIENCE
from tests.processes import ROOT
from tests.web.raw import FORM, raw_connection, send_raw
from web.__main__ import main
from web.app import load_secret
from web.server.secret import load_or_create_secret
from web.settings import StandaloneWebSettings, WebSettings

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Work in a folder without a .env file."""
    monkeypatch.chdir(tmp_path)


def test_defaults() -> None:
    settings = load_settings(StandaloneWebSettings)
    assert (settings.web_host, settings.web_port) == ("127.0.0.1", 8080)
    assert (settings.public_url, settings.web_proxies) == (None, ())
    assert settings.database_url == "sqlite+aiosqlite:///data/rayuela.db"


@pytest.mark.parametrize(
    ("name", "value", "field", "read_as"),
    [
        ("WEB_HOST", " 10.1.2.3", "web_host", "10.1.2.3"),
        ("WEB_HOST", "[::1]", "web_host", "::1"),
        ("WEB_PORT", "9000", "web_port", 9000),
        ("PUBLIC_URL", "https://Play.Example/", "public_url", "https://play.example"),
        ("PUBLIC_URL", "http://10.0.0.1:8080", "public_url", "http://10.0.0.1:8080"),
        ("PUBLIC_URL", "http://my_host:8080", "public_url", "http://my_host:8080"),
        ("PUBLIC_URL", "http://[::1]:8080", "public_url", "http://[::1]:8080"),
        ("PUSH_HOSTS", "Push.Example, *.push.example", "push_hosts", ("push.example", "*.push.example")),
    ],
)
def test_setting_is_read(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, field: str, read_as: object
) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(load_settings(StandaloneWebSettings), field) == read_as


def test_proxies_are_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PROXIES", "127.0.0.1, 10.0.0.0/8,2001:db8::/32")
    assert [str(one) for one in load_settings(WebSettings).web_proxies] == [
        "127.0.0.1/32",
        "10.0.0.0/8",
        "2001:db8::/32",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEB_HOST", "play.example"),
        ("WEB_PORT", "eighty"),
        ("WEB_PORT", "70000"),
        ("WEB_PORT", "8_0"),
        ("WEB_PORT", "-1"),
        ("PUBLIC_URL", "play.example"),
        ("PUBLIC_URL", "https://play.example/table"),
        ("PUBLIC_URL", "https://me:secret@play.example"),
        ("PUBLIC_URL", "ftp://play.example"),
        ("PUBLIC_URL", "https://play example"),
        ("PUBLIC_URL", "https://play.example:99999"),
        ("PUBLIC_URL", "https://<play>.example"),
        ("WEB_SECRET", "too short"),
        ("WEB_SECRET", " " * 40),
        ("WEB_PROXIES", "10.0.0.0/99"),
        ("PUSH_HOSTS", "https://push.example/"),
        ("PUSH_HOSTS", "*"),
        ("ROLE", "worker"),
        ("DISCORD_CLIENT_ID", "rayuela"),
        ("DISCORD_CLIENT_SECRET", "a secret with blanks"),
    ],
)
def test_invalid_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings(StandaloneWebSettings)
    ((key, setting),) = caught.value.problems
    assert setting == name
    assert name in Texts.load()(key, name=setting)
    assert value not in str(caught.value)


def test_every_setting_has_an_error_text() -> None:
    texts = Texts.load()
    assert all(texts.has(f"settings.{field}.malformed") for field in setting_names(StandaloneWebSettings))


def test_secret_is_created_once_and_readable_only_by_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "web.secret"
    secret = load_or_create_secret(path)
    assert len(secret) >= 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_or_create_secret(path) == secret
    assert [one.name for one in path.parent.iterdir()] == ["web.secret"]


def test_permissions_of_a_readable_secret_are_restricted(tmp_path: Path) -> None:
    path = tmp_path / "web.secret"
    path.write_text("x" * 40)
    path.chmod(0o644)
    assert load_or_create_secret(path) == "x" * 40
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_concurrent_starts_share_one_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(load_or_create_secret, [tmp_path / "web.secret"] * 32))
    assert len(secrets) == 1


def test_secret_is_stored_in_the_folder_of_the_database(tmp_path: Path) -> None:
    secret = load_secret(WebSettings(), f"sqlite+aiosqlite:///{tmp_path / 'here' / 'r.db'}")
    assert (tmp_path / "here" / "web.secret").read_text().strip() == secret


def test_secret_of_the_settings_is_used(tmp_path: Path) -> None:
    secret = "y" * 32
    settings = WebSettings(web_secret=secret)
    assert load_secret(settings, f"sqlite+aiosqlite:///{tmp_path / 'r.db'}") == secret
    assert not (tmp_path / "web.secret").exists()


def test_full_disk_leaves_no_incomplete_secret(tmp_path: Path) -> None:
    path, limits = tmp_path / "web.secret", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))  # bytes of each file
    try:
        with pytest.raises(OSError, match="too large"):
            load_or_create_secret(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [None, "", "short", "\u00e9"])
@pytest.mark.usefixtures("restore_logging")
def test_unusable_secret_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "web.secret"
    if content is None:
        path.mkdir()
    else:
        path.write_text(content)
    monkeypatch.setenv("WEB_PORT", "0")
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'r.db'}")
    assert main() == 1
    complaints = capsys.readouterr().err
    assert "Cannot use the file web.secret next to the database" in complaints
    assert "WEB_PORT" not in complaints
    assert "Traceback" not in complaints


async def run_web(
    tmp_path: Path, *, descriptors: int | None = None, **settings: str
) -> asyncio.subprocess.Process:
    """Start ``python -m web`` in a folder with only these settings, and at most so many open descriptors."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **settings}
    limit = () if descriptors is None else ("sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh")
    return await asyncio.create_subprocess_exec(
        *limit,
        sys.executable,
        "-m",
        "web",
        cwd=tmp_path,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.mark.long
async def test_process_prints_its_address_serves_there_and_stops_cleanly(tmp_path: Path) -> None:
    process = await run_web(tmp_path, WEB_PORT="0")
    async with asyncio.timeout(PATIENCE):
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            assert "/new?game=" in await answer.text()
        process.send_signal(signal.SIGTERM)
        rest, complaints = await process.communicate()
    assert (process.returncode, rest) == (0, b"")
    assert b"Traceback" not in complaints
    assert (tmp_path / "data" / "rayuela.db").exists()


@pytest.mark.long
async def test_crowd_of_connections_leaves_descriptors_and_writes_no_errors(tmp_path: Path) -> None:
    process = await run_web(tmp_path, descriptors=160, WEB_PORT="0", WEB_PROXIES="127.0.0.0/8")
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().split()[-1]
        await send_raw(address, "POST", "/new", b"game=morelli", {"Content-Type": FORM})
        for number in range(200):
            connection = await stack.enter_async_context(raw_connection(address, f"127.0.1.{1 + number}"))
            if number % 3:  # every third sends nothing
                path = ("/", "/m/1/events")[number % 2]
                connection.request("GET", path, None, {"X-Forwarded-For": f"192.0.2.{number}"})
        assert (await send_raw(address, "GET", "/"))[0] == 200
        descriptors = Path(f"/proc/{process.pid}/fd")
        assert len(list(descriptors.iterdir())) < 130  # noqa: ASYNC240 - in /proc
        process.send_signal(signal.SIGTERM)
        _, complaints = await process.communicate()
    assert b"Traceback" not in complaints
    assert len(complaints) < 10_000


def test_bad_setting_stops_the_process_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEB_PORT", "x")
    assert main() == 2
    assert capsys.readouterr().err.strip() == "WEB_PORT must be a number from 0 to 65535."


def test_one_of_several_processes_needs_the_secret_of_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROLE", "web")
    assert main() == 2
    assert capsys.readouterr().err.startswith("WEB_SECRET must be set, to the same value in every process")


def test_secret_for_signing_in_needs_the_application(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_CLIENT_SECRET", "made-up_client-secret")
    assert main() == 2
    complaint = capsys.readouterr().err
    assert "DISCORD_CLIENT_ID must be set too" in complaint
    assert "made-up" not in complaint + repr(load_settings(WebSettings))


@pytest.fixture
def restore_logging() -> Iterator[None]:
    """Restore the logging configuration after the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.usefixtures("restore_logging")
def test_port_in_use_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("WEB_PORT", str(taken.getsockname()[1]))
        assert main() == 1
    complaints = capsys.readouterr().err
    assert "Cannot listen on that address" in complaints
    assert "Traceback" not in complaints
