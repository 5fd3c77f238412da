import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from traceback import format_exception

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError

from runtime.logs import Redactor
from storage import Connection, Database, StorageUnavailable
from storage.people import people, preferences
from storage.tables import PEOPLE, PICKS
from tests.databases import execute_statements

WAITED_BEFORE = 1.0  # seconds: longer than a queue that gave up after 0.8


async def names(database: Database) -> list[str]:
    async with database.read() as connection:
        return list((await connection.execute(select(PEOPLE.c.name).order_by(PEOPLE.c.name))).scalars())


async def remember(connection: Connection, name: str) -> None:
    await people.save(connection, f"test:{name}", name, 0)


def file(address: str) -> str:
    return str(make_url(address).database)


async def write_all(database: Database, people_named: Iterable[str]) -> None:
    async with database.transaction() as connection:
        for name in people_named:
            await remember(connection, name)


async def test_write_is_there_after_reopening(database_url: str) -> None:
    async with await Database.open(database_url) as database, database.transaction() as connection:
        await remember(connection, "Ada")
    async with await Database.open(database_url) as database:
        assert await names(database) == ["Ada"]


async def test_write_that_fails_leaves_nothing(database: Database) -> None:
    async def write() -> None:
        async with database.transaction() as connection:
            await remember(connection, "Ada")
            raise LookupError

    with pytest.raises(LookupError):
        await write()
    assert await names(database) == []


async def test_cancelled_write_leaves_nothing(database: Database) -> None:
    written, never = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with database.transaction() as connection:
            await remember(connection, "Ada")
            written.set()
            await never.wait()

    task = asyncio.create_task(write())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.transaction() as connection:
        await remember(connection, "Bob")
    assert await names(database) == ["Bob"]


async def test_reader_does_not_see_a_write_before_its_commit(database: Database) -> None:
    async with database.transaction() as connection:
        await remember(connection, "Ada")
        assert await names(database) == []
    assert await names(database) == ["Ada"]


async def test_many_writers_all_succeed(database: Database) -> None:
    async def write(number: int) -> None:
        async with database.transaction() as connection:
            await remember(connection, f"Ada {number}")

    await asyncio.gather(*(write(number) for number in range(12)))
    assert len(await names(database)) == 12


async def test_name_follows_its_person(database: Database) -> None:
    for name in ("Ada", "Countess Ada"):
        async with database.transaction() as connection:
            await people.save(connection, "test:1", name, 0)
    assert await names(database) == ["Countess Ada"]


async def test_foreign_key_violation_is_a_programming_error(database: Database) -> None:
    with pytest.raises(IntegrityError):
        async with database.transaction() as connection:
            await connection.execute(
                PICKS.insert().values(match=7, person="test:nobody", pick="LR", picked_at=0)
            )


async def test_error_does_not_show_the_values(database: Database) -> None:
    with pytest.raises(IntegrityError) as caught:
        async with database.transaction() as connection:
            await connection.execute(
                PICKS.insert().values(match=7, person="test:nobody", pick="LR", picked_at=0)
            )
    assert "LR" not in str(caught.value)


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)],
)
async def test_sqlite_is_durable_and_checks_foreign_keys(sqlite_url: str, pragma: str, value: object) -> None:
    async with await Database.open(sqlite_url) as database:
        for connect in (database.read, database.transaction):
            async with connect() as connection:
                assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value


async def test_sqlite_holds_the_write_lock_from_the_first_read(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database, database.transaction() as connection:
        await connection.execute(select(func.count()).select_from(PEOPLE))
        with (
            closing(sqlite3.connect(file(sqlite_url), timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Let new files be readable by everybody, unless the program says otherwise."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.long
@pytest.mark.usefixtures("open_umask")
async def test_new_database_and_its_folder_are_for_this_user_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "data"
    async with await Database.open(f"sqlite:///{folder / 'rayuela.db'}") as database:
        await write_all(database, ["Ada"])
        modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    assert modes == {
        "data": 0o700,
        **dict.fromkeys(("rayuela.db", "rayuela.db-wal", "rayuela.db-shm"), 0o600),
    }
    (line,) = [record.getMessage() for record in caplog.records if "no database yet" in record.getMessage()]
    assert str(folder / "rayuela.db") in line


async def test_only_one_folder_is_made_for_a_database(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="No such file or directory"):
        await Database.open(f"sqlite:///{tmp_path / 'a' / 'b' / 'rayuela.db'}")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("short", [False, True])
async def test_locked_sqlite_is_unavailable_until_unlocked(sqlite_url: str, *, short: bool) -> None:
    async with await Database.open(f"{sqlite_url}?timeout=0.1") as database:
        with closing(sqlite3.connect(file(sqlite_url), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageUnavailable, match="locked") as caught:
                async with database.transaction(short=short) as connection:
                    await remember(connection, "Ada")
            assert await names(database) == []
            other.execute("ROLLBACK")
        assert not caught.value.uncertain
        async with database.transaction(short=short) as connection:
            await remember(connection, "Bob")
        assert await names(database) == ["Bob"]


async def test_short_write_leaves_the_loop_free_while_another_process_writes(sqlite_url: str) -> None:
    async def write(database: Database) -> None:
        async with database.transaction(short=True) as connection:
            await remember(connection, "Ada")

    async with await Database.open(f"{sqlite_url}?timeout=30") as database:
        with closing(sqlite3.connect(file(sqlite_url), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writer = asyncio.create_task(write(database))
            await asyncio.wait({writer}, timeout=0.1)
            assert not writer.done()
            other.execute("ROLLBACK")
        await writer
        assert await names(database) == ["Ada"]


async def test_waiting_for_a_writer_of_the_same_process_times_out(sqlite_url: str) -> None:
    async with (
        await Database.open(f"{sqlite_url}?timeout=0.1") as database,
        database.transaction() as connection,
    ):
        await remember(connection, "Ada")
        with pytest.raises(StorageUnavailable, match="busy"):
            async with database.transaction():
                pytest.fail("two writers at once")


@pytest.mark.long
async def test_many_writers_wait_their_turn_also_for_another_process(sqlite_url: str) -> None:
    written: list[int] = []

    async def write(database: Database, number: int) -> None:
        async with database.transaction() as connection:
            await remember(connection, f"Ada {number:03}")
            written.append(number)

    async with (
        await Database.open(f"{sqlite_url}?timeout=30") as one,
        await Database.open(f"{sqlite_url}?timeout=30") as other,
    ):
        with closing(sqlite3.connect(file(sqlite_url), isolation_level=None)) as long_writer:
            long_writer.execute("BEGIN IMMEDIATE")
            writers = [asyncio.create_task(write((one, other)[n % 2], n)) for n in range(160)]
            await asyncio.wait(writers, timeout=WAITED_BEFORE)
            assert not any(writer.done() for writer in writers)
            long_writer.execute("ROLLBACK")
        await asyncio.gather(*writers)
        assert await names(one) == [f"Ada {number:03}" for number in range(160)]
    assert [n for n in written if n % 2] == list(range(1, 160, 2))
    assert [n for n in written if not n % 2] == list(range(0, 160, 2))


def delete(path: Path) -> None:
    path.unlink()


def delete_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def replace_by_copy(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.replace(path)


@pytest.mark.parametrize("lose", [delete, delete_log, replace_by_copy])
async def test_nothing_is_written_to_a_file_that_is_gone(
    sqlite_file: Path, sqlite_url: str, lose: Callable[[Path], None]
) -> None:
    async def write_while_it_is_lost(database: Database) -> None:
        async with database.transaction() as connection:
            await remember(connection, "Bob")
            lose(sqlite_file)

    async with await Database.open(sqlite_url) as database:
        await write_all(database, ["Ada"])
        with pytest.raises(StorageUnavailable, match="deleted or replaced"):
            await write_while_it_is_lost(database)
        left = set(sqlite_file.parent.glob("rayuela.db*"))
        async with database.read():
            for _ in range(2):
                with pytest.raises(StorageUnavailable, match="deleted or replaced"):
                    await write_all(database, ["Carol"])
        assert set(sqlite_file.parent.glob("rayuela.db*")) == left


def move(path: Path, target: Path) -> None:
    path.rename(target)


async def test_commit_that_is_refused_leaves_no_transaction(sqlite_file: Path, sqlite_url: str) -> None:
    async def write_while_it_is_elsewhere(database: Database) -> None:
        async with database.transaction() as connection:
            await remember(connection, "Bob")
            move(sqlite_file, sqlite_file.with_name("elsewhere.db"))

    async with await Database.open(sqlite_url) as database:
        await write_all(database, ["Ada"])
        with pytest.raises(StorageUnavailable, match="deleted or replaced"):
            await write_while_it_is_elsewhere(database)
        move(sqlite_file.with_name("elsewhere.db"), sqlite_file)
        assert await names(database) == ["Ada"]
        await write_all(database, ["Carol"])
        assert await names(database) == ["Ada", "Carol"]


async def test_full_sqlite_refuses_writes_until_there_is_space(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        async with database.read() as connection:
            pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
            await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
        with pytest.raises(StorageUnavailable, match="full"):
            await write_all(database, (f"{number:0100d}" for number in range(1000)))
        async with database.read() as connection:
            await connection.execute(text("PRAGMA max_page_count = 1000000"))
        assert await names(database) == []
        async with database.transaction() as connection:
            await remember(connection, "Ada")
        assert await names(database) == ["Ada"]


async def test_file_that_is_not_a_database_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database " * 500)
    with pytest.raises(StorageUnavailable, match="not a database"):
        await Database.open(f"sqlite:///{path}")


async def test_folder_in_place_of_a_file_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="unable to open"):
        await Database.open(f"sqlite:///{tmp_path}")


async def test_unreachable_server_is_unavailable() -> None:
    with pytest.raises(StorageUnavailable):
        await Database.open("postgresql://postgres@127.0.0.1:9/postgres")


async def test_database_that_the_server_does_not_have_is_unavailable(postgres_server: object) -> None:
    with pytest.raises(StorageUnavailable):
        await Database.open(f"{postgres_server}_of_nobody")


async def close_server_connections(address: str) -> None:
    """Make the server close every connection to the database but our own."""
    await execute_statements(
        address,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


async def test_connection_lost_in_a_transaction_leaves_nothing(postgres_url: str) -> None:
    async def write(database: Database) -> None:
        async with database.transaction() as connection:
            await remember(connection, "Ada")
            await close_server_connections(postgres_url)
            await remember(connection, "Bob")

    async with await Database.open(postgres_url) as database:
        with pytest.raises(StorageUnavailable) as caught:
            await write(database)
        assert not caught.value.uncertain
        assert await names(database) == []


async def test_connection_lost_before_the_commit_is_uncertain(postgres_url: str) -> None:
    async def write(database: Database) -> None:
        async with database.transaction() as connection:
            await remember(connection, "Ada")
            await close_server_connections(postgres_url)

    async with await Database.open(postgres_url) as database:
        with pytest.raises(StorageUnavailable) as caught:
            await write(database)
        assert caught.value.uncertain
        assert await names(database) == []


async def test_connections_lost_while_idle_are_replaced(postgres_url: str) -> None:
    async with await Database.open(postgres_url) as database:
        assert await names(database) == []
        await close_server_connections(postgres_url)
        async with database.transaction() as connection:
            await remember(connection, "Ada")
        assert await names(database) == ["Ada"]


async def test_commit_calls_the_listener_and_a_failure_does_not(database: Database) -> None:
    committed = asyncio.Event()
    with database.on_commit(committed.set):
        async with database.transaction() as connection:
            await remember(connection, "Ada")
            assert not committed.is_set()
        assert committed.is_set()
        committed.clear()
        with pytest.raises(LookupError):
            async with database.transaction():
                raise LookupError
        assert not committed.is_set()
    async with database.transaction() as connection:
        await remember(connection, "Bob")
    assert not committed.is_set()


async def test_refused_row_is_not_in_the_log(database: Database) -> None:
    """PostgreSQL quotes the row in its error."""
    account = "discord:912345678901234567"
    with pytest.raises(IntegrityError) as refused:
        async with database.transaction() as connection:
            await preferences.save(connection, account, "{}", 0)
    event = {"error": repr(refused.value), "exception": "".join(format_exception(refused.value))}
    logged = Redactor()(None, "error", event)
    assert "IntegrityError" in str(logged)
    assert account not in str(logged)
