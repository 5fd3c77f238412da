import pytest
from sqlalchemy import select

from storage import Store
from storage.tables import PEOPLE
from tests.processes import process

WRITER = "tests.storage.writer"


async def names(address: str) -> list[str]:
    async with await Store.open(address) as store, store.reading() as connection:
        return list((await connection.execute(select(PEOPLE.c.name))).scalars())


@pytest.mark.parametrize(("step", "left"), [("written", []), ("committed", ["Ada"])])
async def test_killed_process_leaves_what_it_had_committed(database: str, step: str, left: list[str]) -> None:
    async with process(WRITER, database, step) as writer:
        assert await writer.says() == step
        await writer.kill()
    assert await names(database) == left


async def test_processes_that_start_at_once_find_one_migrated_database(new_database: str) -> None:
    async with process(WRITER, new_database, "") as one, process(WRITER, new_database, "") as other:
        assert {await one.ends(), await other.ends()} == {0}
    assert await names(new_database) == ["Ada"]
