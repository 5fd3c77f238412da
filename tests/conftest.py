"""Options and hooks of all tests."""

import gc
import importlib
import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.discord_server.schema import description_file
from tests.marks import IS_MARKED

# discord.py imports a deprecated module of the standard library, and warnings are errors.
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="'audioop' is deprecated", category=DeprecationWarning)
    import discord  # noqa: F401 - imported once here, and from then on without a warning

pytest_plugins = ["tests.databases"]  # its fixtures

# Tests of what depends on the database: persistence, concurrency, query plans.
ON_EVERY_DATABASE = frozenset(
    {
        "test_announcements",
        "test_recovery",
        "test_challenges",
        "test_daily_puzzle",
        "test_simultaneous_choice",
        "test_mail_commands",
        "test_receiver",
        "test_timeouts",
        "test_migration",
        "test_processes",
        "test_schema_upgrades",
        "test_sessions",
        "test_push_subscriptions",
        "test_passkeys",
        "test_installation_keys",
        "test_database",
        "test_query_plans",
        "test_rating_recomputation",
        "test_explorer",
        "test_takebacks",
        "test_turns",
        "test_uptime",
    }
)


MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - of Linux; pytest makes a private folder in it
MEMORY_BYTES = 4 * 2**30
GARBAGE_THRESHOLDS = (200_000, 10, 10)

# Thousands of small databases: in memory no test waits for a disk.
if MEMORY_FOLDER.is_dir() and shutil.disk_usage(MEMORY_FOLDER).free > MEMORY_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_FOLDER))


@pytest.fixture(scope="session", autouse=True)
def _no_shipped_puzzles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have tests begin without puzzles; those that want some store them or read a folder of their own."""
    empty = tmp_path_factory.mktemp("no-puzzles")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("matches.puzzles.service.first_set_folder", lambda: empty)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--all`."""
    parser.addoption(
        "--all",
        action="store_true",
        help="run every test on PostgreSQL too, and what takes long, as CI does",
    )


def pytest_collection(session: pytest.Session) -> None:
    """Have each worker of pytest-xdist begin to import the tests at another file.

    In a fresh clone pytest first compiles each file, and keeps the result for the next process. Workers that
    begin at the same file would all compile all files, which takes each of them about 18 s.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1:
        return
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    root = session.config.rootpath
    files = sorted({file for one in session.config.args for file in (root / one).rglob("test_*.py")})
    start = len(files) * number // workers
    for file in files[start:] + files[:start]:
        try:
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))
        except Exception:  # noqa: BLE001 - pytest imports it again and reports what is wrong
            return


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that only `--all` runs, and with marked texts those that need plain ones.

    The others on PostgreSQL run in one process, so that few databases are created.
    """
    if IS_MARKED:
        plain = [item for item in items if item.get_closest_marker("plain") is not None]
        config.hook.pytest_deselected(items=plain)
        items[:] = [item for item in items if item not in plain]
    if config.getoption("all"):
        return
    seen, left_out = set[str](), list[pytest.Item]()
    for item in items:
        test_name, _, example = item.nodeid.partition("[")
        if item.get_closest_marker("long") is not None:
            left_out.append(item)
        elif "postgresql" in example:
            if item.path.stem not in ON_EVERY_DATABASE or test_name in seen:
                left_out.append(item)
            elif item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group("postgresql"))
            seen.add(test_name)
    config.hook.pytest_deselected(items=left_out)
    skipped = set(left_out)
    items[:] = [item for item in items if item not in skipped]


def pytest_collection_finish() -> None:
    """Let the garbage collector run less often, and not look at modules and tests again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


def pytest_xdist_auto_num_workers() -> int:
    """Return the workers of `-n auto`: one more than processors, since tests sometimes wait for others."""
    return (os.cpu_count() or 1) + 1


def pytest_report_header() -> str:
    """Say whether this run validates the bot's requests against Discord's API description."""
    if description_file() is None:
        return "discord: its API description is not at hand, so requests and answers go unchecked against it"
    return "discord: requests and answers are checked against its API description"
