import pytest
from sqlalchemy import select

from storage import Database
from storage.tables import PEOPLE
from tests.processes import run_script

WRITER = "tests.storage.writer_process"


async def names(address: str) -> list[str]:
    async with await Database.open(address) as database, database.read() as connection:
        return list((await connection.execute(select(PEOPLE.c.name))).scalars())


@pytest.mark.long
@pytest.mark.parametrize(("step", "left"), [("written", []), ("committed", ["Ada"])])
async def test_killed_process_leaves_what_it_had_committed(
    database_url: str, step: str, left: list[str]
) -> None:
    async with run_script(WRITER, database_url, step) as writer:
        assert await writer.read_line() == step
        await writer.kill()
    assert await names(database_url) == left


@pytest.mark.long
async def test_concurrent_processes_migrate_the_database_once(empty_database_url: str) -> None:
    async with (
        run_script(WRITER, empty_database_url, "") as one,
        run_script(WRITER, empty_database_url, "") as other,
    ):
        assert {await one.wait_for_exit(), await other.wait_for_exit()} == {0}
    assert await names(empty_database_url) == ["Ada"]
